"""Makes the files of this folder: tifffile 2026.3.3 with imagecodecs 2026.3.6, and rasterio 1.4.4 with GDAL 3.10.3.

    python3 make.py tifffile
    python3 make.py gdal

A picture has 7 x 5 pixels. Sample k of it, row by row and pixel by pixel, has the most significant bits
of `k * 0x9E3779B97F4A7C15 + 0x1234567`, modulo 2^64, whatever kind of number these bits are.
"""

import sys

import numpy

WIDTH, HEIGHT = 7, 5


def picture(bits, kind, samples):
    """The samples as numbers of this kind: rows, pixels, samples."""
    numbers = range(WIDTH * HEIGHT * samples)
    words = [(k * 0x9E3779B97F4A7C15 + 0x1234567) % 2**64 >> 64 - bits for k in numbers]
    unsigned = numpy.array(words, "u" + kind[1:])
    return unsigned.view(kind).reshape(HEIGHT, WIDTH, samples)


def by_tifffile(name, bits, kind, samples, order, **options):
    import tifffile

    pixels = picture(bits, kind, samples)
    if options.get("planarconfig") == "separate":
        pixels = numpy.moveaxis(pixels, 2, 0)
    photometric = "rgb" if samples == 3 else "minisblack"
    options = {"metadata": None, "software": False, "photometric": photometric, **options}
    tifffile.imwrite(f"tifffile-{name}.tif", pixels.squeeze(), byteorder=order, **options)


def by_gdal(name, bits, kind, samples, **options):
    import rasterio

    pixels = numpy.moveaxis(picture(bits, kind, samples), 2, 0)
    shape = {"width": WIDTH, "height": HEIGHT, "count": samples, "dtype": pixels.dtype}
    with rasterio.open(f"gdal-{name}.tif", "w", driver="GTiff", **shape, **options) as file:
        file.write(pixels)


def main():
    tiles = {"tiled": True, "blockxsize": 16, "blockysize": 16}
    if sys.argv[1:] == ["tifffile"]:
        by_tifffile("u5", 5, "u1", 1, "<", bitspersample=5)
        by_tifffile("u12-rgb", 12, "u2", 3, "<", bitspersample=12, rowsperstrip=2)
        by_tifffile("f16-rgb-tiles", 16, "f2", 3, "<", tile=(16, 16), compression="lzw", predictor=3)
        planar = {"planarconfig": "separate", "rowsperstrip": 2}
        by_tifffile("f32-rgb-planar-mm", 32, "f4", 3, ">", compression="zlib", predictor=3, **planar)
        by_tifffile("f64-mm", 64, "f8", 1, ">", compression="zlib", predictor=3)
        by_tifffile("u64-rgb-mm", 64, "u8", 3, ">", compression="zlib", predictor=2, rowsperstrip=3)
    else:
        big, rgb = {"endianness": "BIG"}, {"interleave": "pixel"}
        by_gdal("u10-mm", 10, "u2", 1, nbits=10, **big)
        by_gdal("u12-rgb-tiles-mm", 12, "u2", 3, nbits=12, compress="deflate", **tiles, **big, **rgb)
        by_gdal("f32-rgb-mm", 32, "f4", 3, compress="lzw", predictor=3, **big, **rgb)
        by_gdal("f32-rgb-horizontal", 32, "f4", 3, compress="lzw", predictor=2, **rgb)
        by_gdal("f64-rgb-planar-tiles", 64, "f8", 3, compress="deflate", predictor=3, interleave="band", **tiles)
        by_gdal("i16-rgb", 16, "i2", 3, compress="deflate", predictor=2, **rgb)


main()
