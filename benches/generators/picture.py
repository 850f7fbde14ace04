"""The picture that all files are to mean, from the PPM file that PICTURE names: 8 bits, no more than 16 colours, all of
them of 0 and 255, so that it can be stored with any bits of a pixel."""

import os

with open(os.environ["PICTURE"], "rb") as file:
    _, size, _, SAMPLES = file.read().split(b"\n", 3)
WIDTH, HEIGHT = map(int, size.split())
PIXELS = [tuple(SAMPLES[k : k + 3]) for k in range(0, 3 * WIDTH * HEIGHT, 3)]
ROWS = [PIXELS[r * WIDTH : (r + 1) * WIDTH] for r in range(HEIGHT)]
COLORS = sorted(set(PIXELS))
