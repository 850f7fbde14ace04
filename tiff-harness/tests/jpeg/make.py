#!/usr/bin/env python3
"""Makes the files of this folder: pictures with JPEG streams, as programs write them.

    make.py CORPUS-FOLDER

It needs tiffcp and ppm2tiff (libtiff), and the packages tifffile, imagecodecs and Pillow. The picture is
corpus/picture.ppm, which no one owns. The files are dedicated to the public domain (CC0 1.0).
"""

import io
import subprocess
import sys
import tempfile
from pathlib import Path

import imagecodecs
import numpy
import tifffile
from PIL import Image

CORPUS = Path(sys.argv[1])
HERE = Path(__file__).parent


def libtiff(picture, name, *options):
    """Writes a file with tiffcp."""
    subprocess.run(["tiffcp", *options, picture, HERE / name], check=True)


def stream(image, **options):
    """Returns a JPEG stream, as Pillow writes it: with a JFIF header."""
    out = io.BytesIO()
    image.save(out, "jpeg", quality=85, **options)
    return out.getvalue()


def strip(name, data, shape, photometric, subsampling=None):
    """Writes a file of one strip with this stream."""
    tifffile.imwrite(
        HERE / name, iter([data]), shape=shape, dtype="uint8", photometric=photometric,
        compression="jpeg", rowsperstrip=shape[0], metadata=None, software="",
        subsampling=subsampling,
    )


def main():
    """Writes all files."""
    image = Image.open(CORPUS / "picture.ppm").convert("RGB")
    image = image.resize((70, 50), Image.Resampling.LANCZOS)
    rgb = numpy.asarray(image)
    gray = numpy.asarray(image.convert("L"))
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        tifffile.imwrite(scratch / "rgb.tif", rgb, metadata=None, software="")
        tifffile.imwrite(scratch / "gray.tif", gray, metadata=None, software="")
        libtiff(scratch / "gray.tif", "gray.tif", "-c", "jpeg:75", "-r", "16")
        libtiff(scratch / "rgb.tif", "ycbcr-strips.tif", "-c", "jpeg:75", "-r", "16")
        libtiff(scratch / "rgb.tif", "rgb-tiles.tif", "-c", "jpeg:r:75", "-t", "-w", "32", "-l", "32")
        libtiff(scratch / "rgb.tif", "rgb-planar.tif", "-c", "jpeg:r:75", "-p", "separate", "-r", "32")
    tifffile.imwrite(
        HERE / "optimized-tiles.tif", rgb, photometric="rgb", tile=(32, 32), compression="jpeg",
        compressionargs={"level": 75, "optimize": True}, metadata=None, software="",
    )
    sides = (50, 70, 3)
    restart = stream(image, subsampling=0, restart_marker_blocks=4)
    strip("restart.tif", restart, sides, "ycbcr", (1, 1))
    progressive = stream(image, subsampling=0, progressive=True)
    strip("progressive.tif", progressive, sides, "ycbcr", (1, 1))
    lossless = imagecodecs.jpeg8_encode(gray, lossless=True)
    strip("lossless.tif", lossless, (50, 70), "minisblack")


main()
