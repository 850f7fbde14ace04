# tifffile (Debian: python3-tifffile, python3-pil).
version "python3 -c 'import tifffile; print(\"tifffile\", tifffile.__version__)'"
write() {
    make "$1" "python3 -c 'import numpy, tifffile; from PIL import Image; picture = numpy.array(Image.open(\"in/$2.png\")); tifffile.imwrite(\"out.tif\", $3)'"
}
write gray-big-endian gray 'picture, byteorder=">", rowsperstrip=4'
write gray16-big-tiff gray16 'picture.astype("u2"), bigtiff=True, byteorder=">"'
write gray32 gray16 'picture.astype("u4") * 65537'
write gray32-float gray 'picture.astype("f4") / 255'
write gray-white-is-zero gray '255 - picture, photometric="miniswhite"'
write bilevel bilevel 'picture.astype(bool)'
write rgb-deflate-32946 rgb 'picture, compression="deflate", predictor=True'
write rgb-zlib rgb 'picture, compression="zlib", rowsperstrip=16'
write rgb-planar rgb 'picture.transpose(2, 0, 1), photometric="rgb", planarconfig="separate"'
write rgb-planar-tiles rgb 'picture.transpose(2, 0, 1), photometric="rgb", planarconfig="separate", tile=(16, 16), compression="zlib"'
write rgba-unassociated rgba 'picture, photometric="rgb", extrasamples=["unassalpha"]'
write rgba-unspecified rgba 'picture, photometric="rgb", extrasamples=["unspecified"], compression="zlib"'
