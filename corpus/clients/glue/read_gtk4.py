"""GTK 4: a texture, taken back as TIFF's equal in PNG."""

import sys

import pam

with pam.needed():
    import gi

    gi.require_version("Gdk", "4.0")
    from gi.repository import Gdk

try:
    texture = Gdk.Texture.new_from_filename(sys.argv[1])
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")
with open(sys.argv[2], "wb") as out:
    out.write(texture.save_to_png_bytes().get_data())
