"""Leptonica, the library of Tesseract."""

import sys
from ctypes import c_char_p, c_int, c_void_p

import library

lept = library.load("lept")
pix_read = library.function(lept, "pixRead", c_void_p, c_char_p)
pix_write = library.function(lept, "pixWrite", c_int, c_char_p, c_void_p, c_int)
PNG = 3

picture = pix_read(sys.argv[1].encode())
if not picture:
    sys.exit("pixRead returned nothing")
if pix_write(sys.argv[2].encode(), picture, PNG):
    sys.exit("pixWrite failed")
