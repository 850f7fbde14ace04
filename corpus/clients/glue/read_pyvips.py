"""libvips by pyvips: turned as the file says, at full depth."""

import pam

with pam.needed():
    import pyvips

# Else the next file of this name would be this picture.
pyvips.cache_set_max(0)
GRAY = ("b-w", "grey16", "histogram")


def read(file):
    picture = pyvips.Image.new_from_file(file).autorot()
    colours = 1 if picture.interpretation in GRAY else 3
    samples = picture.numpy()
    if samples.ndim == 3:
        samples = samples[:, :, : colours + picture.hasalpha()]
    return pam.array(samples)


pam.run(read)
