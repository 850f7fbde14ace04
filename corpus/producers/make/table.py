#!/usr/bin/env python3
"""Writes the tables of corpus/producers/README.md: table.py PRODUCERS NOTES.

NOTES has a directory for each producer that ran, with its version and its commands.

What a file is comes from its own tags, read here by nothing but the standard library.
"""

import struct
import sys
from pathlib import Path

MARK = "<!-- corpus/make-seeds.sh writes what follows -->\n"
COMPRESSIONS = {
    1: "none", 2: "CCITT RLE", 3: "CCITT T.4", 4: "CCITT T.6", 5: "LZW", 8: "Deflate",
    32773: "PackBits", 32946: "Deflate (32946)", 34925: "LZMA", 50000: "Zstandard", 50001: "WebP",
}
PHOTOMETRICS = {0: "white is 0", 1: "black is 0", 2: "RGB", 3: "palette", 5: "separated", 6: "YCbCr"}
ALPHAS = {0: "unspecified", 1: "associated alpha", 2: "unassociated alpha"}
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 12: 8, 16: 8}
LETTERS = {1: "B", 3: "H", 4: "I", 16: "Q"}


def tags(data):
    """The first directory's numbers by tag, and how the container is written."""
    order = "<" if data[:2] == b"II" else ">"
    big = struct.unpack_from(order + "H", data, 2)[0] == 43
    word, count_at, value_at, entry = ("Q", 4, 12, 20) if big else ("I", 4, 8, 12)
    room = 8 if big else 4
    at = struct.unpack_from(order + word, data, 8 if big else 4)[0]
    count = struct.unpack_from(order + ("Q" if big else "H"), data, at)[0]
    at += 8 if big else 2
    found = {}
    for _ in range(count):
        tag, kind = struct.unpack_from(order + "HH", data, at)
        number = struct.unpack_from(order + word, data, at + count_at)[0]
        if kind in LETTERS:
            value = at + value_at
            if SIZES[kind] * number > room:
                value = struct.unpack_from(order + word, data, value)[0]
            found[tag] = struct.unpack_from(f"{order}{number}{LETTERS[kind]}", data, value)
        at += entry
    return found, f"{'II' if order == '<' else 'MM'}{', BigTIFF' if big else ''}"


def summary(data):
    found, container = tags(data)

    def first(tag, default):
        return found.get(tag, (default,))[0]

    bits = found.get(258, (1,))
    parts = [f"{first(256, 0)} x {first(257, 0)}", PHOTOMETRICS.get(first(262, None), "?")]
    parts.append(f"{len(bits)} x {bits[0]} bits" if len(bits) > 1 else f"{bits[0]} bits")
    if first(339, 1) != 1:
        parts[-1] += {2: " signed", 3: " float"}.get(first(339, 1), " ?")
    parts += [ALPHAS.get(extra, "?") for extra in found.get(338, ())]
    samples, colors = first(277, 1), 3 if first(262, None) in (2, 6) else 1
    if samples > colors and 338 not in found:
        parts.append(f"{samples} samples without ExtraSamples")
    if len(bits) not in (1, samples) or samples > 1 == len(bits):
        parts.append(f"BitsPerSample of {len(bits)} for {samples} samples")
    parts.append(COMPRESSIONS.get(first(259, 1), str(first(259, 1))))
    parts += ["2-D"] * (first(292, 0) & 1) + ["byte-aligned EOLs"] * (first(292, 0) >> 2 & 1)
    parts += [f"predictor {first(317, 1)}"] * (first(317, 1) != 1)
    parts += ["planar"] * (first(284, 1) == 2)
    if 322 in found:
        parts.append(f"{len(found[324])} tiles {first(322, 0)} x {first(323, 0)}")
    else:
        number = len(found.get(273, ()))
        parts.append(f"{number} strip{'s' * (number != 1)}")
    parts += [f"orientation {first(274, 1)}"] * (first(274, 1) != 1)
    parts += ["FillOrder 2"] * (first(266, 1) == 2)
    return ", ".join(parts + [container])


def section(folder, notes):
    """What is said of one producer."""
    text = f"## `{folder.name}`\n\n{(notes / 'version').read_text().strip()}\n\n"
    text += "| file | what it is | bytes | command |\n|---|---|---|---|\n"
    for line in (notes / "commands").read_text().splitlines():
        name, command = line.split("\t")
        data = (folder / name).read_bytes()
        text += f"| `{name}` | {summary(data)} | {len(data)} | `{command}` |\n"
    return text


def main(directory, notes):
    readme = directory / "README.md"
    said, _, rest = readme.read_text().partition(MARK)
    sections = {}
    for text in rest.split("\n## ")[1:]:
        sections[text.split("`")[1]] = f"## {text.rstrip()}\n"
    for made in notes.iterdir():
        sections[made.name] = section(directory / made.name, made)
    kept = [sections[name] for name in sorted(sections) if (directory / name).is_dir()]
    readme.write_text(said + MARK + "".join(f"\n{text}" for text in kept))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
