"""Pillow: at full depth where it has one. It applies a TIFF file's orientation when it loads."""

import pam

with pam.needed():
    from PIL import Image

    import numpy


def read(file):
    with Image.open(file) as picture:
        return shown(picture)


def shown(picture):
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


def pages(file):
    with Image.open(file) as picture:
        return [shown(picture) for _ in each(picture)]


def each(picture):
    for number in range(picture.n_frames):
        picture.seek(number)
        yield number


def metadata(file):
    with Image.open(file) as picture:
        names = ("ImageDescription", "XResolution", "YResolution", "ResolutionUnit")
        found = {name: picture.tag_v2.get(tag) for name, tag in zip(names, (270, 282, 283, 296))}
        # In the file; a loaded picture has been turned.
        return {**found, "Orientation": picture.tag_v2.get(274), "dpi": picture.info.get("dpi"),
                "icc_profile": picture.info.get("icc_profile")}


def rewrite(file, out):
    with Image.open(file) as picture:
        picture.load()
        picture.save(out)


pam.run(read, pages=pages, metadata=metadata, rewrite=rewrite)
