

def picture(data):
    """The rows of pixels of a PNM, PAM or PNG file, or of another one by Pillow in 8 bits."""
    if data[:1] == b"P" and data[1:2] in b"1234567":
        return from_pnm(data)
    if data[:4] == b"\x89PNG" and data[28] == 0 and data[24] >= 8 and data[25] != 3:
        return from_png(data)
    if data[:5] == b"RGBA ":
        head, _, samples = data.partition(b"\n")
        return rows(int(head.split()[1]), 4, 255, samples)
    import io
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        return rows(image.width, 4, 255, image.convert("RGBA").tobytes())


def rows(width, channels, most, samples):
    def pixel(at):
        scaled = [(v * 65535 + most // 2) // most for v in samples[at : at + channels]]
        alpha = [] if channels in (2, 4) else [65535]
        colours = scaled[:1] * 3 + scaled[1:] if channels < 3 else scaled
        return tuple(colours + alpha)

    step = width * channels
    starts = range(0, len(samples) - step + 1, step)
    return [[pixel(at) for at in range(y, y + step, channels)] for y in starts]


def from_pnm(data):
    import re

    if data[:2] == b"P7":
        head, _, samples = data.partition(b"ENDHDR\n")
        keys = dict(line.split(None, 1) for line in head.splitlines()[1:] if b" " in line)
        width, height, channels, most = (
            int(keys[key]) for key in (b"WIDTH", b"HEIGHT", b"DEPTH", b"MAXVAL")
        )
    else:
        kind = int(data[1:2])
        space, numbers = rb"(?:\s|#[^\n]*\n)+", 2 if kind in (1, 4) else 3
        head = re.match(rb"P\d" + (space + rb"(\d+)") * numbers, data)
        width, height = int(head[1]), int(head[2])
        most = 1 if kind in (1, 4) else int(head[3])
        channels = 3 if kind in (3, 6) else 1
        samples = data[head.end() + (kind > 3) :]
        if kind == 1:
            samples = [49 - digit for digit in samples if digit in b"01"]
        elif kind < 4:
            samples = [int(word) for word in samples.split()]
        elif kind == 4:
            step = (width + 7) // 8
            bits = [1 - (byte >> (7 - bit) & 1) for byte in samples for bit in range(8)]
            samples = [v for y in range(height) for v in bits[8 * step * y :][:width]]
    count = width * height * channels
    if most > 255:
        samples = [samples[k] << 8 | samples[k + 1] for k in range(0, 2 * count, 2)]
    return rows(width, channels, most, samples[:count])


def from_png(data):
    import zlib

    at, packed = 8, b""
    while data[at + 4 : at + 8] != b"IEND":
        size = int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] == b"IDAT":
            packed += data[at + 8 : at + 8 + size]
        at += 12 + size
    width, deep = int.from_bytes(data[16:20], "big"), data[24] // 8
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[data[25]]
    plain, step, unit = zlib.decompress(packed), width * channels * deep, channels * deep
    before, samples = bytearray(step), bytearray()
    for start in range(0, len(plain), step + 1):
        line = bytearray(plain[start + 1 : start + 1 + step])
        for k in range(step):
            a, c = (line[k - unit], before[k - unit]) if k >= unit else (0, 0)
            b = before[k]
            nearest = min((a, b, c), key=lambda v: abs(a + b - c - v))
            line[k] = (line[k] + (0, a, b, (a + b) // 2, nearest)[plain[start]]) & 255
        samples += line
        before = line
    if deep == 2:
        samples = [samples[k] << 8 | samples[k + 1] for k in range(0, len(samples), 2)]
    return rows(width, channels, 255 if deep == 1 else 65535, samples)
