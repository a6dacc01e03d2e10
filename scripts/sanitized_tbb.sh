#!/usr/bin/env bash
# Builds the installed version of oneTBB with the thread sanitizer. Without this, the sanitizer cannot see how oneTBB
# hands tasks from thread to thread. The source comes from the package archive, through a separate apt state, so that no
# setting of the machine changes.
# Usage: scripts/sanitized_tbb.sh PREFIX
. "$(dirname "$0")/common.sh"

prefix=$(realpath -m "$1")
version=$(dpkg-query -W -f='${source:Version}' libtbb-dev)
[ "$(cat "$prefix/version" 2>/dev/null)" = "$version" ] && exit
rm -rf "$prefix"
mkdir -p "$prefix"/{apt/lists/partial,apt/sources,source}
for list in /etc/apt/sources.list.d/*.sources; do
  [ -f "$list" ] && sed 's/^Types:.*/Types: deb-src/' "$list" >"$prefix/apt/sources/$(basename "$list")"
done
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ -f "$list" ] && sed -n 's/^deb /deb-src /p' "$list" >"$prefix/apt/sources/$(basename "$list" .list).list"
done
apt=(apt-get -qq -o APT::Sandbox::User= -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$prefix/apt/sources" -o "Dir::State::lists=$prefix/apt/lists")
"${apt[@]}" update
(cd "$prefix/source" && "${apt[@]}" source --download-only "onetbb=$version" >&2 && tar xf onetbb_*.orig.tar.*)
say "building oneTBB $version with the thread sanitizer"
{
  cmake -G Ninja -S "$prefix"/source/oneTBB-* -B "$prefix/build" -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF \
    -DTBB_SANITIZE=thread -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_INSTALL_PREFIX="$prefix"
  ninja -C "$prefix/build" install
} >"$prefix/log" 2>&1 || { cat "$prefix/log" >&2; exit 1; }
rm -rf "$prefix"/{apt,source,build,log}
echo "$version" >"$prefix/version"
