"""The picture that a program on CImg keeps in numbers of any range: {dir}/out.cimg, by the number of
bits of the file that it has read."""

import os
import sys

import pam
import tags

with pam.needed():
    import numpy


def read(file):
    page = tags.FirstPage(file)
    with open(os.path.join(os.path.dirname(sys.argv[2]), "out.cimg"), "rb") as source:
        count, kind, order = source.readline().split()
        width, height, depth, channels = map(int, source.readline().split(b" #")[0].split())
        data = source.read()
    if (count, order, depth) != (b"1", b"little_endian", 1) or kind not in DTYPES:
        raise pam.GlueFailure(f"{count} pictures of {depth} pages, {kind} {order}")
    samples = numpy.frombuffer(data, DTYPES[kind]).reshape(channels, height, width)
    # Samples of less than 8 bits are read as 8 bits. Floating point holds 24 bits of 32.
    most = (1 << max(page.bits, 8)) - 1
    scaled = numpy.rint(numpy.moveaxis(samples, 0, -1).astype(float) * (65535 / most))
    # Out of range is what a screen cannot show.
    samples = numpy.nan_to_num(scaled).clip(0, 65535).astype(numpy.uint16)
    if channels == page.samples:
        samples = samples[:, :, : page.colours + page.alpha]
    return pam.array(samples)


DTYPES = {
    b"float": "<f4",
    b"uint8": "u1",
    b"unsigned_char": "u1",
    b"uint16": "<u2",
    b"unsigned_short": "<u2",
    b"uint32": "<u4",
    b"unsigned_int": "<u4",
}
pam.run(read)
