"""rasterio: the bands that are colours, and the palette."""

import pam

with pam.needed():
    import numpy
    import rasterio
    from rasterio.windows import Window


def read(file, *window):
    window = Window(*window) if window else None
    with rasterio.open(file) as source:
        bands = source.read(window=window)
        bits = source.tags(1, ns="IMAGE_STRUCTURE").get("NBITS")
        maximum = (1 << int(bits)) - 1 if bits else None
        try:
            colours = source.colormap(1)
        except ValueError:  # there is none
            colours = None
        if colours:
            # WhiteIsZero has a table, too, which alpha may follow.
            table = numpy.array([colours[index] for index in range(len(colours))], numpy.uint8)
            picture = table[bands[0]]
            alphas = [at for at, meaning in enumerate(source.colorinterp) if at and meaning.name == "alpha"]
            if alphas:
                picture[..., 3] = bands[alphas[0]].astype(numpy.uint16) * 255 // (maximum or 255)
            return pam.array(picture)
        wanted = ("red", "green", "blue", "gray", "alpha")
        keep = [at for at, meaning in enumerate(source.colorinterp) if meaning.name in wanted]
        if source.count == 1:
            keep = [0]
        if not keep:
            raise pam.GlueFailure("no band is a colour")
        return pam.array(numpy.moveaxis(bands[keep], 0, -1), maximum)


# Those that every file of the picture may have; GDAL's own and those of samples are left out.
TAGS = ["TIFFTAG_" + name for name in (
    "DOCUMENTNAME", "IMAGEDESCRIPTION", "SOFTWARE", "DATETIME", "ARTIST", "HOSTCOMPUTER", "COPYRIGHT",
    "XRESOLUTION", "YRESOLUTION", "RESOLUTIONUNIT",
)]


def metadata(file):
    with rasterio.open(file) as source:
        return {key: value for key, value in source.tags().items() if key in TAGS}


pam.run(read, region=read, metadata=metadata)
