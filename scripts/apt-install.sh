#!/usr/bin/env bash
# Installs Debian packages, as root or with sudo. Those that are there are skipped quietly.
#
#     scripts/apt-install.sh PACKAGE...
set -euo pipefail

missing=()
for package in "$@"; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed ]] || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

gives_up() {
    echo "$1: ${missing[*]}" >&2
    exit 2
}

command -v apt-get >/dev/null || gives_up "no apt-get here; install what these Debian packages hold"
root=()
if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || gives_up "neither root nor sudo; install these packages first"
    # Without a terminal nobody can type a password.
    if [[ ! -t 0 ]] && ! sudo --non-interactive true 2>/dev/null; then
        gives_up "not root, and sudo wants a password; install these packages first"
    fi
    root=(sudo)
fi

echo "Installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --quiet "$@" >"$log" 2>&1
}

# Old lists may name files that are gone.
apt update || echo "apt-get update failed: $(tail -n 1 "$log")" >&2
if ! apt install --yes --no-install-recommends "${missing[@]}"; then
    tail -n 5 "$log" >&2
    gives_up "apt-get could not install"
fi
