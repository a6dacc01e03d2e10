#!/usr/bin/env bash
# Runs benchmarks against a named peer in the same run. Prints JSON lines, and appends them to bench/runs/DATE-COMMIT.jsonl
# with the machine, the compiler and the peers (scripts/bench_record.py). scripts/bench_judge.sh measures judging.
# Usage: scripts/bench.sh [DUMP.xml.bz2] [RUNS]
#   ingest: wall seconds of `touchstone ingest` on the dump against `lbzip2 -n2 -dc` of the same file, alternating
#   ingest_parts: what one thread of ingest does for a whole file, each part alone (bench/ingest_parts.cpp)
#   link_graph: bits a link, random lists and a scan of the dump's link graph (bench/link_graph.cpp)
#   sql: what pagelinks and linktarget add to `touchstone link` (bench/sql_tables.py)
#   wikitext: the reader alone, on the articles of the dump, against mwparserfromhell (processor time), and its slowest
#     hostile text of 1 MB (bench/wikitext.cpp)
#   wikidata: the reader of Wikidata's JSON dump alone, on the lines of 49 entities (bench/wikidata.cpp)
#   near_duplicates: recall against brute force on 20,000 paragraphs of the dump, and the time for a million (bench/near_duplicates.cpp)
#   tukey: the randomised Tukey HSD of `touchstone compare` against numpy (scripts/bench_tukey.py)
#   evaluate: scoring a generated run and real runs (bench/evaluate.cpp); against trec_eval if it is on the PATH
# The default dump is the largest .bz2 in $TOUCHSTONE_DATA/dumps (or ../shared/data/dumps).
. "$(dirname "$0")/common.sh"

install_packages
build release touchstone bench_ingest_parts bench_link_graph bench_wikitext bench_wikidata bench_evaluate bench_near_duplicates
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

all() {
  ingest >/dev/null 2>&1 # warm-up
  for ((run = 1; run <= runs; ++run)); do
    ours=$(seconds ingest)
    theirs=$(seconds peer)
    awk -v r="$run" -v a="$ours" -v b="$theirs" -v f="$(basename "$dump")" 'BEGIN {
      printf "{\"bench\":\"ingest\",\"dump\":\"%s\",\"run\":%d,\"seconds\":%s,\"peer\":\"lbzip2 -n2 -dc\",\"peer_seconds\":%s,\"peer_over_ours\":%.3f}\n", f, r, a, b, b / a }'
  done
  bzcat "$dump" >"$work/plain.xml"
  build/release/bench_ingest_parts "$work/plain.xml"
  rm "$work/plain.xml"
  build/release/touchstone --progress never build --to link -j 2 --dump "$dump" --work "$work/w" >/dev/null 2>&1
  build/release/bench_link_graph "$work/w/store"
  python3 -B bench/sql_tables.py build/release/touchstone "$dump" --runs "$runs"
  if [ -x build/release/bench_wikitext ]; then
    build/release/bench_wikitext "$dump" --benchmark_filter='^(wikitext/|hostile/worst)' --benchmark_format=json | tee "$work/wikitext.json"
    if /usr/bin/python3 -c 'import mwparserfromhell' 2>/dev/null; then
      /usr/bin/python3 scripts/bench_wikitext_peer.py "$dump" >"$work/wikitext_peer.json"
      /usr/bin/python3 scripts/bench_wikitext_peer.py --compare "$work/wikitext.json" "$work/wikitext_peer.json"
    else
      say "python3-mwparserfromhell is not installed: no comparison of the parser with it"
    fi
  fi
  if [ -x build/release/bench_wikidata ] && [ -f "$data/wikidata/wikidata-49-entities.json.bz2" ]; then
    build/release/bench_wikidata "$data/wikidata/wikidata-49-entities.json.bz2" --benchmark_format=json
  fi
  if [ -x build/release/bench_evaluate ]; then
    TOUCHSTONE_DATA=$data build/release/bench_evaluate "$work" --benchmark_format=json
    score() { build/release/touchstone evaluate --qrels "$work/qrels" "$work/run" --format trec_eval -m map -m ndcg_cut.10; }
    score_peer() { trec_eval -m map -m ndcg_cut.10 "$work/qrels" "$work/run"; }
    if command -v trec_eval >/dev/null; then
      for ((run = 1; run <= runs; ++run)); do
        awk -v r="$run" -v a="$(seconds score)" -v b="$(seconds score_peer)" 'BEGIN {
          printf "{\"bench\":\"evaluate\",\"run\":%d,\"seconds\":%s,\"peer\":\"trec_eval\",\"peer_seconds\":%s,\"peer_over_ours\":%.1f}\n", r, a, b, b / a }'
      done
    else
      say "trec_eval is not on the PATH: no comparison with it"
    fi
  fi
  if [ -x build/release/bench_near_duplicates ]; then
    build/release/touchstone --progress never build --to evidence -j 2 --dump "$dump" --work "$work/paragraphs" \
      --set passages.scope=all --set passages.granularity=paragraph >/dev/null 2>&1
    corpus=$work/paragraphs/collection/corpus.jsonl.gz
    build/release/bench_near_duplicates recall "$corpus"
    build/release/bench_near_duplicates speed "$corpus"
    build/release/bench_near_duplicates speed "$corpus" --min-words 20
    build/release/bench_near_duplicates speed "$corpus" --stubs 10 --min-words 20
  fi
  # tukey: 71 systems x 50 topics, generated from a seed. If numpy is installed (Debian package python3-numpy), it computes
  # a tenth of the permutations, and its time is scaled up.
  permutations=1000000
  if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    /usr/bin/python3 scripts/bench_tukey.py --make "$work/matrix"
    tukey() { build/release/touchstone compare --matrix "$work/matrix" --permutations "$permutations"; }
    tukey_peer() { /usr/bin/python3 scripts/bench_tukey.py "$work/matrix" "$((permutations / 10))"; }
    for ((run = 1; run <= runs; ++run)); do
      awk -v r="$run" -v n="$permutations" -v a="$(seconds tukey)" -v b="$(seconds tukey_peer)" 'BEGIN {
        printf "{\"bench\":\"tukey\",\"permutations\":%d,\"run\":%d,\"seconds\":%s,\"peer\":\"numpy\",\"peer_seconds\":%.1f,\"peer_over_ours\":%.1f}\n", n, r, a, 10 * b, 10 * b / a }'
    done
  else
    say "numpy is not installed: no comparison of the randomised Tukey HSD with it"
  fi
}
all | python3 -B scripts/bench_record.py build/release bench/runs
