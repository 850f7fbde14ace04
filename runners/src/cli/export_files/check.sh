#!/bin/sh
# Runs a decoder on every file of this set, and lists the files for which its output differs from
# that for the seed, byte for byte:
#
#     ./check.sh DECODER [WORD]...
#
# In the words, {in} is the file to read and {out} the file to write; without {out}, the decoder's
# standard output is used. REFERENCE=reference.pam compares with that file instead.
# The exit status is 0 if all outputs are equal, 1 if not, 2 if the decoder fails on the seed.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 2
[ $# -gt 0 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
(cd "$here" && sha256sum --quiet -c SHA256SUMS) || exit 2
made=$(mktemp -d) || exit 2
trap 'rm -rf "$made"' EXIT

# decode FILE OUT DECODER [WORD]...
decode() {
    in=$1 out=$2 printed=yes
    shift 2
    for word; do
        shift
        case $word in *'{in}'*) word=${word%%'{in}'*}$in${word#*'{in}'} ;; esac
        case $word in *'{out}'*) word=${word%%'{out}'*}$out${word#*'{out}'} printed=no ;; esac
        set -- "$@" "$word"
    done
    if [ "$printed" = yes ]; then
        "$@" >"$out" 2>"$made/said" </dev/null
    else
        "$@" >"$made/said" 2>&1 </dev/null
    fi
}

differ=0 all=0
want=
for file in "$here"/files/*-seed.* "$here"/files/*; do
    case $file in *-seed.*) [ -z "$want" ] || continue ;; esac
    rm -f "$made/got"
    decode "$file" "$made/got" "$@"
    status=$?
    if [ -z "$want" ]; then
        if [ "$status" != 0 ] || [ ! -f "$made/got" ]; then
            echo "error: the decoder fails on the seed: exit status $status" >&2
            cat "$made/said" >&2
            exit 2
        fi
        mv "$made/got" "$made/want"
        want=$made/want
        [ -z "${REFERENCE:-}" ] || want=$here/$REFERENCE
        cmp -s "$want" "$made/want" || { echo "differs: ${file##*/} (the seed)"; differ=1; }
        continue
    fi
    all=$((all + 1))
    if [ "$status" != 0 ]; then
        echo "fails:   ${file##*/} (exit status $status)"
    elif ! cmp -s "$want" "$made/got"; then
        echo "differs: ${file##*/}"
    else
        continue
    fi
    differ=$((differ + 1))
done
echo "$differ of $all equivalents of the seed are decoded differently"
[ "$differ" = 0 ]
