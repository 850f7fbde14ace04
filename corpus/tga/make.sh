#!/bin/sh
# Makes the seeds of TGA from ../picture.ppm, by the programs that their names begin with: GraphicsMagick 1.3.40,
# Pillow 9.4.0.
set -e
cd "$(dirname "$0")"
gm convert ../picture.ppm -type TrueColor gm24.tga
/usr/bin/python3 -c '
from PIL import Image
picture = Image.open("../picture.ppm")
picture.save("pil24.tga")
picture.quantize(8).save("pil8.tga")
'
