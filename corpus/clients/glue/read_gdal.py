"""GDAL: the bands that are colours, and the palette."""

import pam

with pam.needed():
    import numpy
    from osgeo import gdal

gdal.UseExceptions()
MEANT = (gdal.GCI_GrayIndex, gdal.GCI_RedBand, gdal.GCI_GreenBand, gdal.GCI_BlueBand, gdal.GCI_AlphaBand)


def read(file, *window):
    source = gdal.Open(file)
    bands = [source.GetRasterBand(number + 1) for number in range(source.RasterCount)]
    bits = bands[0].GetMetadataItem("NBITS", "IMAGE_STRUCTURE")
    maximum = (1 << int(bits)) - 1 if bits else None
    palette = bands[0].GetColorTable()
    if palette:
        # WhiteIsZero has a table, too, which alpha may follow.
        count = palette.GetCount()
        table = numpy.array([palette.GetColorEntry(index) for index in range(count)], numpy.uint8)
        colours = table[bands[0].ReadAsArray(*window)]
        alphas = [band for band in bands[1:] if band.GetColorInterpretation() == gdal.GCI_AlphaBand]
        if alphas:
            colours[..., 3] = alphas[0].ReadAsArray(*window).astype(numpy.uint16) * 255 // (maximum or 255)
        return pam.array(colours)
    meant = [band for band in bands if band.GetColorInterpretation() in MEANT]
    if len(bands) == 1:
        meant = bands
    if not meant:
        raise pam.GlueFailure("no band is a colour")
    return pam.array(numpy.stack([band.ReadAsArray(*window) for band in meant], -1), maximum)


# Those that every file of the picture may have; GDAL's own and those of samples are left out.
TAGS = ["TIFFTAG_" + name for name in (
    "DOCUMENTNAME", "IMAGEDESCRIPTION", "SOFTWARE", "DATETIME", "ARTIST", "HOSTCOMPUTER", "COPYRIGHT",
    "XRESOLUTION", "YRESOLUTION", "RESOLUTIONUNIT",
)]


def metadata(file):
    source = gdal.Open(file)
    return {key: value for key, value in source.GetMetadata().items() if key in TAGS}


def rewrite(file, out):
    gdal.GetDriverByName("GTiff").CreateCopy(out, gdal.Open(file), strict=False)


pam.run(read, region=read, metadata=metadata, rewrite=rewrite)
