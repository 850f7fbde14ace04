#!/usr/bin/env bash
# Measures what guidance by edges gains: the edges that only variants reach, and the causes, in runs of the same number of
# variants with `--order guided` and `--order edges`. Usage: scripts/measure-edges.sh DIR LIBTIFF VARIANTS [RUN_SEEDS]
# LIBTIFF is a source tree of libtiff (scripts/fetch_c_sources.sh fetches one), RUN_SEEDS 5 by default; SEEDS has other seeds
# than those below, as FORMAT/FILE in corpus. The results are in DIR/VARIANTS; runs that are there already are not repeated.
# Needs what examples/edges/build.sh needs.
set -euo pipefail

cd "$(dirname "$0")/.."
mkdir -p "$1"
dir=$(cd "$1" && pwd) libtiff=$2 variants=$3 run_seeds=${4:-5}
repfuzz=${REPFUZZ:-${CARGO_TARGET_DIR:-target}/release/repfuzz}
seeds="seeds/gray.tif seeds/rgb.tif bmp/pil8.bmp bmp/im32.bmp png/pil8p.png png/gm24.png gif/im4.gif tga/np8r.tga pnm/gm6.ppm"
seeds=${SEEDS:-$seeds}

[ -e "$dir/workers/tiff-edges.toml" ] || examples/edges/build.sh "$dir/workers" "$libtiff"
for seed in $seeds; do
    format=$(dirname "$seed")
    client=stb-edges
    spec=(--spec "normalizers/specs/$format/$format.rs")
    if [ "$format" = seeds ]; then client=tiff-edges spec=(); fi
    for run_seed in $(seq "$run_seeds"); do
        for order in guided edges; do
            report=$dir/$variants/$(basename "$seed")/$order-$run_seed
            grep -qs '"record":"end"' "$report/results.jsonl" && continue
            rm -rf "$report"
            mkdir -p "$report"
            # 1 is a run that found something.
            "$repfuzz" fuzz "corpus/$seed" "${spec[@]}" --describe "$dir/workers/$client.toml" --clients "$client" \
                -n "$variants" --seed "$run_seed" --order "$order" --report "$report" > "$report.log" 2>&1 || [ $? = 1 ]
        done
    done
done
python3 scripts/measure_edges.py "$dir/$variants"
