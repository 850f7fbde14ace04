#!/usr/bin/env bash
# Builds the program for other machines: for glibc 2.28 and later, on this machine's processor. Prints its path.
#
# zig, which PyPI has, is the compiler for C and the linker: it has the symbols of each glibc. What it builds is in
# target/portable, apart from the program of `make build`.
set -euo pipefail

cd "$(dirname "$0")/.."
glibc=2.28
target=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR=$PWD/target/portable

environment=target/portable-tools
{
    python3 -m venv "$environment"
    . "$environment/bin/activate"
    pip install --quiet --disable-pip-version-check 'cargo-zigbuild>=0.20,<1' 'ziglang>=0.13'
    cargo-zigbuild zigbuild --release --locked --package repfuzz --target "$target.$glibc"
} >&2
program=$CARGO_TARGET_DIR/$target/release/repfuzz

newest=$(readelf --version-info --wide "$program" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
if [[ $(printf '%s\n' "GLIBC_$glibc" "$newest" | sort -V | tail -n 1) != "GLIBC_$glibc" ]]; then
    echo "error: $program needs $newest instead of GLIBC_$glibc" >&2
    exit 2
fi
echo "$program"
