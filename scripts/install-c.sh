#!/usr/bin/env bash
# Installs the library for C and C++: librepfuzz, shared and static, its headers, and files for pkg-config and CMake.
#
#     scripts/install-c.sh PREFIX [FOLDER]
#
# FOLDER has a librepfuzz_c that cargo has built; without it, this builds one. LIBDIR is the folder of libraries, PREFIX/lib
# unless it is set; DESTDIR is put before both.
set -euo pipefail

fails() {
    echo "error: $1" >&2
    exit 2
}

[[ $# -ge 1 && -n $1 ]] || fails "usage: install-c.sh PREFIX [FOLDER]"
[[ $(uname -s) == Linux ]] || fails "it installs on Linux only; elsewhere, cargo build --release -p repfuzz-c builds the library"
prefix=$(realpath -m -- "$1")
libdir=$(realpath -m -- "${LIBDIR:-$prefix/lib}")
built=${2:-}
[[ -z $built ]] || built=$(realpath -- "$built")
cd "$(dirname "$0")/.."
for tool in ld objcopy ar nm; do
    command -v "$tool" >/dev/null || fails "$tool is not installed: on Debian, apt-get install binutils"
done

if [[ -z $built ]]; then
    cargo build --release --locked --package repfuzz-c
    built=${CARGO_TARGET_DIR:-target}/release
fi
source=equivalents/c
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
minor=${version%.*}
soname=librepfuzz.so.$minor
to=${DESTDIR:-}$libdir
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# As rustc has them: -lgcc_s -lutil …
system=$(rustc --crate-type staticlib --print native-static-libs -o "$scratch/empty.a" - </dev/null 2>&1 |
    sed -n 's/^note: native-static-libs: //p')
[[ -n $system ]] || fails "rustc does not say which libraries a static one needs"

fill() {
    sed -e "s|@VERSION@|$version|g" -e "s|@MINOR@|$minor|g" -e "s|@SONAME@|$soname|g" \
        -e "s|@UP@|$(realpath -m --relative-to="$1" "$prefix")|g" -e "s|@POINTER@|$(($(getconf LONG_BIT) / 8))|g" \
        -e "s|@SYSTEM_LIBRARIES@|$2|g" "$3" >"$scratch/filled"
    install -D -m 644 "$scratch/filled" "${DESTDIR:-}$4"
}

# One object, in which only the functions of the header are global: others, of Rust, Zstandard and xz, could clash with
# those that a program has already. It has what these functions reach and no more. Bitcode of LLVM is for linkers that
# optimize all of a program, and is none when joined.
roots=$(nm --dynamic --defined-only "$built/librepfuzz_c.so" | sed -n 's/.* T \(repfuzz_[a-z0-9_]*\)$/-u \1/p')
[[ -n $roots ]] || fails "$built/librepfuzz_c.so has no functions"
# shellcheck disable=SC2086 # Words, each a name.
ld -r --gc-sections $roots --whole-archive "$built/librepfuzz_c.a" -o "$scratch/repfuzz.o"
objcopy --wildcard --keep-global-symbol='repfuzz_*' --strip-debug --remove-section='.llvm*' "$scratch/repfuzz.o"
ar rcs "$scratch/librepfuzz.a" "$scratch/repfuzz.o"

install -D -m 644 "$scratch/librepfuzz.a" "$to/librepfuzz.a"
install -D -m 755 "$built/librepfuzz_c.so" "$to/librepfuzz.so.$version"
ln -sf "librepfuzz.so.$version" "$to/$soname"
ln -sf "$soname" "$to/librepfuzz.so"
install -D -m 644 -t "${DESTDIR:-}$prefix/include" "$source"/include/repfuzz.h "$source"/include/repfuzz.hpp
fill "$libdir/pkgconfig" "$system" "$source/repfuzz.pc.in" "$libdir/pkgconfig/repfuzz.pc"
for file in repfuzz-config repfuzz-config-version; do
    fill "$libdir" "$(sed -e 's/-l//g' -e 's/ /;/g' <<<"$system")" "$source/cmake/$file.cmake.in" \
        "$libdir/cmake/repfuzz/$file.cmake"
done
echo "librepfuzz $version is in $prefix"
