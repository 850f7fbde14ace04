"""MuPDF by PyMuPDF: the pixmap, in RGB, with alpha divided out again."""

import pam

with pam.needed():
    import pymupdf


def read(file):
    picture = pymupdf.Pixmap(file)
    if picture.colorspace is None or picture.colorspace.n != 3:
        picture = pymupdf.Pixmap(pymupdf.csRGB, picture)
    width, height, channels = picture.width, picture.height, picture.n
    data = bytearray(pam.rows(bytes(picture.samples), picture.stride, width * channels, height))
    if picture.alpha:
        for at in range(0, len(data), 4):
            alpha = data[at + 3]
            for c in range(at, at + 3):
                data[c] = min(255, (data[c] * 255 + alpha // 2) // alpha) if alpha else 0
    return width, height, channels, 255, bytes(data)


pam.run(read)
