#!/usr/bin/env bash
# Prints the processor times of calls on a TIFF file of 64 x 64 pixels from Rust and from Python, in microseconds, and their
# quotients: the least of five runs each, by turns. It needs the environment of scripts/test-python.sh,
# or the one that PYTHON is of; the package must be built for release (pip install).
set -euo pipefail

cd "$(dirname "$0")/.."
python=${PYTHON:-target/python/bin/python}
file=corpus/seeds/square.tif
# The packages together: then what they have in common is built once.
cargo build --quiet --release --locked -p repfuzz-python -p repfuzz-equivalents --no-default-features --example calls
calls=${CARGO_TARGET_DIR:-target}/release/examples/calls

times=$(for _ in 1 2 3 4 5; do
    "$calls" "$file" | sed 's/^/rust /'
    "$python" equivalents/python/benches/calls.py "$file" | sed 's/^/python /'
done)
awk '
    { key = $1 " " $2; if (!(key in least) || $3 < least[key]) least[key] = $3 }
    END {
        print "call rust_us python_us quotient"
        n = split("variants normalize equal", calls, " ")
        for (i = 1; i <= n; i++) {
            rust = least["rust " calls[i]]; python = least["python " calls[i]]
            printf "%s %.1f %.1f %.2f\n", calls[i], rust, python, python / rust
        }
    }' <<< "$times"
