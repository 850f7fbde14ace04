"""Makes files with one of the generators until the time is over: generate.py fandango|isla FOLDER SECONDS. Writes each to
the folder, and after each batch a line: seconds until the generator was ready, files so far, seconds that they took."""

import sys
import time
from pathlib import Path

BEGAN = time.monotonic()
FOLDER = Path(__file__).parent


def fandango(batch=100):
    from fandango import Fandango

    with open(FOLDER / "bmp.fan") as spec:
        made = Fandango(spec, use_cache=False)
    yield
    while True:
        yield [bytes(tree) for tree in made.fuzz(desired_solutions=batch, population_size=batch)]


def isla(batch=100):
    from bmp_isla import solver

    made = solver(batch)
    yield
    while True:
        batch = []
        try:
            while True:
                batch.append(str(made.solve()).encode("latin-1"))
        except StopIteration:
            pass
        yield batch
        made = solver(batch)


def main(name, folder, seconds):
    batches = {"fandango": fandango, "isla": isla}[name]()
    next(batches)
    ready = time.monotonic()
    count = 0
    while time.monotonic() - ready < seconds:
        for data in next(batches):
            (folder / f"{count:06}.bmp").write_bytes(data)
            count += 1
        print(f"{ready - BEGAN:.3f} {count} {time.monotonic() - ready:.3f}", flush=True)


main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]))
