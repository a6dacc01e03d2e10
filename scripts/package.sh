#!/usr/bin/env bash
# Installs missing packages, builds the program, and makes its Debian package in build/packages. Prints the path of the
# package. One that was made of the same files is kept.
# Usage: scripts/package.sh
. "$(dirname "$0")/common.sh"

install_packages
build release touchstone
umask 022 # the folders of the package are for all
folder=$root/build/packages
made_of=$( (
  cat build/release/CPackConfig.cmake cmake/debian_package.cmake
  find build/release/touchstone build/release/cli/completion.* docs/man configs examples LICENSE README.md CHANGELOG.md -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum
) | sha256sum)
package=$(find "$folder" -maxdepth 1 -name 'touchstone_*.deb' 2>/dev/null || true)
if [ ! -f "$package" ] || [ "$made_of" != "$(cat "$folder/made_of" 2>/dev/null)" ]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  # The number of commits lets the version rise with each change, so that apt replaces an older package.
  (cd build/release && cpack -G DEB -B "$folder" -D CPACK_DEBIAN_PACKAGE_RELEASE="$(git rev-list --count HEAD 2>/dev/null || echo 1)") \
    >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
  rm -rf "$folder/_CPack_Packages"
  package=$(find "$folder" -maxdepth 1 -name 'touchstone_*.deb')
  printf '%s\n' "$made_of" >"$folder/made_of"
fi
printf '%s\n' "$package"
