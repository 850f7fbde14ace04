"""Runs one of the generators for a time: generate.py fandango|isla|tifffile FOLDER SECONDS MOST. Writes files to the folder,
MOST at most, and after each batch prints a line: processor seconds until the generator was ready, files so far, processor
seconds for these."""

import sys
import time
from pathlib import Path

FOLDER = Path(__file__).parent


def fandango():
    from fandango import Fandango

    from picture import HEIGHT, WIDTH

    together = 100 if WIDTH * HEIGHT < 1000 else 20
    with open(FOLDER / "bmp.fan") as spec:
        made = Fandango(spec, use_cache=False)
    yield
    while True:
        yield [bytes(tree) for tree in made.fuzz(desired_solutions=together, population_size=together)]


def isla():
    from bmp_isla import HEIGHT, WIDTH, solver

    # A batch is built before its first file is returned.
    together = 100 if WIDTH * HEIGHT < 1000 else 3
    made = solver(together)
    yield
    while True:
        batch = []
        try:
            while True:
                batch.append(str(made.solve()).encode("latin-1"))
        except StopIteration:
            pass
        yield batch
        made = solver(together)


def tifffile():
    from tiff_tifffile import file

    # Its first file loads all that compresses.
    file()
    yield
    while True:
        yield [file() for _ in range(100)]


def main(name, folder, seconds, most):
    batches = {"fandango": fandango, "isla": isla, "tifffile": tifffile}[name]()
    next(batches)
    ready = time.process_time()
    count = 0
    while time.process_time() - ready < seconds and count < most:
        for data in next(batches):
            (folder / f"{count:07}").write_bytes(data)
            count += 1
        print(f"{ready:.3f} {count} {time.process_time() - ready:.3f}", flush=True)


main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]))
