#!/usr/bin/env bash
# Installs the Debian packages that Touchstone needs (scripts/packages.txt), and any packages named as arguments.
. "$(dirname "$0")/common.sh"
install_packages "$@"
