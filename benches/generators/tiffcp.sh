#!/usr/bin/env bash
# Writes COUNT files that mean the same as SEED, by tiffcp with random options: tiffcp.sh SEED FOLDER COUNT.
set -euo pipefail

pick() {
    local choices=("$@")
    echo "${choices[RANDOM % $#]}"
}

for ((k = 0; k < $3; k++)); do
    options="$(pick '' -B -L) $(pick '' -8) -c $(pick none lzw lzw:2 zip zip:2 packbits)"
    options+=" -p $(pick contig separate) -f $(pick msb2lsb lsb2msb)"
    if ((RANDOM % 2)); then
        options+=" -s -r $((1 + RANDOM % 64))"
    else
        options+=" -t -w $((16 * (1 + RANDOM % 8))) -l $((16 * (1 + RANDOM % 8)))"
    fi
    # shellcheck disable=SC2086
    tiffcp $options "$1" "$2/$k.tif"
done
