#!/usr/bin/env bash
# Makes the seed files of corpus/producers again with the programs that are installed here, and the
# table of its README.
#
#     corpus/make-seeds.sh [PRODUCER...]
#
# A producer is a script in corpus/producers/make. What a program does not write, or one that is not
# installed, is said and left out; the committed files of producers that are not named, or write
# nothing at all, stay.
set -euo pipefail

# Programs and Python modules of the distribution come first.
export PATH=/usr/bin:$PATH LC_ALL=C
producers=$(cd "$(dirname "$0")/producers" && pwd)
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
python3 "$producers/make/draw.py" "$work/in"
cp "$producers"/make/{page.fodg,WriteImageIO.java} "$work"

# version COMMAND: its first line is what the table says of the producer.
version() {
    echo "$(eval "$1" 2>&1 | sed -n '/[0-9]/{p;q}')" >"notes/$producer/version"
}

# make NAME COMMAND: COMMAND reads pictures from in/ and writes out.tif.
make() {
    rm -f out.tif a.tif
    if eval "$2" >log 2>&1 && [[ -s out.tif ]]; then
        mv out.tif "made/$producer/$1.tif"
        printf '%s\t%s\n' "$1.tif" "$2" >>"notes/$producer/commands"
    else
        echo "$producer/$1.tif left out: $(grep . log | tail -n 1)" >&2
    fi
}

cd "$work"
[[ $# -gt 0 ]] || set -- $(basename --suffix=.sh --multiple "$producers"/make/*.sh)
for producer; do
    mkdir -p "made/$producer" "notes/$producer"
    # shellcheck source=/dev/null
    source "$producers/make/$producer.sh"
    if [[ ! -e notes/$producer/commands ]]; then
        rm -rf "notes/$producer"
        continue
    fi
    rm -rf "${producers:?}/$producer"
    mv "made/$producer" "$producers/$producer"
done
mkdir -p notes
python3 "$producers/make/table.py" "$producers" notes
