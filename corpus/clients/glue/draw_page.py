"""Draws the page of a PDF file that holds the picture of a TIFF file, so that a pixel of one is a
pixel of the other, whatever the file says about its resolution: draw_page.py in.tif page.pdf out."""

import re
import subprocess
import sys

import pam
import tags

source, pdf, out = sys.argv[1:]


def size():
    """Width and height of the picture; its sides are swapped if those of the page are."""
    picture = tags.FirstPage(source)
    with open(pdf, "rb") as file:
        box = re.search(rb"/MediaBox\s*\[([^\]]*)\]", file.read())
    if not box:
        raise pam.GlueFailure("a page without a size")
    left, bottom, right, top = map(float, box[1].split())
    page, upright = (right - left) / (top - bottom), picture.width / picture.height
    if abs(page - upright) > abs(page - 1 / upright):
        return picture.height, picture.width
    return picture.width, picture.height


try:
    width, height = size()
except pam.GlueFailure as failure:
    sys.exit(f"glue: {failure}")
draw = ["mutool", "draw", "-q", "-f", "-w", str(width), "-h", str(height), "-o", out, pdf, "1"]
sys.exit(subprocess.run(draw).returncode)
