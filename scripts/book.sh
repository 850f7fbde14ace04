#!/usr/bin/env bash
# Builds the pages of docs as a book in target/book, and installs mdBook into target/tools if there is none.
set -euo pipefail
cd "$(dirname "$0")/.."
version=0.5.4

PATH=$PATH:$PWD/target/tools/bin
if ! command -v mdbook >/dev/null; then
    echo "Installing mdbook $version into target/tools"
    # Without optimization it is built in a third of the time; the book is small.
    cargo install mdbook --version "$version" --locked --debug --quiet \
        --no-default-features --features search --root target/tools
fi
mdbook build
