# Sourced by the other scripts: folder of the checkout, messages, missing packages, building.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf '%s\n' "$*" >&2; }

# Installs the missing packages of scripts/packages.txt without asking. Needs root or sudo only if a package is missing.
install_packages() {
  local wanted missing=()
  mapfile -t wanted < <(grep -vE '^(#|$)' scripts/packages.txt; printf '%s\n' "$@" | grep . || true)
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' 2>/dev/null | sed -n 's/^ii  *//p')
  for package in "${wanted[@]}"; do
    grep -qxF "$package" <<<"$installed" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { say "error: packages are missing and neither root nor sudo is at hand: apt-get install ${missing[*]}"; exit 1; }
    as_root=(sudo)
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# build PRESET [ninja arguments...]
build() {
  local preset=$1
  shift
  if [ ! -f "build/$preset/build.ninja" ]; then
    cmake --preset "$preset" >"build-$preset.log" 2>&1 || { cat "build-$preset.log" >&2; exit 1; }
    rm -f "build-$preset.log"
  fi
  ninja -C "build/$preset" "$@" >&2
}
