#!/usr/bin/env bash
# Installs a wheel of scripts/wheel.sh in a new environment and tests what it brings: the command, whose demo finds faults;
# the module; and with the extra `z3` the Z3 that the command loads. Each line has the time since `pip install` began; that of
# the demo is the time of the first finding.
#
#     scripts/test-wheel.sh [WHEEL]
set -euo pipefail

cd "$(dirname "$0")/.."
if [[ $# -eq 0 ]]; then
    scripts/wheel.sh
    set -- target/wheels/repfuzz-*.whl
fi
[[ $# -eq 1 && -f $1 ]] || {
    echo "error: name one wheel; there are: $*" >&2
    exit 2
}
wheel=$(realpath "$1")
spec=$(realpath normalizers/specs/ddraw/ddraw.rs)
seed=$(realpath corpus/seeds/rgb.tif)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fails() {
    echo "error: $1" >&2
    exit 1
}

python3 -m venv environment
bin=$folder/environment/bin
start=$(date +%s%N)
# Prints a line of the tests, with the time since `pip install` began.
step() {
    local since=$((($(date +%s%N) - start) / 100000000))
    printf '%3d.%d s  %s\n' $((since / 10)) $((since % 10)) "$1"
}

"$bin/pip" install --quiet --disable-pip-version-check "$wheel"
step "installed $(basename "$wheel"): $("$bin/repfuzz" --version)"
"$bin/repfuzz" demo >demo.txt 2>&1 || fails "the demo ends with status $?: $(cat demo.txt)"
grep --quiet '^1\. ' demo.txt || fails "the demo finds nothing: $(cat demo.txt)"
step "repfuzz demo has ended:"
cat demo.txt

"$bin/python" - "$seed" <<'END'
import sys, repfuzz

made = list(repfuzz.variants(sys.argv[1], n=10))
assert len({variant.data for variant in made}) == 10
assert all(repfuzz.equal(sys.argv[1], variant.data) for variant in made)
END
step "the module made ten equivalents of a TIFF file"

"$bin/pip" install --quiet --disable-pip-version-check "$wheel[z3]"
# Those of the system come first: where that is possible, they are hidden.
cat >check.sh <<'END'
set -euo pipefail
ldconfig -p | sed -n 's/.*libz3\.so.* => //p' | while read -r file; do mount --bind /dev/null "$file"; done
LD_DEBUG=files exec "$@"
END
hidden=()
unshare --map-root-user --mount true 2>/dev/null && hidden=(unshare --map-root-user --mount)
[[ ${#hidden[@]} -gt 0 ]] || sed -i '/ldconfig/d' check.sh
PATH=$PATH:/sbin "${hidden[@]}" bash check.sh "$bin/repfuzz" check "$spec" >check.txt 2>files.txt ||
    fails "repfuzz check: $(cat check.txt; tail -n 3 files.txt)"
loaded=$(sed -n 's|.*calling init: \(.*libz3.*\)|\1|p' files.txt | head -n 1)
[[ ${#hidden[@]} -eq 0 || $loaded == "$folder/environment/"* ]] || fails "repfuzz check loaded ${loaded:-no libz3}"
step "repfuzz check with ${loaded#"$folder/"}: $(head -n 1 check.txt)"
