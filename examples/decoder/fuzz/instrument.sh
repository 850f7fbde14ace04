#!/usr/bin/env bash
# Cargo's RUSTC_WRAPPER: leaves the flags that cargo-fuzz gives for all crates to the decoder and the target alone. Otherwise
# coverage guides the search by the code that makes the files, whose counters are thousands of times as many. Cargo does
# not notice a change of wrappers: delete `target` after one.
rustc=$1
shift
if [[ " $* " != *" --crate-name example_decoder "* && " $* " != *" --crate-name stored_otherwise "* ]]; then
    kept=()
    for argument in "$@"; do
        case $argument in
            -Cpasses=sancov-module | -Cllvm-args=-sanitizer-coverage-* | -Cllvm-args=-simplifycfg-branch-fold-threshold=*) ;;
            -Ccodegen-units=1 | -Cdebug-assertions | -Coverflow-checks) ;;
            *) kept+=("$argument") ;;
        esac
    done
    set -- "${kept[@]}"
fi
exec "$rustc" "$@"
