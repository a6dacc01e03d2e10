#!/usr/bin/env bash
# Fails if a command has no man page in docs/man, or another exit status there than in --help. If man is installed, also
# fails if a page has formatting warnings. Options come from --help (scripts/man_pages.py).
# Usage: scripts/check_man.sh PROGRAM
set -euo pipefail
program=${1:?usage: scripts/check_man.sh PROGRAM}
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/../docs/man" && pwd)
problems=0

problem() {
  printf '%s\n' "$*" >&2
  problems=$((problems + 1))
}

help_statuses() { "$program" "$@" --help | sed -n '/^Exit status:/,$p' | grep -oE '[0-9] [a-z]' | cut -c1 | sort -u; }
man_statuses() { sed -n '/^\.SH EXIT STATUS/,/^\.SH [^E]/p' "$1" | sed -nE 's/^\.B ([0-9])$/\1/p' | sort -u; }

check() { # check NAME [COMMAND]
  local page=$folder/$1.1 line
  shift
  if [ ! -f "$page" ]; then
    problem "docs/man/$(basename "$page") is missing: write it; scripts/check_generated.sh --write adds the options"
    return
  fi
  # Not every command is stopped early (3), but one that may find no topics (4) says so in both.
  while read -r line; do
    problem "docs/man/$(basename "$page"): exit status $line of touchstone ${*:-} is in one of man page and --help only"
  done < <(comm -3 <(help_statuses "$@") <(man_statuses "$page") | tr -d '\t' | grep -v '^[123]$' || true)
  if command -v man >/dev/null; then
    line=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)
    [ -z "$line" ] || problem "docs/man/$(basename "$page"): $line"
  fi
}

mapfile -t commands < <("$program" --help | sed '1,/^Options:/d' | sed -nE 's/^  ([a-z][a-z-]*) .*/\1/p')
[ ${#commands[@]} -gt 0 ] || problem "$program --help lists no commands"
check touchstone
for command in "${commands[@]}"; do check "touchstone-$command" "$command"; done
for page in "$folder"/touchstone-*.1; do
  name=$(basename "$page" .1)
  [[ " ${commands[*]} " == *" ${name#touchstone-} "* ]] || problem "docs/man/$name.1 is for a command that the program does not have"
done
[ "$problems" -eq 0 ] || exit 1
echo "${#commands[@]} commands: man pages and --help agree"
