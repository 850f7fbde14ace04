"""The tags of a TIFF file's first page that say what its samples mean: for libraries that give
arrays and leave the meaning to their users."""

import struct

import pam

# The number of bytes and the letter of struct of each type of integers.
TYPES = {1: (1, "B"), 3: (2, "H"), 4: (4, "I"), 13: (4, "I"), 16: (8, "Q"), 18: (8, "Q")}
WIDTH, HEIGHT, BITS, PHOTOMETRIC, SAMPLES, PLANAR, EXTRA = 256, 257, 258, 262, 277, 284, 338
# The number of colours of each photometric interpretation.
COLOURS = {0: 1, 1: 1, 2: 3, 3: 1, 6: 3}
UNSPECIFIED = 0


class FirstPage:
    """width, height, bits; samples, their number in a pixel; colours, the number of those that are
    no extra samples; alpha, true if the next one is; planar, true if they are in planes."""

    def __init__(self, file):
        with open(file, "rb") as source:
            fields = read(source.read())
        first = lambda tag, default: fields.get(tag, (default,))[0]
        self.width, self.height = first(WIDTH, 0), first(HEIGHT, 0)
        self.bits, self.planar = first(BITS, 1), first(PLANAR, 1) == 2
        self.samples = first(SAMPLES, 1)
        self.photometric = first(PHOTOMETRIC, None)
        if self.photometric not in COLOURS:
            raise pam.GlueFailure(f"photometric interpretation {self.photometric}")
        self.colours = COLOURS[self.photometric]
        extra = fields.get(EXTRA, ())
        self.alpha = bool(extra) and extra[0] != UNSPECIFIED


def read(data):
    """The fields of integers in the first directory: tag to values."""
    order = {b"II": "<", b"MM": ">"}.get(data[:2])
    if order is None:
        raise pam.GlueFailure("no TIFF file")
    number = lambda kind, at: struct.unpack_from(order + kind, data, at)[0]
    big = number("H", 2) == 43
    # The widths of counts and offsets: of a directory's number of entries, of all others.
    many, word, step = ("Q", "Q", 20) if big else ("H", "I", 12)
    at = number(word, 8 if big else 4)
    fields = {}
    for entry in range(number(many, at)):
        field = at + struct.calcsize(many) + step * entry
        tag, kind, count = number("H", field), number("H", field + 2), number(word, field + 4)
        if kind not in TYPES or count == 0:
            continue
        size, letter = TYPES[kind]
        place = field + 4 + struct.calcsize(word)
        if size * count > struct.calcsize(word):
            place = number(word, place)
        # Of long lists the first values suffice.
        fields[tag] = struct.unpack_from(f"{order}{min(count, 8)}{letter}", data, place)
    return fields
