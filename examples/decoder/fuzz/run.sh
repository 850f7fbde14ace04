#!/usr/bin/env bash
# Fuzzes the decoder for at most FUZZ_SECONDS (60), from the seed alone. Arguments are further options of
# libFuzzer. It ends with an error when it has found the fault; the file is in artifacts/.
set -euo pipefail
cd "$(dirname "$0")"

command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked

corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
cp ../seeds/seed.spr "$corpus"
export RUSTC_WRAPPER=$PWD/instrument.sh
# No code here is unsafe: without a sanitizer it builds and runs faster.
cargo +nightly fuzz run --fuzz-dir . --sanitizer none stored_otherwise "$corpus" -- \
    -max_total_time="${FUZZ_SECONDS:-60}" -max_len=65536 -seed=1 "$@"
