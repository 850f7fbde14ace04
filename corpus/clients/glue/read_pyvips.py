"""libvips by pyvips: turned as the file says, at full depth."""

import pam

with pam.needed():
    import pyvips

# Else the next file of this name would be this picture.
pyvips.cache_set_max(0)
GRAY = ("b-w", "grey16", "histogram")


def read(file):
    return shown(pyvips.Image.new_from_file(file).autorot())


def shown(picture):
    colours = 1 if picture.interpretation in GRAY else 3
    samples = picture.numpy()
    if samples.ndim == 3:
        samples = samples[:, :, : colours + picture.hasalpha()]
    return pam.array(samples)


def region(file, x, y, width, height):
    return shown(pyvips.Image.new_from_file(file).autorot().crop(x, y, width, height))


def pages(file):
    count = pyvips.Image.new_from_file(file).get("n-pages")
    return [shown(pyvips.Image.new_from_file(file, page=page).autorot()) for page in range(count)]


def metadata(file):
    picture = pyvips.Image.new_from_file(file)
    names = ("xres", "yres", "resolution-unit", "orientation", "image-description", "icc-profile-data")
    return {name: picture.get(name) for name in names if picture.get_typeof(name)}


def rewrite(file, out):
    pyvips.Image.new_from_file(file).tiffsave(out)


pam.run(read, region=region, pages=pages, metadata=metadata, rewrite=rewrite)
