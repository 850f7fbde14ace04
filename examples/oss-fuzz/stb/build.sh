#!/bin/bash -eu
# Runs in OSS-Fuzz's container, or in that which ../simulate.sh has in its place.

# The library of the mutator is not what is fuzzed: it is built without sanitizers and without coverage.
env -u CC -u CXX -u CFLAGS -u CXXFLAGS -u RUSTFLAGS CARGO_TARGET_DIR="$WORK/rust" \
    cargo build --release --locked --manifest-path "$SRC/repfuzz/Cargo.toml" -p repfuzz-equivalents-libfuzzer

for format in bmp gif png pnm tga; do
    target=$OUT/stb_${format}_equivalents_fuzzer
    $CXX $CXXFLAGS -std=c++17 -DFORMAT="\"$format\"" -I"$SRC/stb" -I"$SRC/repfuzz/equivalents/libfuzzer/include" \
        "$SRC/stb_equivalents_fuzzer.cc" -o "$target" $LIB_FUZZING_ENGINE \
        "$WORK/rust/release/libequivalents_libfuzzer.a" -lpthread -ldl -lm

    # The seeds are what results are compared with, and the corpus to start from.
    mkdir -p "${target}_seeds"
    find "$SRC/repfuzz/corpus/$format" -maxdepth 1 -type f ! -name '*.sh' -exec cp {} "${target}_seeds" \;
    zip -q -j "${target}_seed_corpus.zip" "${target}_seeds"/*
    cp "$SRC/stb.dict" "$target.dict"
    # Files that mean the same may be much larger than the seed.
    printf '[libfuzzer]\nmax_len = 65536\n' > "$target.options"
done
