#!/bin/sh
# Makes the seeds of ICO from a picture of 13 by 10 pixels, some of them transparent, by the programs that their names
# begin with: gdk-pixbuf 2.42.10 (gdk), icoutils 0.32.3 (ico), ImageMagick 6.9.11-60 (im), Pillow 9.4.0 (pil).
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
WORK=$work /usr/bin/python3 -c '
import os
from PIL import Image
many = Image.new("RGBA", (13, 10))
few = Image.new("RGBA", (13, 10))
two = Image.new("RGBA", (13, 10))
for y in range(10):
    for x in range(13):
        if (x * x + y * y) % 7 > 1:
            many.putpixel((x, y), (x * 19, y * 25, 255 - x * y, 255))
            few.putpixel((x, y), (x % 3 * 100, y % 2 * 255, 60, 255))
            two.putpixel((x, y), (255, 200, 0, 255))
opaque = Image.new("RGBA", (13, 10), (0, 0, 0, 255))
opaque.alpha_composite(many)
for name, picture in {"many": many, "few": few, "two": two, "opaque": opaque}.items():
    picture.save(os.environ["WORK"] + f"/{name}.png")
# Pillow writes no mask at 32 bits, and rows of the mask without padding.
wide = opaque.resize((32, 6)).convert("P")
wide.save("pil8.ico", bitmap_format="bmp", sizes=[(32, 6)])
'
icotool -c -o ico4.ico "$work/few.png"
icotool -c -o ico1.ico "$work/two.png"
icotool -c -o ico8.ico "$work/opaque.png"
icotool -c -b 24 -o ico24.ico "$work/many.png"
convert "$work/many.png" im32.ico
/usr/bin/python3 -c '
import sys
import gi
gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf
picture = GdkPixbuf.Pixbuf.new_from_file(sys.argv[1])
picture.savev("gdk24.ico", "ico", ["depth"], ["24"])
' "$work/opaque.png"
rm -r "$work"
