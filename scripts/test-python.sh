#!/usr/bin/env bash
# Builds the package for Python into an environment of its own, target/python, and runs its tests. Without Python 3.10,
# its module venv, or PyPI, this is said, and nothing runs.
set -euo pipefail

cd "$(dirname "$0")/.."
skip() {
    echo "SKIPPED test-python all: $1"
    exit 0
}

environment=target/python
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || skip "there is no Python 3.10"
python3 -m venv "$environment" >/dev/null 2>&1 || skip "python3 -m venv failed (on Debian: apt-get install python3-venv)"
. "$environment/bin/activate"
pip install --quiet --disable-pip-version-check 'maturin>=1.9,<2' 'hypothesis>=6.100' 'pytest>=8' pytest-asyncio 'mypy>=1.11' numpy ||
    skip "packages of PyPI could not be installed"
cd equivalents/python
maturin develop --quiet --locked
python -m pytest --quiet -p no:cacheprovider -p no:asyncio tests
