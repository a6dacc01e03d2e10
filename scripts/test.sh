#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests; ends with ctest's own summary.
# Usage: scripts/test.sh [ctest arguments...]
. "$(dirname "$0")/common.sh"

install_packages
build release
ctest --preset release -j "$(nproc)" "$@"
