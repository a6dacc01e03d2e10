#!/usr/bin/env bash
# Says how long a change of one line takes: until the tests of its room have passed, and until everything is built again.
# The line is appended to FILE, compiled without ccache, and taken out at the end.
# Usage: scripts/rebuild_time.sh FILE [PRESET]      such as extractors/wikitext/inline/link_pass.cpp; preset: dev
. "$(dirname "$0")/common.sh"

file=${1:?usage: scripts/rebuild_time.sh FILE [PRESET]}
preset=${2:-dev}
[ -f "$file" ] || { say "error: there is no $file in $root"; exit 1; }
build "$preset"

# The room's own test program, or that of the nearest folder above it: named after its path or its last part.
test=
room=$(dirname "$file")
while [ -z "$test" ] && [ "$room" != . ]; do
  for name in "${room//\//_}_test" "$(basename "$room")_test"; do
    [ -z "$test" ] && [ -x "build/$preset/$name" ] && test=$name
  done
  room=$(dirname "$room")
done
[ -n "$test" ] || { say "error: no test program for $file in build/$preset"; exit 1; }

kept=$(mktemp)
cp -p "$file" "$kept"
trap 'cp -p "$kept" "$file"; rm -f "$kept"' EXIT
export CCACHE_DISABLE=1
seconds() { awk -v from="$1" -v to="$(date +%s.%N)" 'BEGIN { printf "%.1f", to - from }'; }
steps() { printf '%s compiled, %s linked' "$(grep -c Building <<<"$1" || true)" "$(grep -c Linking <<<"$1" || true)"; }
make() { ninja -C "build/$preset" "$@" || { say "error: the build failed"; exit 1; }; }

printf 'static_assert(sizeof(char) == 1);\n' >>"$file"
start=$(date +%s.%N)
log=$(make "$test")
echo "$test built: $(seconds "$start") s ($(steps "$log"))"
start=$(date +%s.%N)
"build/$preset/$test" --gtest_brief=1 >/dev/null || { say "error: $test fails"; exit 1; }
echo "$test run: $(seconds "$start") s"
start=$(date +%s.%N)
log=$(make)
echo "everything else built: $(seconds "$start") s ($(steps "$log"))"
