#!/usr/bin/env bash
# Installs what is missing, builds, and makes a collection from the bundled wiki with the embedded judge.
# Usage: scripts/demo.sh [WORK_DIRECTORY]
. "$(dirname "$0")/common.sh"
work=${1:-$root/work/demo}

install_packages
build release touchstone
build/release/touchstone --progress never build --config configs/miniwiki.toml \
  --dump examples/miniwiki/miniwiki-20250101-pages-articles.xml --work "$work" >/dev/null
build/release/touchstone validate "$work/collection" >&2

python3 - "$work" <<'EOF'
import json, sys
work = sys.argv[1]
numbers = json.load(open(work + '/collection/manifest.json'))
counts = {}
for line in open(work + '/stages/judgments.jsonl'): pass
numbers = numbers.get('numbers', numbers)
print()
print('topics      %6d   members  %6d   passages %6d' % (numbers['topics'], numbers['members'], numbers['passages']))
print('judgments   %6d   evidence %6d   evidence a topic: mean %.1f, median %g, from %d to %d' % (
    numbers['judgments'], numbers['evidence'], numbers['evidence_mean'], numbers['evidence_median'], numbers['evidence_min'], numbers['evidence_max']))
EOF
echo "collection  $work/collection"
echo "report      $work/report.html"
