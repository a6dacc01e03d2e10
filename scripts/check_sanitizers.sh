#!/usr/bin/env bash
# Builds with address+undefined and thread sanitizers and runs the tests that matter most under them: with the first all
# but the slow ones, with the second those in which threads meet (store, stages, dump sources, whole builds).
# Usage: scripts/check_sanitizers.sh [--all]
. "$(dirname "$0")/common.sh"

install_packages
threads='^(Runner|Store|BulkLoader|Kinds|DumpReader|ExternalSorter|LexicalJudge|Passage|PageRecords|Evaluate|RunFile)|same_bytes'
address_tests=(-LE slow) thread_tests=(-R "$threads")
[ "${1:-}" = --all ] && address_tests=() thread_tests=()
export TSAN_OPTIONS="suppressions=$root/scripts/tsan.supp history_size=7"
build asan
ctest --preset asan -j "$(nproc)" "${address_tests[@]}"
scripts/sanitized_tbb.sh build/tsan-tbb
build tsan
ctest --preset tsan -j "$(nproc)" "${thread_tests[@]}"
