#!/usr/bin/env bash
# Fails if a document that the program generates is stale. --write updates the documents.
. "$(dirname "$0")/common.sh"
program=build/release/touchstone
stale=0
check() {  # check FILE COMMAND...
  local file=$1 made
  shift
  made=$("$@")
  if [ "${write:-}" = yes ]; then
    mkdir -p "$(dirname "$file")"
    printf '%s\n' "$made" >"$file"
  elif [ "$made" != "$(cat "$file" 2>/dev/null)" ]; then
    say "stale: $file (run scripts/check_generated.sh --write)"
    stale=1
  fi
}
[ "${1:-}" = --write ] && write=yes
check docs/config.md "$program" config --markdown
check docs/measures.md "$program" evaluate --list-measures
check docs/help/touchstone.txt "$program" --help
for command in download build campaign shard ingest link groups boilerplate passages candidates judge phrase export report pages paragraphs facets anchors export-automatic report-automatic survey status show parse links sql wikidata validate health audit diff stale snapshots retrieve evaluate compare adjudicate fuse correlate agree qrels reliability study trust snippets vote annotate link-entities car config help completion; do
  check "docs/help/$command.txt" "$program" "$command" --help
done
for command in show validate convert derive; do
  check "docs/help/car-$command.txt" "$program" car "$command" --help
done
for study in partial coverage adjudication leaderboards linking positions reannotation; do
  check "docs/help/study-$study.txt" "$program" study "$study" --help
done
python3 -B scripts/man_pages.py "$program" ${write:+--write} || stale=1
exit $stale
