#!/bin/sh
# Makes the seeds of BMP from ../picture.ppm, 7 by 5 pixels of seven full colours, by the programs that their names
# begin with: FFmpeg 5.1.9, GraphicsMagick 1.3.40, ImageMagick 6.9.11-60, Netpbm 11.1.0, Pillow 9.4.0.
set -e
cd "$(dirname "$0")"
gm convert ../picture.ppm -type TrueColor BMP3:gm24.bmp
gm convert ../picture.ppm -type Palette -compress RLE BMP3:gm8r.bmp
convert-im6.q16 ../picture.ppm -type TrueColor BMP2:im12.bmp
convert-im6.q16 ../picture.ppm -type TrueColorMatte BMP:im32.bmp
convert-im6.q16 ../picture.ppm -type TrueColor BMP:im124.bmp
convert-im6.q16 ../picture.ppm -define bmp:subtype=RGB565 im565.bmp
# ImageMagick's own run lengths (-compress RLE) go past the end of rows: no seed.
ppmtobmp -quiet -windows -bpp=4 ../picture.ppm >np4.bmp
ppmtobmp -quiet -os2 -bpp=4 ../picture.ppm >np4os2.bmp
ffmpeg -v error -y -i ../picture.ppm -pix_fmt bgra ff32.bmp
ffmpeg -v error -y -i ../picture.ppm -pix_fmt rgb8 ff8.bmp
/usr/bin/python3 -c '
from PIL import Image
picture = Image.open("../picture.ppm")
picture.quantize(8).save("pil8.bmp")
picture.convert("1").save("pil1.bmp")
'
