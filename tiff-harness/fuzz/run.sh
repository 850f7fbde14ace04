#!/usr/bin/env bash
# Fuzzes the reader for FUZZ_SECONDS (600). What is found is in tiff-harness/fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")"

command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked

seconds=${FUZZ_SECONDS:-600}
# The small files of the project's corpus are the seeds.
mkdir -p corpus/open
find ../../corpus -name '*.tif' -size -4 | while read -r file; do
    cp "$file" "corpus/open/$(basename "$(dirname "$file")")-$(basename "$file")"
done

cargo +nightly fuzz run --target x86_64-unknown-linux-gnu open -- \
    -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 -jobs=1 -workers=1
