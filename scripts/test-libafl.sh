#!/usr/bin/env bash
# Tests the package for LibAFL, which is no member of the workspace: it needs a newer compiler. On an older one, or without the
# network that its packages come from, this is said, and nothing runs. A lock file that is not up to date is an error.
set -euo pipefail

cd "$(dirname "$0")/../equivalents/libafl"
skip() {
    echo "SKIPPED: the tests of the package for LibAFL: $1"
    exit 0
}

needs=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
has=$(rustc --version | cut -d ' ' -f 2)
[[ $(printf '%s\n' "$needs" "${has%%-*}" | sort -V | head -n 1) == "$needs" ]] || skip "rustc is $has, and libafl needs $needs"
if ! said=$(cargo fetch --quiet --locked 2>&1); then
    if grep -qE 'failed to download|failed to fetch|spurious network error' <<< "$said"; then
        skip "its packages could not be fetched"
    fi
    # Of a stale lock file as well, which `cargo xtask locks` names.
    echo "$said" >&2
    exit 1
fi

# As run.sh has it, so that nothing is built twice.
export RUSTC_WRAPPER=$PWD/instrument.sh
cargo fmt --check
cargo clippy --quiet --release --all-targets --locked -- --deny warnings
cargo test --quiet --release --locked
# The fuzzer ends with 1 when it has found the fault.
said=$(./run.sh 1 10000) && status=0 || status=$?
echo "$said"
[[ $status -eq 1 && $said == *"the fault is found at file "* && $said == *'it differs in {'*'"pixels gap":'* ]] || {
    echo "error: the fuzzer did not find the fault" >&2
    exit 1
}
