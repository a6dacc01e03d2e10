#!/usr/bin/env bash
# Checks what changed since a commit: the format of the sources, and what clang-tidy finds in them.
# Usage: scripts/check_changed.sh [COMMIT]   the commit before the change; default: the first parent of HEAD
# clang-tidy takes some 10 s a file, so that it reads at most $TIDY_FILES of them (default 24), and says so.
. "$(dirname "$0")/common.sh"

install_packages clang-format-14 clang-tidy-14
base=${1:-HEAD^}
git rev-parse --quiet --verify "$base^{commit}" >/dev/null || { say "nothing to compare with: no commit $base"; exit 0; }
mapfile -t changed < <(git diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.hpp')
[ ${#changed[@]} -gt 0 ] || { say "no source changed since $base"; exit 0; }
printf '%s\0' "${changed[@]}" | xargs -0 -n 50 clang-format-14 --dry-run -Werror

mapfile -t sources < <(printf '%s\n' "${changed[@]}" | grep '\.cpp$' | grep -vE '^(tests|bench|fuzz)/' || true)
limit=${TIDY_FILES:-24}
if [ ${#sources[@]} -gt "$limit" ]; then
  say "clang-tidy reads $limit of the ${#sources[@]} sources that changed"
  sources=("${sources[@]:0:$limit}")
fi
[ ${#sources[@]} -gt 0 ] || exit 0
# The build for daily work names each source by itself; the others name sources that include several.
cmake --preset dev >/dev/null
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy-14 -p build/dev --quiet --warnings-as-errors='*' 2>/dev/null
say "the format of ${#changed[@]} files and clang-tidy on ${#sources[@]} sources: clean"
