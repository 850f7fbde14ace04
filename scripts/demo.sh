#!/usr/bin/env bash
# The demo: clients on equivalents of the project's own seeds, and a report to open.
#
#     scripts/demo.sh [CLIENTS]
#
# CLIENTS is a list with commas; `fast` (as if left out) stands for those of corpus/clients/fast
# and the linked-in ones, `all` for every one that works here. VARIANTS and REPORT, in the
# environment, say how many equivalents are made of each seed and where the report goes.
set -euo pipefail

cd "$(dirname "$0")/.."
repfuzz=${CARGO_TARGET_DIR:-target}/release/repfuzz
report=${REPORT:-report}
case ${1:-fast} in
    all) names=() ;;
    fast) mapfile -t names < <(cat corpus/clients/fast; echo rust-image; echo rust-tiff) ;;
    *) IFS=, read -r -a names <<<"$1" ;;
esac

# Exit code 1: some of the named are not ready. Those that are will do.
known=$("$repfuzz" clients --json "${names[@]}") || [[ $? -eq 1 ]]
ready=$(sed -n 's/^{"name":"\([^"]*\)","state":"ready".*/\1/p' <<<"$known" | paste -sd,)
if [[ -z $ready ]]; then
    echo "error: none of these clients works here; repfuzz clients says why" >&2
    exit 2
fi

echo "Clients: ${ready//,/ }" | fold -s -w 80
echo
code=0
"$repfuzz" fuzz corpus/seeds/rgb.tif corpus/seeds/gray.tif \
    --clients "$ready" -n "${VARIANTS:-60}" --report "$report" || code=$?

# Finding something is what a fuzzer is for.
[[ $code -le 1 ]] || exit "$code"
echo
echo "Open this in a browser: $(cd "$report" && pwd)/index.html"
