#!/usr/bin/env bash
# Replaces the expected output of the golden tests by the program's current output. Review the diff before you commit.
# Usage: scripts/update_golden.sh [COMMAND/CASE...]
. "$(dirname "$0")/common.sh"

build release touchstone
python3 -B tests/golden/run.py build/release/touchstone "$root" --update "$@"
git status --short tests/golden >&2
