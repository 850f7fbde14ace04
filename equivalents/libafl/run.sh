#!/usr/bin/env bash
# Fuzzes the example's decoder by LibAFL. Arguments are those of examples/decoder.rs. It ends with 1 when it has found the fault.
set -euo pipefail
cd "$(dirname "$0")"

export RUSTC_WRAPPER=$PWD/instrument.sh
cargo build --quiet --release --locked --example decoder
exec "${CARGO_TARGET_DIR:-target}/release/examples/decoder" "$@"
