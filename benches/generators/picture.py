"""The picture that all files must mean, from the PPM file in PICTURE: 8 bits, at most 16 colors whose samples are 0 or 255,
so that it can be stored with any number of bits a pixel."""

import os

with open(os.environ["PICTURE"], "rb") as file:
    _, size, _, SAMPLES = file.read().split(b"\n", 3)
WIDTH, HEIGHT = map(int, size.split())
PIXELS = [tuple(SAMPLES[k : k + 3]) for k in range(0, 3 * WIDTH * HEIGHT, 3)]
ROWS = [PIXELS[r * WIDTH : (r + 1) * WIDTH] for r in range(HEIGHT)]
COLORS = sorted(set(PIXELS))
