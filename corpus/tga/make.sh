#!/bin/sh
# Makes the seeds of TGA from ../picture.ppm, by the programs that their names begin with: FFmpeg 5.1.9,
# GraphicsMagick 1.3.40, Netpbm 11.1.0, Pillow 9.4.0.
set -e
cd "$(dirname "$0")"
gm convert ../picture.ppm -type TrueColor gm24.tga
ffmpeg -v error -y -i ../picture.ppm -pix_fmt bgra ff32r.tga
ppmtopgm ../picture.ppm | pamtotga -mono -norle >np8g.tga
ppmtotga -quiet ../picture.ppm >np8r.tga
/usr/bin/python3 -c '
from PIL import Image
picture = Image.open("../picture.ppm")
picture.save("pil24.tga")
picture.quantize(8).save("pil8.tga")
'
