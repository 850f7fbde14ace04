"""pylibtiff's TIFFfile: a reader in Python. It gives a list of samples, each an array of pages."""

import contextlib

import pam
import tags

with pam.needed():
    import numpy
    from libtiff import TIFFfile


def read(file):
    tiff = TIFFfile(file)
    try:
        samples, _ = tiff.get_samples()
        planes = samples if isinstance(samples, (list, tuple)) else [samples]
        # Copied: the file is mapped into memory.
        first = [numpy.array(plane)[0] for plane in planes]
    finally:
        # It fails on fields of types that it does not know, after the picture has been read.
        with contextlib.suppress(AttributeError):
            tiff.close()
    return pam.stored(numpy.stack(first, -1), tags.FirstPage(file))


pam.run(read)
