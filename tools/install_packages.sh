#!/bin/bash
# Installs the packages of tools/packages.txt that are missing; asks dpkg first, so that nothing happens when all are there.
#
#   tools/install_packages.sh build|test|bench ...
#
# PACKAGE/COMMAND in the list is wanted only where the command is missing: what is there may have come from elsewhere.
set -euo pipefail

list="$(dirname "$0")/packages.txt"
wanted=()
listed=0
for set in "$@"; do
  for entry in $(awk -v set="$set" '$1 == set { print $2 }' "$list"); do  # package names have no spaces
    listed=1
    [[ "$entry" == */* ]] && command -v "${entry#*/}" > /dev/null && continue
    wanted+=("${entry%%/*}")
  done
done
if [ "$listed" -eq 0 ]; then
  echo "$0: nothing in $list is for: $*" >&2
  exit 2
fi
[ "${#wanted[@]}" -eq 0 ] && exit 0

if ! command -v dpkg-query > /dev/null; then
  echo "This is not Debian, so nothing was installed. Needed: ${wanted[*]}" >&2
  exit 0
fi

installed="$(dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2> /dev/null |
             awk '$1 == "installed" { print $2 }' || true)"
missing=()
for package in "${wanted[@]}"; do
  grep -qxF -- "$package" <<< "$installed" || missing+=("$package")
done
[ "${#missing[@]}" -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "Missing packages: ${missing[*]}. Install them as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
