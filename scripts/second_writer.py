#!/usr/bin/env python3
"""Writes a TIFF file again with a writer that shares no code with repfuzz, in the same representation.

    scripts/second_writer.py WRITER IN OUT

WRITER is `libtiff` (decoded and encoded again by libtiff, strip by strip or tile by tile),
`tifffile` (decoded and encoded again by tifffile), or `hand` (header, directory and segments laid
out anew, plainly; the segments' bytes stay). The exit status is 1 if the writer cannot express the
file. A finding that the second file shows, too, does not depend on how repfuzz writes files.
"""

import argparse
import ctypes
import ctypes.util
import struct
import sys
from pathlib import Path

# Bytes of a value of each field type (TIFF 6.0, section 2; BigTIFF).
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8}
LETTERS = {1: "B", 3: "H", 4: "I", 13: "I", 16: "Q", 18: "Q"}
STRIPS = (273, 279)
TILES = (324, 325)


class Unfit(Exception):
    """The writer cannot express the file."""


def directory(data):
    """The byte order, whether it is BigTIFF, and the first directory: tag -> (type, count, bytes)."""
    order = {b"II": "<", b"MM": ">"}[data[:2]]
    big = struct.unpack_from(order + "H", data, 2)[0] == 43
    at = struct.unpack_from(order + ("Q" if big else "I"), data, 8 if big else 4)[0]
    count = struct.unpack_from(order + ("Q" if big else "H"), data, at)[0]
    at += 8 if big else 2
    entry, inline = (20, 8) if big else (12, 4)
    tags = {}
    for k in range(count):
        place = at + k * entry
        tag, kind = struct.unpack_from(order + "HH", data, place)
        (values,) = struct.unpack_from(order + ("Q" if big else "I"), data, place + 4)
        size = SIZES[kind] * values if kind in SIZES else inline
        start = place + entry - inline
        if size > inline:
            (start,) = struct.unpack_from(order + ("Q" if big else "I"), data, start)
        tags[tag] = (kind, values, data[start : start + size])
    return order, big, tags


def numbers(order, field):
    """The values of a field of integers."""
    kind, count, data = field
    return list(struct.unpack_from(f"{order}{count}{LETTERS[kind]}", data))


def by_hand(data):
    """Header, entries in ascending order, values, then the segments, one after the other."""
    order, big, tags = directory(data)
    places, lengths = STRIPS if STRIPS[0] in tags else TILES
    offsets = numbers(order, tags[places])
    if lengths not in tags:
        raise Unfit("no byte counts")
    counts = numbers(order, tags[lengths])
    segments = [data[o : o + n] for o, n in zip(offsets, counts)]
    letter, kind, entry, inline = ("Q", 16, 20, 8) if big else ("I", 4, 12, 4)
    names = sorted(tags)
    start = 16 if big else 8
    after = start + (8 if big else 2) + entry * len(names) + inline
    # Offsets and counts keep their type: some readers support one only.
    of, number = tags[places][0], LETTERS[tags[places][0]]
    if max(counts) >= 1 << 8 * SIZES[tags[lengths][0]]:
        tags[lengths] = (kind, len(counts), struct.pack(f"{order}{len(counts)}{letter}", *counts))
    outside = sum(len(t[2]) + len(t[2]) % 2 for n, t in tags.items() if len(t[2]) > inline and n != places)
    table = struct.calcsize(number) * len(offsets)
    first = after + outside + (table if table > inline else 0)
    placed, at = [], first + first % 2
    for segment in segments:
        placed.append(at)
        at += len(segment) + len(segment) % 2
    if at >= 1 << 8 * SIZES[of]:
        raise Unfit("the offsets need a larger type")
    tags[places] = (of, len(placed), struct.pack(f"{order}{len(placed)}{number}", *placed))
    head = data[:2] + (struct.pack(order + "HHHQ", 43, 8, 0, start) if big else struct.pack(order + "HI", 42, start))
    head += struct.pack(order + ("Q" if big else "H"), len(names))
    values = b""
    for name in names:
        kind_, count, field = tags[name]
        head += struct.pack(f"{order}HH{letter}", name, kind_, count)
        if len(field) > inline:
            head += struct.pack(order + letter, after + len(values))
            values += field + b"\0" * (len(field) % 2)
        else:
            head += field.ljust(inline, b"\0")
    out = head + b"\0" * inline + values
    for segment, place in zip(segments, placed):
        out = out.ljust(place, b"\0") + segment
    return out


# Fields with one integer that libtiff is to write as they are.
ONE = {256: 0, 257: 0, 258: 1, 259: 1, 262: 0, 266: 1, 274: 1, 277: 1, 278: 0, 284: 1, 322: 0, 323: 0, 296: 2, 292: 0}
PREDICTED = (5, 8, 32946, 50000, 34925)


def by_libtiff(source, target):
    """Each strip or tile, decoded and encoded by libtiff."""
    data = Path(source).read_bytes()
    order, big, tags = directory(data)
    lib = ctypes.CDLL(ctypes.util.find_library("tiff") or "libtiff.so.6")
    for name in ("TIFFOpen",):
        getattr(lib, name).restype = ctypes.c_void_p
    for name in ("TIFFTileSize", "TIFFStripSize", "TIFFVStripSize"):
        getattr(lib, name).restype = ctypes.c_ssize_t
        getattr(lib, name).argtypes = [ctypes.c_void_p]
    for name in ("TIFFReadEncodedStrip", "TIFFReadEncodedTile", "TIFFWriteEncodedStrip", "TIFFWriteEncodedTile"):
        getattr(lib, name).restype = ctypes.c_ssize_t
        getattr(lib, name).argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_ssize_t]
    lib.TIFFClose.argtypes = [ctypes.c_void_p]
    lib.TIFFClose.restype = None
    read = lib.TIFFOpen(str(source).encode(), b"r")
    mode = "w" + {"<": "l", ">": "b"}[order] + ("8" if big else "")
    write = lib.TIFFOpen(str(target).encode(), mode.encode())
    if not read or not write:
        raise Unfit("libtiff does not open the file")
    values = {n: numbers(order, t) for n, t in tags.items() if t[0] in LETTERS}
    set_one = lambda tag, value: lib.TIFFSetField(ctypes.c_void_p(write), ctypes.c_uint32(tag), ctypes.c_uint32(value))
    for tag in sorted(ONE, key=lambda t: (t != 259, t)):
        if tag in values and not set_one(tag, min(values[tag][0], 2**32 - 1)):
            raise Unfit(f"libtiff does not set tag {tag}")
    # The default of RowsPerStrip is one strip for the whole picture.
    if 322 not in values and 278 not in values:
        set_one(278, 2**32 - 1)
    compression = values.get(259, [1])[0]
    if 317 in values and compression in PREDICTED:
        set_one(317, values[317][0])
    if 338 in values:
        extra = (ctypes.c_uint16 * len(values[338]))(*values[338])
        lib.TIFFSetField(ctypes.c_void_p(write), ctypes.c_uint32(338), ctypes.c_uint32(len(extra)), extra)
    if 339 in values:
        set_one(339, values[339][0])
    if 320 in values:
        third = len(values[320]) // 3
        maps = [(ctypes.c_uint16 * third)(*values[320][k * third : (k + 1) * third]) for k in range(3)]
        lib.TIFFSetField(ctypes.c_void_p(write), ctypes.c_uint32(320), *maps)
    tiled = 322 in values
    size = lib.TIFFTileSize(read) if tiled else lib.TIFFStripSize(read)
    buffer = ctypes.create_string_buffer(max(size, 1))
    for k in range(len(values[TILES[0] if tiled else STRIPS[0]])):
        part = "Tile" if tiled else "Strip"
        got = getattr(lib, f"TIFFReadEncoded{part}")(read, k, buffer, size)
        if got < 0 or getattr(lib, f"TIFFWriteEncoded{part}")(write, k, buffer, got) < 0:
            raise Unfit(f"libtiff fails on {part.lower()} {k}")
    lib.TIFFClose(write)
    lib.TIFFClose(read)


def by_tifffile(source, target):
    """The samples, decoded and encoded by tifffile."""
    import tifffile

    with tifffile.TiffFile(source) as file:
        page = file.pages[0]
        samples = page.asarray()
        tags = page.tags
        value = lambda code: tags[code].value if code in tags else None
        extra = [(274, 3, 1, int(value(274)), True)] if value(274) else []
        options = dict(
            photometric=page.photometric,
            planarconfig=page.planarconfig if page.samplesperpixel > 1 else None,
            compression=page.compression if page.compression != 1 else None,
            predictor=page.predictor if page.predictor != 1 else None,
            extrasamples=page.extrasamples or None,
            colormap=page.colormap,
            extratags=extra,
            metadata=None,
            software=False,
        )
        if page.is_tiled:
            options["tile"] = (page.tilelength, page.tilewidth)
        elif value(278):
            options["rowsperstrip"] = min(int(value(278)), page.imagelength)
        if page.bitspersample in (2, 4):
            options["bitspersample"] = page.bitspersample
        with tifffile.TiffWriter(target, byteorder=file.byteorder, bigtiff=file.is_bigtiff) as out:
            out.write(samples, **{k: v for k, v in options.items() if v is not None})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("writer", choices=["libtiff", "tifffile", "hand"])
    parser.add_argument("source")
    parser.add_argument("target")
    args = parser.parse_args()
    try:
        if args.writer == "hand":
            Path(args.target).write_bytes(by_hand(Path(args.source).read_bytes()))
        elif args.writer == "libtiff":
            by_libtiff(args.source, args.target)
        else:
            by_tifffile(args.source, args.target)
    except Exception as why:  # Whatever another library says: the file is not expressed.
        print(f"{args.source}: {args.writer} cannot write it: {why}", file=sys.stderr)
        Path(args.target).unlink(missing_ok=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
