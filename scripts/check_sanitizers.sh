#!/usr/bin/env bash
# Builds and runs tests with the address+undefined and the thread sanitizer. The first runs all tests except the slow
# ones. The second runs the tests in which threads interact (store, stages, dump sources, whole builds), and builds only
# the programs that these tests need.
# Usage: scripts/check_sanitizers.sh [--all]
. "$(dirname "$0")/common.sh"

install_packages
threads='^(Runner|FlowRunner|SecondPath|Store|BulkLoader|DumpReader|ExternalSorter|Ingest|LinkStage|Passage|PageRecords|CandidatesStage|CorpusStatistics|JudgingLoop|Evaluate|RunFile|RandomisedTukey|OnlineRequester|Transport)|same_bytes'
address_tests=(-LE slow) thread_tests=(-R "$threads")
[ "${1:-}" = --all ] && address_tests=() thread_tests=()
export TSAN_OPTIONS="suppressions=$root/scripts/tsan.supp history_size=7"
build asan
ctest --preset asan -j "$(nproc)" "${address_tests[@]}"
scripts/sanitized_tbb.sh build/tsan-tbb
if [ ${#thread_tests[@]} -eq 0 ]; then
  build tsan
else
  # The address build has the same tests, so it knows which programs they run. Whole builds run touchstone and judge_server.
  mapfile -t programs < <(ctest --preset asan "${thread_tests[@]}" --show-only=json-v1 | python3 -c '
import json, os, sys
commands = [test["command"][0] for test in json.load(sys.stdin)["tests"] if "command" in test]
print(*sorted({os.path.basename(name) for name in commands if os.path.dirname(name) == sys.argv[1]}), sep="\n")' "$root/build/asan")
  build tsan "${programs[@]}" touchstone judge_server
fi
ctest --preset tsan -j "$(nproc)" "${thread_tests[@]}"
