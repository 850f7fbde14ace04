#!/bin/bash -eu
# Runs in OSS-Fuzz's container, or in that which ../simulate.sh has in its place.

# The package of the mutator is not what is fuzzed: it is built without sanitizers and without coverage.
env -u CC -u CXX -u CFLAGS -u CXXFLAGS -u RUSTFLAGS CARGO_TARGET_DIR="$WORK/rust" \
    python3 -m pip install "$SRC/repfuzz/equivalents/python"
python3 -m pip install "$SRC/pillow"

# The seeds are what results are compared with, and the corpus to start from.
mkdir -p "$OUT/fuzz_equivalents_seeds"
cp "$SRC/repfuzz/corpus/seeds/"*.tif "$OUT/fuzz_equivalents_seeds"
zip -q -j "$OUT/fuzz_equivalents_seed_corpus.zip" "$SRC/repfuzz/corpus/seeds/"*.tif
cp "$SRC/tiff.dict" "$OUT/fuzz_equivalents.dict"
# Files that mean the same may be much larger than the seed.
printf '[libfuzzer]\nmax_len = 65536\n' > "$OUT/fuzz_equivalents.options"

compile_python_fuzzer "$SRC/fuzz_equivalents.py" --add-data "$OUT/fuzz_equivalents_seeds:fuzz_equivalents_seeds"
