#!/usr/bin/env bash
# Fetches the public programs on which docs/analyses.md measures analyses, at a fixed commit, and checks their digest.
# Usage: scripts/fetch_analysis_programs.sh [DIR]; DIR is target/analysis-programs by default. Needs git and sha256sum.
# REPOSITORY may name a copy.
set -euo pipefail

dir=${1:-target/analysis-programs}
repository=${REPOSITORY:-https://github.com/pavolmisenko/sv-benchmarks-simple}
commit=63c11ce99cbc43782838081d5dc75fd7e3774cc6
digest=d497609d614958df1cdd6aa3f6a8d1f5709afd6a7788f036325aaf60ec690077

mkdir -p "$dir"
git init -q --bare "$dir/.git"
git --git-dir="$dir/.git" fetch -q --depth 1 "$repository" "$commit"
git --git-dir="$dir/.git" archive "$commit" c | tar -x -C "$dir"

found=$(cd "$dir" && find c -type f \( -name '*.c' -o -name '*.yml' \) | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -d' ' -f1)
if [ "$found" != "$digest" ]; then
    echo "the programs are not those that were measured: $found" >&2
    exit 1
fi

# The programs take their inputs from functions of this header, which the repository does not have.
cat > "$dir/lamp.h" <<'H'
int __VERIFIER_nondet_int(void);
#define __lamp_any_i32 __VERIFIER_nondet_int
H
