#!/usr/bin/env python3
"""Prints where a night's configuration has its store and its report, as outputs of a step: paths.py CONFIG."""

import sys
import tomllib
from pathlib import Path


def main(config):
    with open(config, "rb") as file:
        settings = tomllib.load(file)
    for name, default in (("store", "nightly.sqlite"), ("report", "nightly-report")):
        path = str(Path(config).parent / settings.get(name, default))
        # A line feed would be another output.
        if "\n" in path or "\r" in path:
            sys.exit(f"error: {config}: `{name}` has a line feed")
        print(f"{name}={path}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: paths.py CONFIG")
    try:
        main(sys.argv[1])
    except (OSError, tomllib.TOMLDecodeError) as why:
        sys.exit(f"error: {sys.argv[1]}: {why}")
