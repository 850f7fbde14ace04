#!/usr/bin/env bash
# Builds the Debian package of a release in target/debian: the program of portable.sh, its manual pages, completions and
# licenses. libz3 and the sandbox are recommended, since repfuzz works without them.
set -euo pipefail

cd "$(dirname "$0")/.."
program=$(scripts/portable.sh)
version=$("$program" --version | cut -d ' ' -f 2)
architecture=$(dpkg --print-architecture)
name=repfuzz_${version}_$architecture

root=target/debian/$name
rm -rf "$root"
install -D "$program" "$root/usr/bin/repfuzz"
"$program" man -o "$root/usr/share/man/man1"
gzip --no-name --best "$root"/usr/share/man/man1/*
mkdir -p "$root"/usr/share/{bash-completion/completions,fish/vendor_completions.d,zsh/vendor-completions}
"$program" completions bash >"$root/usr/share/bash-completion/completions/repfuzz"
"$program" completions fish >"$root/usr/share/fish/vendor_completions.d/repfuzz.fish"
"$program" completions zsh >"$root/usr/share/zsh/vendor-completions/_repfuzz"
documents=$root/usr/share/doc/repfuzz
install -D -m 644 --target-directory "$documents" README.md LICENSE-APACHE LICENSE-MIT
gzip --no-name --best --stdout CHANGELOG.md >"$documents/changelog.gz"
cat >"$documents/copyright" <<'END'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: repfuzz

Files: *
Copyright: the repfuzz authors
License: MIT or Apache-2.0
 The texts are LICENSE-MIT and LICENSE-APACHE in this folder.
END
mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: repfuzz
Version: $version
Architecture: $architecture
Maintainer: repfuzz
Installed-Size: $(du --summarize --block-size=1024 --apparent-size "$root" | cut -f 1)
Depends: libc6 (>= 2.28)
Recommends: bubblewrap, libz3-4
Section: devel
Priority: optional
Description: finds bugs of programs that read files
 repfuzz makes many files from a valid one that mean exactly the same and are
 stored differently, runs programs on all of them, and reports every
 difference, reduced to its cause. It reads TIFF, sixteen other formats, and
 any format that a short program describes.
END
# Its bytes follow from the files alone.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) dpkg-deb --root-owner-group --build "$root" "target/debian/$name.deb" >&2
rm -r "$root"
echo "target/debian/$name.deb"
