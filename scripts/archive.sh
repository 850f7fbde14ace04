#!/usr/bin/env bash
# Builds the archive of a release in target/archives, by the name that `cargo binstall` expects: the program of portable.sh,
# its manual pages, completions, README and licenses.
set -euo pipefail

cd "$(dirname "$0")/.."
program=$(scripts/portable.sh)
version=$("$program" --version | cut -d ' ' -f 2)
target=$(rustc -vV | sed -n 's/^host: //p')
archive=$(sed -n 's|^pkg-url = ".*/\(.*\)"$|\1|p' runners/Cargo.toml |
    sed "s/{ name }/repfuzz/; s/{ target }/$target/; s/{ version }/$version/")
name=${archive%.tar.gz}

folder=target/archives/$name
rm -rf "$folder"
mkdir -p "$folder/completions"
cp "$program" README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$folder"
"$program" man -o "$folder/man"
for shell in bash fish zsh; do
    "$program" completions "$shell" >"$folder/completions/repfuzz.$shell"
done
# Its bytes follow from the files alone.
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" \
    --directory target/archives "$name" | gzip --no-name --best >"target/archives/$archive"
rm -r "$folder"
echo "target/archives/$archive"
