"""The picture in libvips's own format: {dir}/out.v, at its full depth."""

import os
import struct
import sys

import pam

with pam.needed():
    import numpy

# Magic number, width, height, bands, a field that is not used, format, coding, interpretation.
HEADER = struct.Struct("<4s7I")
MAGIC = b"\xb6\xa6\xf2\x08"
DTYPES = {0: "u1", 2: "<u2", 4: "<u4", 6: "<f4", 8: "<f8"}
# Their colours: gray, histogram, RGB and sRGB, RGB and gray of 16 bits.
COLOURS = {1: 1, 10: 1, 17: 3, 22: 3, 25: 3, 26: 1}


def read(_):
    with open(os.path.join(os.path.dirname(sys.argv[2]), "out.v"), "rb") as source:
        data = source.read()
    magic, width, height, bands, _, kind, coding, meaning = HEADER.unpack_from(data)
    known = magic == MAGIC and kind in DTYPES and coding == 0
    if not known or (bands > 4 and meaning not in COLOURS):
        raise pam.GlueFailure(f"{bands} bands of format {kind}, interpretation {meaning}")
    count = width * height * bands
    samples = numpy.frombuffer(data, DTYPES[kind], count, offset=64).reshape(height, width, bands)
    # The first band that is no colour is alpha, whatever a TIFF file says of it.
    return pam.array(samples[:, :, : COLOURS.get(meaning, bands) + 1])


pam.run(read)
