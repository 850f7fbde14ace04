"""GTK 4: a texture, taken back as TIFF's equal in PNG."""

import pam

with pam.needed():
    import gi

    gi.require_version("Gdk", "4.0")
    from gi.repository import Gdk

pam.serve(lambda file: Gdk.Texture.new_from_filename(file).save_to_png_bytes().get_data())
