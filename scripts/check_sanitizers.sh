#!/usr/bin/env bash
# Builds and runs tests with the address+undefined and the thread sanitizer. The first runs all tests but the slow ones,
# those that run the program dozens of times, and those whose paths through the program others take too. The second runs
# the tests in which threads interact (store, stages, dump sources, requests, whole builds), and builds only the programs
# that these tests need.
# Usage: scripts/check_sanitizers.sh [--all]
. "$(dirname "$0")/common.sh"

all=${1:-}
jobs=$(($(nproc) + 1)) # tests of servers wait more than they work

install_packages clang-14 libclang-rt-14-dev
build release judge_server

build asan
address_tests=(-LE 'slow|many_runs|reached_by_others')
[ "$all" = --all ] && address_tests=()
# Freed memory is kept from reuse until this much was freed. At the default each run touches new memory up to its end.
ASAN_OPTIONS=quarantine_size_mb=32 ctest --preset asan -j "$jobs" "${address_tests[@]}"

scripts/sanitized_tbb.sh build/tsan-tbb
export TSAN_OPTIONS="suppressions=$root/scripts/tsan.supp history_size=7"
if [ "$all" = --all ]; then
  build tsan
  exec ctest --preset tsan -j "$jobs"
fi
programs=(analysis_measures analysis_significance common dump formats llm_client llm_transport pipeline pipeline_corpus pipeline_evidence
  pipeline_flow pipeline_judging storage)
suites=(BulkLoader CandidatesStage CorpusStatistics DumpReader Evaluate ExternalSorter Flow Ingest JudgingLoop LinkStage OnlineRequester
  PageRecords Passage RandomisedTukey RunFile Runner SecondPath Store Transport)
not_twice=DumpReader.NeitherBatchSizeNorReadSizeChangesThePages # a hundred reads in turn, each as the other tests' reads
build tsan "${programs[@]/%/_test}" touchstone
found=$(for program in "${programs[@]}"; do "build/tsan/${program}_test" --gtest_list_tests; done)
for suite in "${suites[@]}"; do
  grep -q "^$suite" <<<"$found" || { say "error: no suite's name begins with $suite; name it as it is called now in $0"; exit 1; }
done
GTEST_FILTER="$(printf '%s*:' "${suites[@]}")-$not_twice" ctest --preset tsan -j "$jobs" -R "^($(IFS='|' && echo "${programs[*]}"))_test$|same_bytes"
