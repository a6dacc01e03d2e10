#!/usr/bin/env bash
# Builds and runs tests with the address+undefined and the thread sanitizer. With --all, all tests run with both. Else the
# first runs what reads foreign bytes: the fuzz corpora, the unit tests of readers and of the client, each stage and each
# reader of files once, and the program before damaged files and hostile servers. The second runs the tests in which
# threads of the program interact. Only the programs that these tests need are built.
# Usage: scripts/check_sanitizers.sh [--all]
. "$(dirname "$0")/common.sh"

all=${1:-}
jobs=$(($(nproc) + 1)) # tests of servers wait more than they work

# one_of <name>...: a regular expression
one_of() { (IFS='|' && echo "($*)"); }
# exist <preset> <prefix> <suffix> <name>...: stops when no test's name begins so
exist() {
  local preset=$1 prefix=$2 suffix=$3 tests name
  tests=$(ctest --preset "$preset" -N)
  for name in "${@:4}"; do
    grep -q ": $prefix$name$suffix" <<<"$tests" || { say "error: no test begins with $prefix$name$suffix; name it as it is called now in $0"; exit 1; }
  done
}

install_packages clang-14 libclang-rt-14-dev
build release judge_server
# Freed memory is kept from reuse until this much was freed. At the default each run touches new memory up to its end.
export ASAN_OPTIONS=quarantine_size_mb=32
export TSAN_OPTIONS="suppressions=$root/scripts/tsan.supp history_size=7"

if [ "$all" = --all ]; then
  build asan
  ctest --preset asan -j "$jobs"
  scripts/sanitized_tbb.sh build/tsan-tbb
  build tsan
  exec ctest --preset tsan -j "$jobs"
fi

programs=(annotation books common dump extractors formats linking llm_client llm_transport page_sources sql storage wikidata wikitext zim)
commands=(annotate audit build candidates car export groups ingest judge link parse phrase qrels vote)
subjects=(bad_pages bounds damaged_car_files damaged_dumps damaged_stores edited_stage_files injections misbehaving_judges
  reader_files true_causes trust)
build asan touchstone replays full_disk "${programs[@]/%/_test}"
exist asan golden. '\.' "${commands[@]}"
exist asan e2e. '\.' "${subjects[@]}"
ctest --preset asan -j "$jobs" -LE 'slow|many_runs' \
  -R "^fuzz\.|^$(one_of "${programs[@]}")_test$|^golden\.$(one_of "${commands[@]}")\.|^e2e\.$(one_of "${subjects[@]}")\."

scripts/sanitized_tbb.sh build/tsan-tbb
programs=(annotation common dump llm_transport pipeline_flow storage)
suites=(AnswerLog Campaign ConnectionPool DumpReader Flow Sorter Store Transport)
not_twice=DumpReader.NeitherBatchSizeNorReadSizeChangesThePages # a hundred reads in turn, each as the other tests' reads
build tsan "${programs[@]/%/_test}"
found=$(for program in "${programs[@]}"; do "build/tsan/${program}_test" --gtest_list_tests; done)
for suite in "${suites[@]}"; do
  grep -q "^$suite" <<<"$found" || { say "error: no suite's name begins with $suite; name it as it is called now in $0"; exit 1; }
done
GTEST_FILTER="$(printf '%s*:' "${suites[@]}")-$not_twice" ctest --preset tsan -j "$jobs" -R "^$(one_of "${programs[@]}")_test$"
