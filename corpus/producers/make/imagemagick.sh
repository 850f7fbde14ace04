# ImageMagick (Debian: imagemagick).
version 'convert -version'
make gray2 'convert in/gray2.png -depth 2 -compress none out.tif'
make gray4-lzw 'convert in/gray4.png -depth 4 -compress lzw out.tif'
make gray16 'convert in/gray16.png -define tiff:endian=msb -compress none out.tif'
make gray32-float 'convert in/gray.png -define quantum:format=floating-point -depth 32 -compress zip out.tif'
make gray32 'convert in/gray16.png -depth 32 -compress none out.tif'
make gray-alpha 'convert in/gray-alpha.png -compress zip out.tif'
make bilevel-white-is-zero 'convert in/bilevel.png -type bilevel -depth 1 -define quantum:polarity=min-is-white -compress none out.tif'
make bilevel-fax 'convert in/bilevel.png -compress fax out.tif'
make bilevel-group4-lsb 'convert in/bilevel.png -compress group4 -define tiff:fill-order=lsb out.tif'
make palette 'convert in/palette8.png -type palette -compress rle out.tif'
make rgb-lzw 'convert in/rgb.png -compress lzw -define tiff:rows-per-strip=10 out.tif'
make rgb-tiles 'convert in/rgb.png -compress zip -define tiff:tile-geometry=32x16 out.tif'
make rgb-planar 'convert in/rgb.png -interlace plane -compress none out.tif'
make rgb-big-tiff 'convert in/rgb.png -compress rle TIFF64:out.tif'
make rgba-associated 'convert in/rgba.png -define tiff:alpha=associated -compress none out.tif'
for orientation in top-right bottom-right right-top left-bottom; do
    make "rgb-$orientation" "convert in/rgb.png -orient $orientation -compress lzw out.tif"
done
