"""gdk-pixbuf, with the orientation applied."""

import pam

with pam.needed():
    import gi

    gi.require_version("GdkPixbuf", "2.0")
    from gi.repository import GdkPixbuf


def read(file):
    picture = GdkPixbuf.Pixbuf.new_from_file(file).apply_embedded_orientation()
    width, height, channels = picture.get_width(), picture.get_height(), picture.get_n_channels()
    data = pam.rows(picture.get_pixels(), picture.get_rowstride(), width * channels, height)
    return width, height, channels, 255, data


pam.run(read)
