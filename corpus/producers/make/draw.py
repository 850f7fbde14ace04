#!/usr/bin/env python3
"""Draws the pictures that the producers store: draw.py DIRECTORY.

PNG and PNM files, by nothing but the standard library. No picture has a symmetry: each corner has
a color of its own, a letter F reads and an arrow points up.
"""

import struct
import sys
import zlib
from pathlib import Path

LETTER = ["####", "#   ", "#   ", "### ", "#   ", "#   ", "#   "]
ARROW = ["  #  ", " ### ", "# # #", "  #  ", "  #  ", "  #  ", "  #  "]
# Of the palette picture: paper, ink and the corners come first.
PALETTE = [(255, 255, 255), (0, 0, 0), (230, 20, 20), (20, 200, 40), (30, 50, 240), (250, 220, 20)]
PALETTE += [(40 + 20 * k, 200 - 17 * k, 90 + 7 * k * k % 160) for k in range(10)]


def inked(figure, scale, x, y):
    """Whether the figure, scale pixels a cell, has ink at (x, y) from its corner."""
    column, row = x // scale, y // scale
    return 0 <= row < len(figure) and 0 <= column < len(figure[0]) and figure[row][column] == "#"


def what(w, h, x, y):
    """What is seen at a pixel: a corner's number from 2, "ink", "paper", or None for ground."""
    side = max(min(w, h) // 6, 1)
    left, right, top, bottom = x < side, x >= w - side, y < side, y >= h - side
    for number, corner in enumerate([left and top, right and top, right and bottom, left and bottom]):
        if corner:
            return number + 2
    scale = max(h // 14, 1)
    if inked(LETTER, scale, x - w // 5, y - h // 4):
        return "paper"
    if inked(ARROW, scale, x - w * 3 // 5, y - h // 4):
        return "ink"
    return None


def color(w, h, x, y):
    """Red, green and blue from 0 to 1: ramps to the right and down, figures on them."""
    seen = what(w, h, x, y)
    if seen is None:
        return (40 + 160 * x / (w - 1)) / 255, (40 + 160 * y / (h - 1)) / 255, 110 / 255
    index = {"paper": 0, "ink": 1}.get(seen, seen)
    return tuple(c / 255 for c in PALETTE[index])


def gray(w, h, x, y):
    r, g, b = color(w, h, x, y)
    return (0.299 * r + 0.587 * g + 0.114 * b,)


def alpha(w, h, x, y):
    """Opaque at the left, less and less so to the right; a hole at the bottom."""
    if w // 3 < x < w // 2 and y > h * 3 // 4:
        return 0
    return 1 if x < w // 4 else 1 - 0.9 * (x - w // 4) / (w - w // 4)


def rgba(w, h, x, y):
    return color(w, h, x, y) + (alpha(w, h, x, y),)


def gray_alpha(w, h, x, y):
    return gray(w, h, x, y) + (alpha(w, h, x, y),)


def bilevel(w, h, x, y):
    """1 is white: lines of something like text under the figures."""
    seen = what(w, h, x, y)
    if seen is not None:
        return (1 if seen in (3, 5) else 0,)
    text = y > h * 3 // 4 and y % 4 < 2 and (x * 7 + y * 13) % 11 < 6
    return (0 if text or (x + 2 * y) % 29 == 0 else 1,)


def index(w, h, x, y, colors=16):
    seen = what(w, h, x, y)
    if seen is None:
        return (6 + (x * 6 // w + y * 4 // h) % (colors - 6) if colors > 6 else (x + y) % 3 % colors,)
    return ({"paper": 0, "ink": 1}.get(seen, seen) % colors,)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed(rows, bits):
    """Samples of rows as PNG and PNM store them: big-endian, rows from whole bytes."""
    for row in rows:
        if bits == 16:
            yield struct.pack(f">{len(row)}H", *row)
            continue
        number, used = 0, len(row) * bits
        for sample in row:
            number = number << bits | sample
        size = (used + 7) // 8
        yield (number << (size * 8 - used)).to_bytes(size, "big")


def png(rows, w, h, bits, kind, palette=()):
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, bits, kind, 0, 0, 0))
    colors = chunk(b"PLTE", bytes(c for entry in palette for c in entry)) if palette else b""
    data = zlib.compress(b"".join(b"\0" + row for row in packed(rows, bits)))
    return b"\x89PNG\r\n\x1a\n" + header + colors + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def samples(paint, w, h, bits):
    scale = (1 << bits) - 1
    return [[round(c * scale) for x in range(w) for c in paint(w, h, x, y)] for y in range(h)]


def main(directory):
    directory.mkdir(parents=True, exist_ok=True)

    def save(name, data):
        (directory / name).write_bytes(data)

    for name, paint, kind, bits, w, h in [
        ("bilevel", bilevel, 0, 1, 93, 61),
        ("gray2", gray, 0, 2, 37, 23),
        ("gray4", gray, 0, 4, 37, 23),
        ("gray", gray, 0, 8, 37, 23),
        ("gray16", gray, 0, 16, 37, 23),
        ("gray-alpha", gray_alpha, 4, 8, 37, 23),
        ("rgb", color, 2, 8, 48, 35),
        ("rgb16", color, 2, 16, 31, 22),
        ("rgba", rgba, 6, 8, 37, 29),
        ("rgba16", rgba, 6, 16, 29, 20),
    ]:
        rows = samples(paint, w, h, bits)
        save(f"{name}.png", png(rows, w, h, bits, kind))
        data = b"".join(packed(rows, bits))
        size = f"{w} {h}\n".encode()
        most = f"{(1 << bits) - 1}\n".encode()
        if name == "bilevel":
            # In PBM 1 is black.
            inverted = [[1 - sample for sample in row] for row in rows]
            save("bilevel.pbm", b"P4\n" + size + b"".join(packed(inverted, 1)))
        elif kind == 0 and bits in (8, 16):
            save(f"{name}.pgm", b"P5\n" + size + most + data)
        elif kind == 2:
            save(f"{name}.ppm", b"P6\n" + size + most + data)
        elif name == "rgba":
            head = f"P7\nWIDTH {w}\nHEIGHT {h}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
            save("rgba.pam", head.encode() + data)
            save("rgba.raw", data)

    w, h = 53, 37
    for bits in (1, 2, 4, 8):
        colors = min(1 << bits, 16)
        rows = [[index(w, h, x, y, colors)[0] for x in range(w)] for y in range(h)]
        save(f"palette{bits}.png", png(rows, w, h, bits, 3, PALETTE[:colors]))
        if bits in (2, 4):
            flat = bytes(c for row in rows for i in row for c in PALETTE[i])
            save(f"palette{bits}.ppm", f"P6\n{w} {h}\n255\n".encode() + flat)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
