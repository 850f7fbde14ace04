#!/bin/bash -eu
# Runs in OSS-Fuzz's container, or in that which ../simulate.sh has in its place.

# The library of the mutator is not what is fuzzed: it is built without sanitizers and without coverage.
env -u CC -u CXX -u CFLAGS -u CXXFLAGS -u RUSTFLAGS CARGO_TARGET_DIR="$WORK/rust" \
    cargo build --release --locked --manifest-path "$SRC/repfuzz/Cargo.toml" -p repfuzz-equivalents-libfuzzer

cmake -S "$SRC/libtiff" -B "$WORK/libtiff" -DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS=OFF \
    -Djbig=OFF -Djpeg=OFF -Dlerc=OFF -Dlibdeflate=OFF -Dlzma=OFF -Dwebp=OFF -Dzstd=OFF \
    -Dtiff-tools=OFF -Dtiff-tests=OFF -Dtiff-contrib=OFF -Dtiff-docs=OFF
cmake --build "$WORK/libtiff" --target tiff -j "$(nproc)"

$CXX $CXXFLAGS -std=c++17 -I"$SRC/libtiff/libtiff" -I"$WORK/libtiff/libtiff" \
    -I"$SRC/repfuzz/equivalents/libfuzzer/include" "$SRC/libtiff_equivalents_fuzzer.cc" \
    -o "$OUT/libtiff_equivalents_fuzzer" $LIB_FUZZING_ENGINE "$WORK/libtiff/libtiff/libtiff.a" \
    "$WORK/rust/release/libequivalents_libfuzzer.a" -Wl,-Bstatic -lz -Wl,-Bdynamic -lpthread -ldl -lm

# The seeds are what results are compared with, and the corpus to start from.
mkdir -p "$OUT/libtiff_equivalents_fuzzer_seeds"
cp "$SRC/repfuzz/corpus/seeds/"*.tif "$OUT/libtiff_equivalents_fuzzer_seeds"
zip -q -j "$OUT/libtiff_equivalents_fuzzer_seed_corpus.zip" "$SRC/repfuzz/corpus/seeds/"*.tif
cp "$SRC/tiff.dict" "$OUT/libtiff_equivalents_fuzzer.dict"
# Files that mean the same may be much larger than the seed.
printf '[libfuzzer]\nmax_len = 65536\n' > "$OUT/libtiff_equivalents_fuzzer.options"
