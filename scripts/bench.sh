#!/usr/bin/env bash
# Benchmarks, as ratios against a named peer in the same run; JSON lines on standard output. Judging has its own:
# scripts/bench_judge.sh.
# Usage: scripts/bench.sh [DUMP.xml.bz2] [RUNS]
#   ingest: wall seconds of `touchstone ingest` on the dump against `lbzip2 -n2 -dc` of the same file, in turn
#   wikitext: the parser alone, on the articles of the dump (bench/wikitext.cpp)
# Without a dump, the largest .bz2 of $TOUCHSTONE_DATA/dumps (or ../shared/data/dumps) is taken.
. "$(dirname "$0")/common.sh"

install_packages
build release
data=${TOUCHSTONE_DATA:-$root/../shared/data}
dump=${1:-$(ls -S "$data"/dumps/*pages-*.xml.bz2 2>/dev/null | head -n 1)}
runs=${2:-5}
[ -n "$dump" ] || { say "no dump at hand: name one, or set TOUCHSTONE_DATA"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

seconds() { # wall seconds of a command, its output thrown away
  local start end
  start=$(date +%s.%N)
  "$@" >/dev/null 2>"$work/stderr" || { cat "$work/stderr" >&2; exit 1; }
  end=$(date +%s.%N)
  awk -v a="$start" -v b="$end" 'BEGIN { printf "%.3f", b - a }'
}
ingest() {
  rm -rf "$work/w"
  build/release/touchstone --progress never ingest -j 2 --dump "$dump" --work "$work/w"
}
peer() { lbzip2 -n2 -dc "$dump"; }

ingest >/dev/null 2>&1 # warm-up
for ((run = 1; run <= runs; ++run)); do
  ours=$(seconds ingest)
  theirs=$(seconds peer)
  awk -v r="$run" -v a="$ours" -v b="$theirs" -v f="$(basename "$dump")" 'BEGIN {
    printf "{\"bench\":\"ingest\",\"dump\":\"%s\",\"run\":%d,\"seconds\":%s,\"peer\":\"lbzip2 -n2 -dc\",\"peer_seconds\":%s,\"peer_over_ours\":%.3f}\n", f, r, a, b, b / a }'
done
if [ -x build/release/bench_wikitext ]; then
  TOUCHSTONE_DATA=$data build/release/bench_wikitext --benchmark_format=json
fi
