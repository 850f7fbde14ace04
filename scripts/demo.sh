#!/usr/bin/env bash
# The demo: builds repfuzz, installs clients, fuzzes two seed files, and names the report to open.
#
#     scripts/demo.sh [CLIENTS]
#
# CLIENTS is a list with commas, `fast` (the default: corpus/clients/fast and the linked-in clients)
# or `all` (every client that works here). In the environment, VARIANTS is the number of equivalent
# files of each seed, and REPORT the directory of the report.
set -euo pipefail

cd "$(dirname "$0")/.."
repfuzz=${CARGO_TARGET_DIR:-target}/release/repfuzz
report=${REPORT:-report}
clients=${1:-fast}

# Announces a step, with the time since the start.
step() {
    printf '[%d/4] %2d:%02d  %s\n' "$1" $((SECONDS / 60)) $((SECONDS % 60)) "$2"
}

step 1 "Installing what a build needs"
scripts/setup.sh

# On a terminal cargo shows which package it builds, and how many are left.
step 2 "Building repfuzz (some minutes the first time)"
cargo build --release --locked --package repfuzz

# Some clients may not be packaged for this distribution: those that work will do.
step 3 "Installing clients: $clients"
"$repfuzz" clients --no-probe --install "$clients" >/dev/null || true
case $clients in
    all) names=() ;;
    fast) mapfile -t names < <(cat corpus/clients/fast; echo rust-image; echo rust-tiff) ;;
    *) IFS=, read -r -a names <<<"$clients" ;;
esac
# Exit status 1: some of them are not ready.
known=$("$repfuzz" clients --json "${names[@]}") || [[ $? -eq 1 ]]
ready=$(sed -n 's/^{"name":"\([^"]*\)","state":"ready".*/\1/p' <<<"$known" | paste -sd,)
if [[ -z $ready ]]; then
    echo "error: none of these clients works here; repfuzz clients says why" >&2
    exit 2
fi

step 4 "Fuzzing $(tr , '\n' <<<"$ready" | wc -l) clients with equivalents of two seed files"
echo "${ready//,/ }" | fold -s -w 80
echo
code=0
"$repfuzz" fuzz corpus/seeds/rgb.tif corpus/seeds/gray.tif \
    --clients "$ready" -n "${VARIANTS:-60}" --report "$report" || code=$?

# Exit status 1: something was found, as expected.
[[ $code -le 1 ]] || exit "$code"
printf '\nDone in %d:%02d minutes. Open this in a browser: %s/index.html\n' \
    $((SECONDS / 60)) $((SECONDS % 60)) "$(cd "$report" && pwd)"
