"""Prints the processor time of calls on a TIFF file, in microseconds, as `equivalents/examples/calls.rs` does from Rust."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import repfuzz

#: The number of files of one measurement of `variants`, and of its repetitions.
FILES = 40
ROUNDS = 5


def least(calls: int, round: Callable[[], object]) -> float:
    """Returns the least time of a call among rounds, in microseconds."""

    def once() -> float:
        start = time.process_time()
        round()
        return (time.process_time() - start) * 1e6 / calls

    return min(once() for _ in range(ROUNDS))


def main(path: str) -> None:
    file = Path(path).read_bytes()
    other = next(iter(repfuzz.variants(file, n=1, seed=2))).data

    def variants() -> None:
        for _ in repfuzz.variants(file, n=FILES, seed=1):
            pass

    def normalize() -> None:
        for _ in range(FILES):
            repfuzz.normalize(file)

    def equal() -> None:
        for _ in range(FILES):
            repfuzz.equal(file, other)

    for call in (variants, normalize, equal):
        print(call.__name__, f"{least(FILES, call):.1f}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: calls.py FILE")
    main(sys.argv[1])
