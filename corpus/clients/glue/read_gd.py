"""libgd: what PHP reads pictures with."""

import ctypes
from ctypes import c_int, c_void_p

import library
import pam

gd = library.load("gd")
from_tiff = library.function(gd, "gdImageCreateFromTiffPtr", c_void_p, c_int, c_void_p)
pixel = library.function(gd, "gdImageGetTrueColorPixel", c_int, c_void_p, c_int, c_int)
png = library.function(gd, "gdImagePngPtr", c_void_p, c_void_p, c_void_p)
free = library.function(gd, "gdFree", None, c_void_p)
destroy = library.function(gd, "gdImageDestroy", None, c_void_p)


def size(picture):
    """Width and height have macros only; PNG says them in the open."""
    length = c_int()
    data = png(picture, ctypes.byref(length))
    if not data:
        raise ValueError("gdImagePngPtr returned nothing")
    head = ctypes.string_at(data, 24)
    free(data)
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


def read(file):
    with open(file, "rb") as source:
        data = source.read()
    picture = from_tiff(len(data), data)
    if not picture:
        raise ValueError("gdImageCreateFromTiffPtr returned nothing")
    width, height = size(picture)
    out = bytearray()
    for y in range(height):
        for x in range(width):
            argb = pixel(picture, x, y)
            # Alpha runs from 0, opaque, to 127.
            alpha = 255 - ((argb >> 24 & 127) * 255 + 63) // 127
            out += bytes((argb >> 16 & 255, argb >> 8 & 255, argb & 255, alpha))
    destroy(picture)
    return width, height, 4, 255, bytes(out)


pam.run(read)
