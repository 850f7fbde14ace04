"""Pillow: at full depth where it has one. It applies a TIFF file's orientation when it loads."""

import pam

with pam.needed():
    from PIL import Image

    import numpy


def read(file):
    with Image.open(file) as picture:
        # Not ImageOps.exif_transpose: before Pillow 10 that turns a loaded picture once more.
        picture.load()
        if picture.mode.startswith("I;16"):
            return pam.array(numpy.asarray(picture).astype(numpy.uint16))
        if picture.mode == "I":
            # Samples of 32 bits in TIFF; elsewhere this is where those of 16 bits are.
            depth = numpy.uint32 if picture.format == "TIFF" else numpy.uint16
            return pam.array(numpy.asarray(picture).astype(depth))
        if picture.mode == "F":
            return pam.array(numpy.asarray(picture))
        if picture.mode in ("1", "L"):
            return pam.array(numpy.asarray(picture.convert("L")))
        return pam.array(numpy.asarray(picture.convert("RGBA")))


pam.run(read)
