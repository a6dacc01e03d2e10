#!/usr/bin/env bash
# Installs missing packages, builds the program, and makes a collection from the bundled wiki with the embedded judge.
# Usage: scripts/demo.sh [WORK_DIRECTORY]
. "$(dirname "$0")/common.sh"

install_packages
build release touchstone
exec build/release/touchstone --progress never build --config configs/miniwiki.toml \
  --dump examples/miniwiki/miniwiki-20250101-pages-articles.xml --work "${1:-work/demo}"
