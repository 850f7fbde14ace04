#!/usr/bin/env bash
# The generators that `make bench` measures repfuzz next to, in a Python environment of their own. Without them the rest
# is measured.
set -uo pipefail
cd "$(dirname "$0")/.."
venv=target/generators-venv
wanted=benches/generators/requirements.txt

cmp -s "$wanted" "$venv/installed.txt" && exit 0
if python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"; then
    cp "$wanted" "$venv/installed.txt"
else
    echo "note: Fandango and ISLa cannot be installed here; they are not measured" >&2
fi
