#!/usr/bin/env bash
# Installs what a build and the tests need: Rust, and on Debian or a derivative compilers for C and C++, whose library
# z3-sys is linked with, and Z3, which is loaded when the program needs it.
set -euo pipefail

if ! command -v cargo >/dev/null; then
    echo "error: there is no Rust here: see https://rustup.rs, then run this again" >&2
    exit 2
fi
# Without apt-get a build may well succeed: only a missing compiler would stop it.
if ! command -v apt-get >/dev/null && command -v c++ >/dev/null; then
    exit 0
fi
exec "$(dirname "$0")/apt-install.sh" g++ libz3-4
