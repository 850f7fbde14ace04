"""tifffile: the first page; palette and polarity applied, as its own viewer does."""

import pam

with pam.needed():
    import numpy
    import tifffile

MINISWHITE, PALETTE = 0, 3
UNSPECIFIED = 0


def read(file):
    with tifffile.TiffFile(file) as tiff:
        page = tiff.pages[0]
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


pam.run(read)
