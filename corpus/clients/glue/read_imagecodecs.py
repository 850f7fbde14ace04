"""imagecodecs: the array that its binding of libtiff gives."""

import pam

with pam.needed():
    import imagecodecs


def read(file):
    with open(file, "rb") as source:
        return pam.array(imagecodecs.tiff_decode(source.read()))


pam.run(read)
