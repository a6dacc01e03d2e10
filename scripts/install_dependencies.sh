#!/usr/bin/env bash
# Installs the Debian packages that Touchstone needs (scripts/packages.txt); further names may follow.
. "$(dirname "$0")/common.sh"
install_packages "$@"
