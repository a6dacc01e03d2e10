#!/usr/bin/env bash
# Measures `touchstone retrieve`: documents indexed in a processor second, and the time of 100 topics with all systems at
# depth 100. The passages are made of those of the dumps in $TOUCHSTONE_DATA/dumps (or ../shared/data/dumps) by
# bench/passages.py. Prints the program's own line with processor seconds, and time and memory of the whole.
# Usage: scripts/bench_retrieve.sh [PASSAGES]       default 1,000,000
. "$(dirname "$0")/common.sh"

install_packages
build release touchstone
passages=${1:-1000000}
data=${TOUCHSTONE_DATA:-$root/../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

corpora=()
for dump in "$data"/dumps/{shintowiki-*current*,enwiki-excerpt*,ltgwiki*}.xml.bz2; do
  [ -f "$dump" ] || continue
  name=$(basename "$dump" .xml.bz2)
  build/release/touchstone --progress never build --dump "$dump" --work "$work/$name" 2>/dev/null >&2 ||
    [ $? -eq 4 ] # no topic was found; its passages are there all the same
  corpora+=("$work/$name/collection/corpus.jsonl.gz")
done
[ ${#corpora[@]} -gt 0 ] || { say "no dumps at hand: set TOUCHSTONE_DATA"; exit 1; }
python3 bench/passages.py "$passages" "$work/beir" "${corpora[@]}"
say "indexing and searching"
/usr/bin/time -f '%e s, %U + %S processor seconds, %M KB' \
  build/release/touchstone retrieve "$work/beir" --out "$work/runs" --work "$work/index" --stemmer en 2>&1 >/dev/null | grep -v '^$' >&2
say "searching with the index at hand"
/usr/bin/time -f '%e s, %U + %S processor seconds, %M KB' \
  build/release/touchstone retrieve "$work/beir" --out "$work/runs" --work "$work/index" --stemmer en
du -sh "$work/index" "$work/beir" >&2
