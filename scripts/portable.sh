#!/usr/bin/env bash
# Builds the program for other machines, with this machine's processor and glibc 2.28 or later, and prints its path. With
# arguments, it runs these as a command with the same settings instead.
#
# zig, which PyPI has, is the compiler for C and the linker: it has the symbols of each glibc. No target is given to cargo,
# so that what build scripts and the program share is built once. What is built is in target/portable.
set -euo pipefail

cd "$(dirname "$0")/.."
glibc=2.28
host=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR=$PWD/target/portable

tools=$CARGO_TARGET_DIR/tools
{
    [[ -x $tools/bin/pip ]] || python3 -m venv "$tools"
    . "$tools/bin/activate"
    pip install --quiet --disable-pip-version-check 'cargo-zigbuild>=0.20,<1' 'maturin>=1.9,<2' 'ziglang>=0.13'
} >&2
# cargo-zigbuild leaves out what zig does not understand.
printf '#!/bin/sh\nexec cargo-zigbuild zig cc -- -fno-sanitize=all -target %s-linux-gnu.%s "$@"\n' "${host%%-*}" $glibc >"$tools/bin/zigcc"
chmod +x "$tools/bin/zigcc"
export CC=$tools/bin/zigcc
linker=${host^^}
export "CARGO_TARGET_${linker//-/_}_LINKER=$CC"

if [[ $# -gt 0 ]]; then
    exec "$@"
fi
cargo build --release --locked --package repfuzz >&2
program=$CARGO_TARGET_DIR/release/repfuzz

newest=$(readelf --version-info --wide "$program" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
if [[ $(printf '%s\n' "GLIBC_$glibc" "$newest" | sort -V | tail -n 1) != "GLIBC_$glibc" ]]; then
    echo "error: $program needs $newest instead of GLIBC_$glibc" >&2
    exit 2
fi
echo "$program"
