#!/usr/bin/env bash
# Installs missing packages, builds, and runs the tests. Ends with ctest's summary.
# Usage: scripts/test.sh [ctest arguments...]
. "$(dirname "$0")/common.sh"

install_packages
build release
ctest --preset release -j $(($(nproc) + 1)) "$@" # tests of servers wait more than they work
