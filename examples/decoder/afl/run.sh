#!/usr/bin/env bash
# Fuzzes target.c with AFL++ for at most FUZZ_SECONDS (60) or until the fault is found, from the seed alone.
# The argument is a new folder for all results. Finding nothing is an error.
set -euo pipefail
out=$(realpath -m "${1:?usage: run.sh FOLDER}")
cd "$(dirname "$0")"

for tool in afl-fuzz afl-cc; do
    command -v "$tool" >/dev/null || { echo "error: $tool is not installed: apt-get install afl++" >&2; exit 2; }
done
library=${EQUIVALENTS_LIBRARY:-}
if [ -z "$library" ]; then
    cargo build --release --package repfuzz-equivalents-afl
    library=$(realpath ../../../target/release/libequivalents_afl.so)
fi
mkdir -p "$out/seeds"
cp ../seeds/seed.spr "$out/seeds"
afl-cc -O1 -o "$out/target" target.c 2>"$out/compiled.txt" || { cat "$out/compiled.txt" >&2; exit 2; }

export AFL_CUSTOM_MUTATOR_LIBRARY=$library
# Only equivalent files: other mutations have another meaning.
export AFL_CUSTOM_MUTATOR_ONLY=1
export EQUIVALENTS_SPEC=$PWD/../spec/sprite.rs EQUIVALENTS_SEED=$out/seeds/seed.spr
export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
export AFL_BENCH_UNTIL_CRASH=1
afl-fuzz -s 1 -V "${FUZZ_SECONDS:-60}" -i "$out/seeds" -o "$out/found" -- \
    "$out/target" "$out/seeds/seed.spr" @@ >"$out/afl.txt" 2>&1 || { tail -n 20 "$out/afl.txt" >&2; exit 2; }
grep -E '^(execs_done|execs_per_sec|run_time|saved_crashes)' "$out/found/default/fuzzer_stats"
ls "$out"/found/default/crashes/id* 2>/dev/null || { echo "nothing was found" >&2; exit 1; }
