#!/bin/sh
# Makes the seeds of baseline TIFF by the programs that their names begin with: Pillow 9.4.0, and libtiff 4.5.0
# (tiffcp), which writes Pillow's pictures again in several strips.
set -e
cd "$(dirname "$0")"
/usr/bin/python3 -c '
from PIL import Image
picture = Image.new("RGB", (11, 7))
picture.putdata([(x * 23, y * 36, x * y * 3) for y in range(7) for x in range(11)])
picture.save("pil24.tif")
picture.convert("L").save("pil8.tif")
'
tiffcp -c none -B -r 2 pil8.tif lib8b.tif
tiffcp -c none -L -r 3 pil24.tif lib24.tif
