#!/usr/bin/env bash
# Builds the wheel of the Python package `repfuzz`, which brings the module and the program, in target/wheels. It is for
# glibc 2.28 and later, as what portable.sh builds.
set -euo pipefail

cd "$(dirname "$0")/.."
program=$(scripts/portable.sh)

# maturin installs the files of this folder as commands. It is there for this wheel only, since the program in it would
# be in every later one.
data=equivalents/python/repfuzz._native.data
trap 'rm -rf "$data"' EXIT
rm -rf "$data"
mkdir -p "$data/scripts"
ln -s "$program" "$data/scripts/repfuzz"
scripts/portable.sh maturin build --release --locked --compatibility manylinux_2_28 --auditwheel check \
    --manifest-path equivalents/python/Cargo.toml --out target/wheels
