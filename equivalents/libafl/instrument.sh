#!/usr/bin/env bash
# Cargo's RUSTC_WRAPPER: has the compiler count the edges of the example's decoder, and of nothing else.
rustc=$1
shift
if [[ " $* " == *" --crate-name example_decoder "* ]]; then
    set -- "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
fi
exec "$rustc" "$@"
