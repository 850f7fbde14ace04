"""Imlib2, the library of feh and Enlightenment."""

import ctypes
from ctypes import POINTER, c_char_p, c_int, c_uint32, c_void_p

import library
import pam

imlib = library.load("Imlib2")
load = library.function(
    imlib, "imlib_load_image_with_error_return", c_void_p, c_char_p, POINTER(c_int)
)
use = library.function(imlib, "imlib_context_set_image", None, c_void_p)
width_of = library.function(imlib, "imlib_image_get_width", c_int)
height_of = library.function(imlib, "imlib_image_get_height", c_int)
has_alpha = library.function(imlib, "imlib_image_has_alpha", ctypes.c_char)
discard = library.function(imlib, "imlib_free_image_and_decache", None)
pixels = library.function(imlib, "imlib_image_get_data_for_reading_only", POINTER(c_uint32))


def read(file):
    error = c_int()
    picture = load(file.encode(), ctypes.byref(error))
    if not picture:
        raise ValueError(f"load error {error.value}")
    use(picture)
    width, height, alpha = width_of(), height_of(), has_alpha() != b"\0"
    argb = pixels()
    out = bytearray()
    for at in range(width * height):
        v = argb[at]
        out += bytes((v >> 16 & 255, v >> 8 & 255, v & 255, v >> 24 if alpha else 255))
    # Else the next file of this name would be this picture.
    discard()
    return width, height, 4, 255, bytes(out)


pam.run(read)
