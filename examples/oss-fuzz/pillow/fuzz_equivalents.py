#!/usr/bin/python3
"""Pillow shows all files that mean the same as one picture."""

import io
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["PIL"]):
    from PIL import Image, TiffImagePlugin  # noqa: F401

import repfuzz

#: Modes whose samples have 8 bits: other depths are other modes, and not one picture.
MODES = {"1", "L", "LA", "P", "PA", "RGB", "RGBA", "RGBX"}
#: Beside the program, or where the package of OSS-Fuzz unpacks it.
SEEDS = Path(getattr(sys, "_MEIPASS", Path(__file__).parent)) / "fuzz_equivalents_seeds"


def decode(file):
    """Returns the picture; `None` if it is refused or of another depth."""
    try:
        with Image.open(io.BytesIO(file), formats=["TIFF"]) as picture:
            picture.load()
            if picture.mode not in MODES:
                return None
            return picture.size, picture.convert("RGBA").tobytes()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return None


SEED_FILES = [(path.name, repfuzz.Seed(path)) for path in sorted(SEEDS.glob("*.tif"))]
DECODED = [(name, seed, decode(seed.data)) for name, seed in SEED_FILES]
MUTATOR = repfuzz.Mutator()


def mutate(data, max_size, number):
    made = MUTATOR(bytes(data), max_size, number)
    return made if made is not None else atheris.Mutate(bytes(data), len(data))


def test_one_input(data):
    picture = decode(data)
    if picture is None:
        return
    for name, seed, expected in DECODED:
        # Pictures are compared first: it takes much longer to read what a file means.
        if expected is None or picture == expected:
            continue
        try:
            same = seed.equals(data)
        except repfuzz.NotRead:
            return
        if same:
            raise AssertionError(f"{name}: a file that means the same is decoded differently")


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input, custom_mutator=mutate)
    atheris.Fuzz()
