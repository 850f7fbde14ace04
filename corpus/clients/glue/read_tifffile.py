"""tifffile: the first page; palette and polarity applied, as its own viewer does."""

import pam

with pam.needed():
    import numpy
    import tifffile

MINISWHITE, PALETTE = 0, 3
UNSPECIFIED = 0


def read(file):
    with tifffile.TiffFile(file) as tiff:
        return shown(tiff.pages[0])


def shown(page):
    samples = page.asarray()
    if "S" in page.axes:
        samples = numpy.moveaxis(samples, page.axes.index("S"), -1)
    extra = [int(e) for e in page.extrasamples]
    if extra:
        colours = samples.shape[-1] - len(extra)
        keep = colours + (1 if extra[0] != UNSPECIFIED else 0)
        samples = samples[..., :keep]
    if page.photometric == PALETTE:
        index = samples if samples.ndim == 2 else samples[..., 0]
        return pam.array(numpy.moveaxis(page.colormap, 0, -1)[index.astype(int)])
    maximum = None
    if samples.dtype == bool:
        samples, maximum = samples.astype(numpy.uint8), 1
    elif samples.dtype.kind == "u" and isinstance(page.bitspersample, int):
        maximum = (1 << page.bitspersample) - 1 if page.bitspersample <= 16 else None
    if page.photometric == MINISWHITE:
        most = maximum or numpy.iinfo(samples.dtype).max
        # Alpha is no level of gray.
        gray = samples[..., :1] if extra else samples
        gray[...] = most - gray
    return pam.array(samples, maximum)


def pages(file):
    with tifffile.TiffFile(file) as tiff:
        return [shown(page) for page in tiff.pages]


def metadata(file):
    with tifffile.TiffFile(file) as tiff:
        page = tiff.pages[0]
        names = ("ImageDescription", "Orientation", "ResolutionUnit", "XResolution", "YResolution")
        found = {name: page.tags[name].value for name in names if name in page.tags}
        return {**found, "resolution": page.get_resolution(), "profile": page.iccprofile}


pam.run(read, pages=pages, metadata=metadata)
