#!/bin/sh
# Makes the seeds of PNM and PAM from ../picture.ppm, by the programs that their names begin with: FFmpeg 5.1.9,
# GraphicsMagick 1.3.40, ImageMagick 6.9.11-60, Netpbm 11.1.0, Pillow 9.4.0.
set -e
cd "$(dirname "$0")"
gm convert ../picture.ppm gm6.ppm
gm convert ../picture.ppm -depth 16 gm6deep.ppm
convert-im6.q16 ../picture.ppm -compress none im3.ppm
ppmtopgm ../picture.ppm >np5.pgm
ppmtopgm ../picture.ppm | pnmtoplainpnm >np2.pgm
ppmtopgm ../picture.ppm | pamditherbw -threshold | pamtopnm >np4.pbm
ppmtopgm ../picture.ppm | pamditherbw -threshold | pamtopnm -plain >np1.pbm
ffmpeg -v error -y -i ../picture.ppm -pix_fmt rgba -frames:v 1 ff7.pam
/usr/bin/python3 -c '
from PIL import Image
Image.open("../picture.ppm").convert("1").save("pil4.pbm")
'
