"""GDAL: the bands that are colours, and the palette; of a window, if its numbers follow the names of the files."""

import sys

import pam

with pam.needed():
    import numpy
    from osgeo import gdal

gdal.UseExceptions()
# x, y, width and height.
WINDOW = [int(number) for number in sys.argv[3:]]
del sys.argv[3:]
MEANT = (gdal.GCI_GrayIndex, gdal.GCI_RedBand, gdal.GCI_GreenBand, gdal.GCI_BlueBand, gdal.GCI_AlphaBand)


def read(file):
    source = gdal.Open(file)
    bands = [source.GetRasterBand(number + 1) for number in range(source.RasterCount)]
    bits = bands[0].GetMetadataItem("NBITS", "IMAGE_STRUCTURE")
    maximum = (1 << int(bits)) - 1 if bits else None
    palette = bands[0].GetColorTable()
    if palette:
        # WhiteIsZero has a table, too, which alpha may follow.
        count = palette.GetCount()
        table = numpy.array([palette.GetColorEntry(index) for index in range(count)], numpy.uint8)
        colours = table[bands[0].ReadAsArray(*WINDOW)]
        alphas = [band for band in bands[1:] if band.GetColorInterpretation() == gdal.GCI_AlphaBand]
        if alphas:
            colours[..., 3] = alphas[0].ReadAsArray(*WINDOW).astype(numpy.uint16) * 255 // (maximum or 255)
        return pam.array(colours)
    meant = [band for band in bands if band.GetColorInterpretation() in MEANT]
    if len(bands) == 1:
        meant = bands
    if not meant:
        raise pam.GlueFailure("no band is a colour")
    return pam.array(numpy.stack([band.ReadAsArray(*WINDOW) for band in meant], -1), maximum)


pam.run(read)
