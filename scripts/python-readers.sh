#!/usr/bin/env bash
# Runs equivalents/python/readers on the newest readers of PyPI, and prints what they found. The package is installed into
# an empty environment by the line of its README, with a wheel that is built here. It fails only if something cannot be run.
# Usage: scripts/python-readers.sh [DIR]; DIR has the environment and the reduced files, target/python-readers by default.
set -euo pipefail

cd "$(dirname "$0")/.."
mkdir -p "${1:-target/python-readers}"
dir=$(cd "${1:-target/python-readers}" && pwd)
rm -rf "$dir/environment" "$dir/files"
python3 -m venv "$dir/environment"
. "$dir/environment/bin/activate"
export PIP_DISABLE_PIP_VERSION_CHECK=1
install=$(sed -n 's/^    \(pip install [^ ]*\).*/\1/p' equivalents/python/README.md | head -1)
echo "$install" >&2
$install --quiet
pip install --quiet --upgrade pytest pillow tifffile imagecodecs imageio scikit-image

cd equivalents/python/readers
run=0
python -m pytest --quiet --tb=short -p no:cacheprovider --equivalents-dir "$dir/files" --junitxml "$dir/results.xml" \
    > "$dir/log.txt" 2>&1 || run=$?
# 1: tests failed, which is what they are for.
if [ "$run" -gt 1 ]; then
    cat "$dir/log.txt" >&2
    exit 1
fi
python - "$dir/results.xml" <<'PYTHON'
import datetime
import importlib.metadata
import re
import sys
import xml.etree.ElementTree

names = {"test_pillow": "pillow", "test_tifffile": "tifffile", "test_imageio": "imageio", "test_skimage": "scikit-image"}
print(f"Python {sys.version.split()[0]}, {datetime.date.today()}")
for case in xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testcase"):
    reader = names[case.get("classname").split(".")[-1]]
    seed = re.search(r"([\w.]+)\]$", case.get("name"))[1]
    failed = case.find("failure") if case.find("failure") is not None else case.find("error")
    found = "" if failed is None else failed.get("message") + "\n" + (failed.text or "")
    causes = list(dict.fromkeys(re.findall(r"^E? +\d+\. (.+)\n(?:E? +)(.*)", found, re.M)))
    if found and not causes:
        sys.exit(f"{reader}: {case.get('name')} could not run: {found[:500]}")
    print(f"{reader} {importlib.metadata.version(reader)}, {seed}: {len(causes)} causes")
    for cause, message in causes:
        message = re.sub(r" at 0x[0-9a-f]+", "", message)
        print(f"  {cause}: {message[:110]}")
PYTHON
