"""pylibtiff's TIFFfile: a reader in Python. It gives a list of samples, each an array."""

import pam

with pam.needed():
    import numpy
    from libtiff import TIFFfile


def read(file):
    tiff = TIFFfile(file)
    try:
        samples, _ = tiff.get_samples()
        if isinstance(samples, (list, tuple)):
            # The first axis is the pages.
            planes = [numpy.array(plane)[0] for plane in samples]
            samples = numpy.stack(planes, -1)
        return pam.array(samples)
    finally:
        tiff.close()


pam.run(read)
