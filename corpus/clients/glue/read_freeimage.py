"""FreeImage: the first page, at full depth; palettes applied."""

import ctypes
from ctypes import c_char_p, c_int, c_uint, c_void_p

import library
import pam

with pam.needed():
    import numpy

free = library.load("freeimage")
load = library.function(free, "FreeImage_Load", c_void_p, c_int, c_char_p, c_int)
unload = library.function(free, "FreeImage_Unload", None, c_void_p)
kind_of = library.function(free, "FreeImage_GetImageType", c_int, c_void_p)
bits_of = library.function(free, "FreeImage_GetBPP", c_uint, c_void_p)
width_of = library.function(free, "FreeImage_GetWidth", c_uint, c_void_p)
height_of = library.function(free, "FreeImage_GetHeight", c_uint, c_void_p)
pitch_of = library.function(free, "FreeImage_GetPitch", c_uint, c_void_p)
bits = library.function(free, "FreeImage_GetBits", c_void_p, c_void_p)
to_32 = library.function(free, "FreeImage_ConvertTo32Bits", c_void_p, c_void_p)

MESSAGES = []


@ctypes.CFUNCTYPE(None, c_int, c_char_p)
def message(_, text):
    MESSAGES.append(text.decode(errors="replace"))


library.function(free, "FreeImage_SetOutputMessage", None, c_void_p)(message)
TIFF, BITMAP = 18, 1
# Type and channels of the pictures that are no bitmaps: 16 and 32 bits of gray, RGB and RGBA of 16.
TYPES = {2: ("u2", 1), 4: ("u4", 1), 9: ("u2", 3), 10: ("u2", 4)}
# The order of a bitmap's channels in memory.
BGRA = [2, 1, 0, 3]


def samples(picture, dtype, channels):
    """The array of a picture, whose rows begin at the bottom."""
    width, height, pitch = width_of(picture), height_of(picture), pitch_of(picture)
    data = numpy.frombuffer(ctypes.string_at(bits(picture), pitch * height), numpy.uint8)
    row = width * channels * numpy.dtype(dtype).itemsize
    rows = numpy.ascontiguousarray(data.reshape(height, pitch)[::-1, :row])
    return rows.view(dtype).reshape(height, width, channels)


def read(file):
    MESSAGES.clear()
    picture = load(TIFF, file.encode(), 0)
    if not picture:
        raise ValueError("; ".join(MESSAGES) or "FreeImage_Load returned nothing")
    kind = kind_of(picture)
    if kind in TYPES:
        found = samples(picture, *TYPES[kind])
    elif kind == BITMAP:
        # Only a bitmap of 32 bits has alpha; others become opaque.
        whole = to_32(picture)
        found = samples(whole, "u1", 4)[:, :, BGRA]
        unload(whole)
    else:
        raise pam.GlueFailure(f"a picture of type {kind}")
    unload(picture)
    return pam.array(found)


pam.run(read)
