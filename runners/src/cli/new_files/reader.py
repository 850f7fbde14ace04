#!/usr/bin/env python3
"""The program under test: reads a NAME file and writes its picture as PGM. Replace it by your own."""

import struct
import sys


def read(data):
    """Returns the width, the height and the rows of a picture."""
    if data[:4] != b"PIC1":
        sys.exit("this is no NAME file")
    place, width, height, pitch = struct.unpack_from("<IHHH", data, 4)
    rows = [data[place + row * pitch :][:width] for row in range(height)]
    if any(len(row) < width for row in rows):
        sys.exit("the file ends inside a row")
    return width, height, rows


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        width, height, rows = read(file.read())
    with open(sys.argv[2], "wb") as out:
        out.write(b"P5 %d %d 255\n" % (width, height) + b"".join(rows))
