# The tools of libtiff itself (Debian: libtiff-tools).
version 'tiffcp -h'
gray='ppm2tiff -c none in/gray.pgm a.tif'
rgb='ppm2tiff -c none in/rgb.ppm a.tif'
bilevel='ppm2tiff -c none in/bilevel.pbm a.tif'
rgba='raw2tiff -w 37 -l 29 -b 4 -p rgb in/rgba.raw a.tif'

make gray-packbits 'ppm2tiff -r 5 in/gray.pgm out.tif'
make gray16-lzw 'ppm2tiff -c lzw:2 in/gray16.pgm out.tif'
make gray-tiles "$gray && tiffcp -t -w 16 -l 16 a.tif out.tif"
make gray-big-tiff "$gray && tiffcp -8 -r 6 a.tif out.tif"
make gray-lsb-first "$gray && tiffcp -f lsb2msb a.tif out.tif"
make gray-zip-strips "$gray && tiffcp -c zip -r 1 a.tif out.tif"
for orientation in 2 4 5 7; do
    make "gray-orientation-$orientation" \
        "$gray && tiffset -s 274 $orientation a.tif && tiffcp -c lzw -r 7 a.tif out.tif"
done
make rgb-big-endian "$rgb && tiffcp -B -c none -r 9 a.tif out.tif"
make rgb-lzw-predictor "$rgb && tiffcp -c lzw:2 a.tif out.tif"
make rgb-zip-predictor "$rgb && tiffcp -c zip:2 -r 11 a.tif out.tif"
make rgb-planar-packbits "$rgb && tiffcp -p separate -c packbits -r 16 a.tif out.tif"
make rgb-planar-tiles "$rgb && tiffcp -p separate -t -w 32 -l 16 -c zip:2 a.tif out.tif"
make rgb-tiles-lzw "$rgb && tiffcp -t -w 16 -l 16 -c lzw:2 a.tif out.tif"
make rgb-tiles-big-tiff "$rgb && tiffcp -8 -B -t -w 32 -l 32 -c zip a.tif out.tif"
make rgb-zstd "$rgb && tiffcp -c zstd:2 a.tif out.tif"
make rgb-lzma "$rgb && tiffcp -c lzma a.tif out.tif"
make rgb16-zip-predictor 'ppm2tiff -c zip:2 in/rgb16.ppm out.tif'
make rgba-unspecified-alpha "$rgba && tiffcp -c lzw a.tif out.tif"
make rgba-associated "$rgba && tiffset -s 338 1 1 a.tif && tiffcp -c lzw a.tif out.tif"
make palette-tiles 'pamtotiff -none -output a.tif in/palette4.ppm && tiffcp -t -w 16 -l 16 -c lzw a.tif out.tif'
make bilevel-none "$bilevel && tiffcp -r 20 a.tif out.tif"
make bilevel-g3 "$bilevel && tiffcp -c g3:1d -r 16 a.tif out.tif"
make bilevel-g3-2d "$bilevel && tiffcp -c g3:2d a.tif out.tif"
make bilevel-g3-2d-fill "$bilevel && tiffcp -c g3:2d:fill -r 25 a.tif out.tif"
make bilevel-g4 "$bilevel && tiffcp -c g4 a.tif out.tif"
make bilevel-g4-lsb-first "$bilevel && tiffcp -f lsb2msb -c g4 -r 16 a.tif out.tif"
make bilevel-g4-tiles "$bilevel && tiffcp -t -w 32 -l 32 -c g4 a.tif out.tif"
make bilevel-dither "$gray && tiffdither -c lzw a.tif out.tif"
