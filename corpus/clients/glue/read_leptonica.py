"""Leptonica, the library of Tesseract."""

import ctypes
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_void_p

import library
import pam

lept = library.load("lept")
pix_read = library.function(lept, "pixRead", c_void_p, c_char_p)
pix_write = library.function(
    lept, "pixWriteMem", c_int, POINTER(c_void_p), POINTER(c_size_t), c_void_p, c_int
)
destroy = library.function(lept, "pixDestroy", None, POINTER(c_void_p))
free = library.function(lept, "lept_free", None, c_void_p)
PNG = 3


def make(file):
    picture = c_void_p(pix_read(file.encode()))
    if not picture:
        raise ValueError("pixRead returned nothing")
    data, length = c_void_p(), c_size_t()
    failed = pix_write(byref(data), byref(length), picture, PNG)
    destroy(byref(picture))
    if failed:
        raise ValueError("pixWriteMem failed")
    png = ctypes.string_at(data, length.value)
    free(data)
    return png


pam.serve(make)
