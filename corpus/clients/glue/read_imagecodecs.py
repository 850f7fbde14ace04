"""imagecodecs: the array that its binding of libtiff gives."""

import pam
import tags

with pam.needed():
    import imagecodecs


def read(file):
    with open(file, "rb") as source:
        samples = imagecodecs.tiff_decode(source.read(), 0)
    return pam.stored(samples, tags.FirstPage(file))


pam.run(read)
