#!/usr/bin/env bash
# Installs the build dependencies: Rust, and on Debian or a derivative a C linker and Z3.
set -euo pipefail

if ! command -v cargo >/dev/null; then
    echo "error: there is no Rust here: see https://rustup.rs, then run this again" >&2
    exit 2
fi
# Without apt-get a build may well succeed: only a missing Z3 would stop it.
if ! command -v apt-get >/dev/null && pkg-config --exists z3 2>/dev/null; then
    exit 0
fi
exec "$(dirname "$0")/apt-install.sh" gcc libc6-dev libz3-dev pkg-config
