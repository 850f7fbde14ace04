#!/usr/bin/env bash
# Fetches the public programs on which docs/analyses.md measures analyses, at fixed commits, and checks their digests.
# Usage: scripts/fetch_analysis_programs.sh [DIR]; DIR is target/analysis-programs by default. Needs git and sha256sum.
# SIMPLE and CPACHECKER may name copies of the repositories.
set -euo pipefail

dir=${1:-target/analysis-programs}

# fetch NAME REPOSITORY COMMIT DIGEST FOLDER...
fetch() {
    local name=$1 repository=$2 commit=$3 digest=$4 found
    shift 4
    local git=(git -c protocol.version=2 -C "$dir/$name")
    rm -rf "${dir:?}/$name"
    git init -q "$dir/$name"
    # Of a large repository, only these folders are fetched.
    "${git[@]}" remote add origin "$repository"
    "${git[@]}" config remote.origin.promisor true
    "${git[@]}" config remote.origin.partialclonefilter blob:none
    "${git[@]}" sparse-checkout set "$@"
    "${git[@]}" fetch -q --depth 1 --filter=blob:none origin "$commit"
    "${git[@]}" checkout -q "$commit"
    found=$(cd "$dir/$name" && find "$@" -type f \( -name '*.c' -o -name '*.yml' \) | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -d' ' -f1)
    if [ "$found" != "$digest" ]; then
        echo "the programs of $name are not those that were measured: $found" >&2
        exit 1
    fi
}

mkdir -p "$dir"
fetch simple "${SIMPLE:-https://github.com/pavolmisenko/sv-benchmarks-simple}" \
    63c11ce99cbc43782838081d5dc75fd7e3774cc6 \
    d497609d614958df1cdd6aa3f6a8d1f5709afd6a7788f036325aaf60ec690077 c
fetch cpachecker "${CPACHECKER:-https://github.com/sosy-lab/cpachecker}" \
    45029808f6bc5b2a99bc4ae831a32cd660a7a0e5 \
    9a7efc80ad4024f0e03c88041aa5c6d8cfd699be6158402b5b793db2b34e387e test/programs/simple test/programs/policyiteration

# An older property of the second repository is that a label `ERROR` is never reached: it becomes a call.
find "$dir/cpachecker" -name '*.c' -exec sed -Ei 's/\bERROR[[:space:]]*:/ERROR: reach_error();/' {} +

# Programs of the first repository take their inputs from functions of this header, which it does not have.
cat > "$dir/lamp.h" <<'H'
int __VERIFIER_nondet_int(void);
#define __lamp_any_i32 __VERIFIER_nondet_int
H
