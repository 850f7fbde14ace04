#!/usr/bin/env bash
# Fuzzes each target for FUZZ_SECONDS (600). What is found is in inverter/fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")"

command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked

seconds=${FUZZ_SECONDS:-600}
# The specs of the tests, good and bad, are the front end's seeds.
mkdir -p corpus/front_end corpus/invert
for spec in ../tests/programs/*.rs ../tests/refused/*.rs; do
    cp "$spec" "corpus/front_end/$(basename "$(dirname "$spec")")-$(basename "$spec")"
done

for target in ${FUZZ_TARGETS:-front_end invert}; do
    cargo +nightly fuzz run --target x86_64-unknown-linux-gnu "$target" -- \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 -jobs=1 -workers=1
done
