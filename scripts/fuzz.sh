#!/usr/bin/env bash
# Builds the fuzz targets and runs each for some time on its corpus. Fails on a finding and leaves it in
# build/fuzz/findings. Add the finding to fuzz/corpus/<target>/ together with the fix.
# Usage: scripts/fuzz.sh [SECONDS] [TARGET...]      default: 60 seconds, all targets
. "$(dirname "$0")/common.sh"
seconds=${1:-60}
shift || true

targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(cd fuzz && ls fuzz_*.cpp */fuzz_*.cpp | sed "s,.*/,,; s,\.cpp$,,")
install_packages clang-14 libclang-rt-14-dev
build fuzz "${targets[@]}"
findings=build/fuzz/findings
mkdir -p "$findings"
failed=()
for target in "${targets[@]}"; do
  # New inputs go to a separate folder, so that the corpus in the repository stays small and reviewed.
  mkdir -p "build/fuzz/corpus/$target"
  say "$target: $seconds s"
  # Check for leaks at the end of the run. After every input, as by default, the check costs 30 to 150 ms each time.
  build/fuzz/"$target" -detect_leaks=0 -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=1 \
    -artifact_prefix="$findings/$target-" "build/fuzz/corpus/$target" "fuzz/corpus/$target" >"build/fuzz/$target.log" 2>&1 ||
    failed+=("$target")
  grep -E '^(stat::number_of_executed_units|SUMMARY)' "build/fuzz/$target.log" >&2 || true
done
[ ${#failed[@]} -eq 0 ] || { say "findings in ${failed[*]}; see build/fuzz/<target>.log and $findings"; exit 1; }
say "no findings in: ${targets[*]}"
