#!/usr/bin/env bash
# Builds a project as OSS-Fuzz's container does, as far as that is possible without it, and fuzzes with each target.
# Usage: simulate.sh PROJECT [DIR]; DIR is ../../target/oss-fuzz/PROJECT by default. Environment:
#   SECONDS_EACH  time of each target, 60
#   SOURCE        the sources of libtiff or Pillow, which are Debian's or those of PyPI by default
#   LIBRARY       libequivalents_libfuzzer.a, if it was built before
#   RUST_TARGET   a target folder of cargo with earlier builds
# It needs clang with libFuzzer (Debian: clang libclang-rt-14-dev cmake zip; apt with dpkg-dev; libstb-dev for stb), and for
# Pillow a Python that Atheris supports. What differs from the container: clang and libc are this system's, repfuzz is this checkout, and
# Python targets are not packed by PyInstaller.
set -euo pipefail

project=${1:?usage: simulate.sh PROJECT [DIR]}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
[ -f "$here/$project/build.sh" ] || { echo "error: there is no project $project" >&2; exit 2; }
dir=${2:-$root/target/oss-fuzz/$project}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
rm -rf "$dir/src" "$dir/out" "$dir/work" "$dir/bin"
mkdir -p "$dir/src" "$dir/out" "$dir/work" "$dir/bin"
export SRC=$dir/src OUT=$dir/out WORK=$dir/work

if [ -n "${RUST_TARGET:-}" ]; then ln -s "$(realpath "$RUST_TARGET")" "$WORK/rust"; fi

# What the Dockerfile clones and copies.
ln -s "$root" "$SRC/repfuzz"
find "$here/$project" -maxdepth 1 -type f ! -name Dockerfile ! -name project.yaml -exec cp {} "$SRC" \;
debian_source() {
    mkdir -p "$dir/apt/lists/partial"
    local keyring=/usr/share/keyrings/debian-archive-keyring.gpg suite
    suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
    echo "deb-src [signed-by=$keyring] ${DEBIAN_MIRROR:-http://deb.debian.org/debian} $suite main" > "$dir/apt/sources.list"
    local apt=(-o "Dir::Etc::SourceList=$dir/apt/sources.list" -o "Dir::Etc::SourceParts=-" -o "Dir::State::Lists=$dir/apt/lists"
        -o "Dir::Cache=$dir/apt" -o "APT::Sandbox::User=root")
    apt-get "${apt[@]}" update -qq
    (cd "$dir/apt" && rm -rf "$1"-*/ && apt-get "${apt[@]}" source -qq --only-source "$1" > source.log 2>&1)
    cp -r "$dir/apt/$1"-*/ "$2"
}
case $project in
    libtiff) if [ -n "${SOURCE:-}" ]; then cp -r "$SOURCE" "$SRC/libtiff"; else debian_source tiff "$SRC/libtiff"; fi ;;
    stb) ln -s "${SOURCE:-/usr/include/stb}" "$SRC/stb" ;;
    pillow)
        python3 -m venv "$dir/python"
        . "$dir/python/bin/activate"
        python3 -m pip install --quiet --disable-pip-version-check atheris
        if [ -n "${SOURCE:-}" ]; then
            cp -r "$SOURCE" "$SRC/pillow"
        else
            python3 -m pip download --quiet --no-deps --no-binary pillow pillow -d "$WORK/pillow"
            mkdir "$SRC/pillow" && tar xf "$WORK"/pillow/*.tar.gz -C "$SRC/pillow" --strip-components 1
        fi
        # In the container this packs the target and its Python.
        cat > "$dir/bin/compile_python_fuzzer" <<'COMPILE'
#!/usr/bin/env bash
set -euo pipefail
cp "$1" "$OUT"
name=$(basename "$1" .py)
printf '#!/bin/sh\nexec "%s" "$(dirname "$0")/%s.py" "$@"\n' "$(command -v python3)" "$name" > "$OUT/$name"
chmod +x "$OUT/$name"
COMPILE
        chmod +x "$dir/bin/compile_python_fuzzer" ;;
esac
# Instead of the build of the library.
if [ -n "${LIBRARY:-}" ]; then
    printf '#!/bin/sh\nmkdir -p "$CARGO_TARGET_DIR/release" && cp "%s" "$CARGO_TARGET_DIR/release"\n' "$(realpath "$LIBRARY")" > "$dir/bin/cargo"
    chmod +x "$dir/bin/cargo"
fi
export PATH=$dir/bin:$PATH

# The documented environment, for the address sanitizer and libFuzzer. Extensions of Python are loaded by an interpreter that
# is not sanitized, which the container works around by LD_PRELOAD.
export CC=clang CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer SANITIZER=address FUZZING_ENGINE=libfuzzer ARCHITECTURE=x86_64
sanitize="-fsanitize=address -fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link"
[ "$project" = pillow ] && sanitize=-fsanitize=fuzzer-no-link
[ "$project" = pillow ] && export FUZZING_LANGUAGE=python || export FUZZING_LANGUAGE=c++
export CFLAGS="-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION $sanitize"
export CXXFLAGS="$CFLAGS"
# Atheris has libFuzzer in it. With an engine in the environment, Pillow's setup.py asks for libc++, which only the container has.
[ "$project" = pillow ] && unset CFLAGS CXXFLAGS CC CXX LIB_FUZZING_ENGINE
(cd "$SRC" && bash -eu build.sh)

# As the container's run_fuzzer: the seed corpus, the dictionary and the options beside each target.
found=0
for corpus in "$OUT"/*_seed_corpus.zip; do
    target=${corpus%_seed_corpus.zip}
    name=$(basename "$target")
    rm -rf "$WORK/corpus" && mkdir -p "$WORK/corpus" "$WORK/artifacts"
    python3 -m zipfile -e "$corpus" "$WORK/corpus"
    mapfile -t options < <(sed -n 's/^\([a-z_]*\) = \(.*\)$/-\1=\2/p' "$target.options")
    echo "== $name"
    "$target" "$WORK/corpus" "${options[@]}" -dict="$target.dict" -max_total_time="${SECONDS_EACH:-60}" -seed=1 -timeout=25 \
        -artifact_prefix="$WORK/artifacts/$name-" > "$WORK/$name.log" 2>&1 || found=$((found + 1))
    grep -E '^equivalents:|AssertionError|^SUMMARY|^Done|^stat::|^error|Test unit written|DONE ' "$WORK/$name.log" | tail -4 || true
done
echo "$found targets found something; logs and files are in $WORK"
