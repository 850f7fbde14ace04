"""MuPDF by PyMuPDF: the pixmap as it is, colours multiplied by alpha, in gray or RGB."""

import pam

with pam.needed():
    import pymupdf


def read(file):
    picture = pymupdf.Pixmap(file)
    if picture.colorspace is None:
        raise pam.GlueFailure("a pixmap of alpha alone")
    if picture.colorspace.n not in (1, 3):
        picture = pymupdf.Pixmap(pymupdf.csRGB, picture)
    width, height, channels = picture.width, picture.height, picture.n
    data = pam.rows(bytes(picture.samples), picture.stride, width * channels, height)
    return width, height, channels, 255, data


pam.run(read)
