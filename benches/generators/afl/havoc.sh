#!/usr/bin/env bash
# Writes files that AFL++'s havoc makes of SEED: havoc.sh SEED FOLDER MOST. It prints a line: processor seconds to start, files,
# processor seconds for these.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/seeds"
cp "$1" "$work/seeds/seed"
AFL_QUIET=1 afl-clang-fast -O2 -o "$work/target" "$here/target.c"

export AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_NO_UI=1 AFL_DISABLE_TRIM=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
TIMEFORMAT='%U %S'
# Runs it until there are MOST files in FOLDER: fuzz FOLDER MOST. It prints seconds of AFL++ and of the target, which AFL++ does
# not wait for.
fuzz() {
    {
        time afl-fuzz -i "$work/seeds" -o "$work/out" -t 1000 -E "$(($2 + 200))" -- \
            "$work/target" "$1" "$2" "$work/seconds" >"$work/log" 2>&1
    } 2>&1 || {
        tail -n 5 "$work/log" >&2
        exit 1
    }
    cat "$work/seconds"
}

mkdir "$work/start"
read -r -d '' -a start < <(fuzz "$work/start" 1 && printf '\0')
rm -r "$work/out"
read -r -d '' -a all < <(fuzz "$2" "$3" && printf '\0')
# It first runs the seed itself, several times.
count=$3
for file in "$2"/*; do
    cmp --silent "$file" "$1" || break
    rm "$file"
    count=$((count - 1))
done
awk -v count="$count" -v all="${all[*]}" -v start="${start[*]}" 'BEGIN {
    split(all, a, " "); split(start, s, " ")
    before = s[1] + s[2] + s[3]
    printf "%.3f %d %.3f\n", before, count, a[1] + a[2] + a[3] - before
}'
