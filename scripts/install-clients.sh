#!/usr/bin/env bash
# Installs clients that repfuzz has descriptions of, on Debian or its kin: those that are named,
# else all. The packages are those that the descriptions name.
#
#     scripts/install-clients.sh [NAME...]
set -euo pipefail

here=$(dirname "$0")
folder=$here/../corpus/clients
files=()
for name in "$@"; do
    files+=("$folder/$name.toml")
done
[[ $# -gt 0 ]] || files=("$folder"/*.toml)

mapfile -t packages < <(
    sed -n 's/^install = \[\(.*\)\]$/\1/p' "${files[@]}" | tr -d '",' | tr ' ' '\n' | sort -u
)
exec "$here/apt-install.sh" optional "${packages[@]}"
