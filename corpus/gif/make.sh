#!/bin/sh
# Makes the seeds of GIF from a picture of 247 colors, by the programs that their names begin with: FFmpeg 5.1.9,
# GraphicsMagick 1.3.40, ImageMagick 6.9.11-60, Netpbm 11.1.0, Pillow 9.4.0.
set -e
cd "$(dirname "$0")"
/usr/bin/python3 -c '
import sys
pixels = bytes(v for y in range(13) for x in range(19) for v in (x * 14, y * 21, x * y % 256))
sys.stdout.buffer.write(b"P6 19 13 255\n" + pixels)
' >p.ppm
pnmquant -quiet 60 p.ppm >p60.ppm
pnmquant -quiet 4 p.ppm >p4.ppm
ppmtogif -quiet -interlace p60.ppm >np64i.gif
ppmtogif -quiet -nolzw p4.ppm >np4n.gif
gm convert p60.ppm gm64.gif
convert-im6.q16 p4.ppm im4.gif
ffmpeg -v error -y -i p.ppm -vf 'split[a][b];[a]palettegen=reserve_transparent=0[c];[b][c]paletteuse' -frames:v 1 ff256.gif
/usr/bin/python3 -c '
from PIL import Image
Image.open("p60.ppm").quantize(60).save("pil64.gif", interlace=0)
Image.open("p4.ppm").convert("1").save("pil2i.gif", interlace=1)
'
rm p.ppm p60.ppm p4.ppm
