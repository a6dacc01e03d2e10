#!/usr/bin/env bash
# Installs what is missing, builds the program, and tests the pages of `touchstone annotate` in headless Chromium.
# Usage: scripts/check_browser.sh [files of tests/browser...]; with UPDATE_SCREENSHOTS=1 the images of docs/ are made anew
. "$(dirname "$0")/common.sh"

# Node.js of another source does not go together with Debian's npm, so commands are looked for, not packages.
missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
[ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
build release touchstone

modules=build/browser
if ! cmp -s tests/browser/package.json "$modules/installed.json"; then
  mkdir -p "$modules"
  cp tests/browser/package.json "$modules/package.json"
  npm install --prefix "$modules" --no-audit --no-fund --no-package-lock --ignore-scripts >&2
  cp tests/browser/package.json "$modules/installed.json"
fi

[ $# -gt 0 ] || set -- tests/browser/*.test.mjs
parallel=()
if node --help | grep -q -- --test-concurrency; then parallel=(--test-concurrency="$(nproc)"); fi
node --test "${parallel[@]}" "$@"
