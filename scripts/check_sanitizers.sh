#!/usr/bin/env bash
# Builds with address+undefined and thread sanitizers and runs the tests that matter most under them.
# Usage: scripts/check_sanitizers.sh [--all]
. "$(dirname "$0")/common.sh"

install_packages
selection=(-LE slow)
[ "${1:-}" = --all ] && selection=()
# RocksDB and TBB are not built with the sanitizers; what they do inside is not ours to judge.
export TSAN_OPTIONS="suppressions=$root/scripts/tsan.supp history_size=7"
for preset in asan tsan; do
  build "$preset"
  ctest --preset "$preset" -j "$(nproc)" "${selection[@]}"
done
