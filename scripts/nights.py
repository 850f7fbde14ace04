#!/usr/bin/env python3
"""Counts false alarms: nights of unchanged clients, each with another run seed, beside one store.

Usage: scripts/nights.py REPFUZZ FOLDER [NIGHTS] [VARIANTS] [CLIENTS]

Prints a line for each night, with its exit status for `--fail-on new,worse`, and the alarms of all nights
after the second, which are false because no client has changed. FOLDER must not exist.
"""

import pathlib
import re
import shutil
import subprocess
import sys


def main():
    repfuzz, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    nights, variants = (int(n) for n in (sys.argv[3:5] + ["8", "100"])[: 2])
    clients = (sys.argv[5:] or ["rust-image,rust-tiff,gd,pillow-pypi,opencv-pypi"])[0].split(",")
    seeds = pathlib.Path(__file__).resolve().parent.parent / "corpus" / "seeds"
    folder.mkdir(parents=True)
    for seed in ("gray.tif", "rgb.tif", "square.tif", "tiny.tif"):
        shutil.copy(seeds / seed, folder)
    false, lines = 0, []
    for night in range(1, nights + 1):
        config = folder / "nightly.toml"
        config.write_text(
            f"seeds = ['*.tif']\nclients = {clients!r}\nvariants = {variants}\nnumber = {night}\n"
            "fail_on = ['new', 'worse']\n"
        )
        ran = subprocess.run([repfuzz, "nightly", config], capture_output=True, text=True)
        if ran.returncode > 1:
            sys.exit(ran.stderr)
        head = ran.stdout.splitlines()[0].split(": ", 1)[1]
        print(f"night {night}: exit status {ran.returncode}: {head}", flush=True)
        (folder / f"summary-{night}.txt").write_text(ran.stdout)
        if night > 2 and ran.returncode == 1:
            false += 1
            alarms = re.search(r"\n((NEW|WORSE)\n.*?)\n(LOST|FIXED|KNOWN|FOUND|COVERAGE)", ran.stdout, re.S)
            lines.append(f"night {night}:\n{alarms.group(1) if alarms else ran.stdout}")
    print(f"{false} of {max(nights - 2, 0)} nights after the second end with a false alarm")
    print("\n".join(lines))


main()
