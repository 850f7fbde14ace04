#!/usr/bin/env bash
# The generators that `make bench` measures repfuzz next to, in target. The report names each that is missing, and the rest is
# measured.
set -uo pipefail
cd "$(dirname "$0")/.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/generators
generators=$PWD/benches/generators
mkdir -p "$target"

missing() {
    echo "note: $1 is not measured: $2" >&2
}

# Those of Python, in an environment of its own; installed.txt has the ones that are there.
wanted=$generators/requirements.txt
if ! cmp -s "$wanted" "$target/installed.txt"; then
    rm -f "$target/installed.txt"
    python3 -m venv "$target/venv" || missing "each generator of Python" "python3 -m venv failed"
    while read -r package; do
        if "$target/venv/bin/pip" install --quiet --disable-pip-version-check "$package"; then
            echo "$package" >>"$target/installed.txt"
        else
            missing "${package%==*}" "pip could not install it"
        fi
    done <"$wanted"
fi

# Those of Rust, which are no members of the workspace.
for name in fandango-rs libafl; do
    rm -f "$target/$name"
    if cargo build --quiet --release --locked --manifest-path "$generators/$name/Cargo.toml" --target-dir "$target/$name-build"; then
        cp "$target/$name-build/release/benches-$name" "$target/$name"
    else
        missing "$name" "it could not be built"
    fi
done

command -v afl-fuzz afl-clang-fast >/dev/null || missing AFL++ "afl-fuzz and afl-clang-fast are not installed"

# FormatFuzzer with its own template: a clone in FORMATFUZZER, or else of the commit below.
commit=c7d84a5
source=$(realpath -m "${FORMATFUZZER:-$target/formatfuzzer-source}")
formatfuzzer() {
    [[ -d $source ]] || git clone --quiet https://github.com/uds-se/FormatFuzzer "$source" || return 1
    [[ -n ${FORMATFUZZER:-} ]] || git -C "$source" checkout --quiet "$commit" || return 1
    "$target/venv/bin/pip" install --quiet --disable-pip-version-check py010parser six intervaltree || return 1
    # Its parser writes tables into the current folder.
    (cd "$target" && venv/bin/python "$source/ffcompile" "$source/templates/bmp.bt" formatfuzzer-bmp.cpp >/dev/null) || return 1
    # As its build.sh has it.
    g++ -I "$source" -std=c++17 -O3 -w "$target/formatfuzzer-bmp.cpp" "$source/fuzzer.cpp" -o "$target/formatfuzzer" -lz
}
[[ -x $target/formatfuzzer ]] || formatfuzzer ||
    missing FormatFuzzer "it could not be fetched or built, which needs git, g++ and the headers of zlib and Boost"
