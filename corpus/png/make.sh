#!/bin/sh
# Makes the seeds of PNG from ../picture.ppm, by the programs that their names begin with: FFmpeg 5.1.9,
# GraphicsMagick 1.3.40, ImageMagick 6.9.11-60, Netpbm 11.1.0, Pillow 9.4.0.
set -e
cd "$(dirname "$0")"
gm convert ../picture.ppm -type TrueColor gm24.png
convert-im6.q16 ../picture.ppm -define png:exclude-chunks=all PNG64:im64.png
pnmtopng -quiet -interlace -force ../picture.ppm >np24i.png
pnmtopng -quiet ../picture.ppm >np4p.png
convert-im6.q16 ../picture.ppm -colorspace Gray -define png:exclude-chunks=all PNG:im8g.png
ffmpeg -v error -y -i ../picture.ppm -pix_fmt rgba ff32.png
/usr/bin/python3 -c '
from PIL import Image
picture = Image.open("../picture.ppm")
picture.quantize(8).save("pil8p.png", bits=8)
picture.convert("1").save("pil1.png")
'
