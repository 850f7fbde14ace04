"""imageio: the first page as it comes, by its plug-in on tifffile."""

import pam
import tags

with pam.needed():
    import imageio

try:
    from imageio import v3
except ImportError:  # before 2.16
    v3 = None


def read(file):
    if v3:
        samples = v3.imread(file, plugin="tifffile", index=..., page=0)
    else:
        samples = imageio.imread(file)
    return pam.stored(samples, tags.FirstPage(file))


pam.run(read)
