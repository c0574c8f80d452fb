#!/usr/bin/env bash
# Installs the packages of packages.txt that are missing. On Debian and its relatives with apt-get; elsewhere it prints
# the list and stops. REPOSE_SKIP_INSTALL=1 says that everything is there already.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

if [[ "${REPOSE_SKIP_INSTALL:-0}" == 1 ]]; then exit 0; fi

mapfile -t packages < <(sed -e 's/#.*//' -e 's/[[:space:]].*//' -e '/^$/d' "$here/packages.txt")

give_up() {
  echo "$1 Please install what these Debian packages hold:" >&2
  printf '  %s\n' "${packages[@]}" >&2
  echo "then run again with REPOSE_SKIP_INSTALL=1." >&2
  exit 2
}

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  give_up "This system has no apt-get."
fi

missing=()
for package in "${packages[@]}"; do
  state="$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)"
  [[ "$state" == installed ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then exit 0; fi

as_root=()
if [[ "$(id -u)" -ne 0 ]]; then
  command -v sudo >/dev/null || give_up "Installing needs root, and there is no sudo. Missing: ${missing[*]}."
  as_root=(sudo)
  # Without a terminal nobody can type a password.
  [[ -t 0 ]] || as_root=(sudo -n)
fi

echo "Installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
