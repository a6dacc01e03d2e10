#!/usr/bin/env bash
# Builds and runs tests with the address+undefined and the thread sanitizer. The first runs all tests except the slow
# ones. The second runs the tests in which threads interact (store, stages, dump sources, whole builds).
# Usage: scripts/check_sanitizers.sh [--all]
. "$(dirname "$0")/common.sh"

install_packages
threads='^(Runner|Store|BulkLoader|Kinds|DumpReader|ExternalSorter|LexicalJudge|Passage|PageRecords|Evaluate|RunFile|Transport)|same_bytes'
address_tests=(-LE slow) thread_tests=(-R "$threads")
[ "${1:-}" = --all ] && address_tests=() thread_tests=()
export TSAN_OPTIONS="suppressions=$root/scripts/tsan.supp history_size=7"
build asan
ctest --preset asan -j "$(nproc)" "${address_tests[@]}"
scripts/sanitized_tbb.sh build/tsan-tbb
build tsan
ctest --preset tsan -j "$(nproc)" "${thread_tests[@]}"
