# GDAL (Debian: gdal-bin).
version 'gdalinfo --version'
co() {
    local name=$1 from=$2
    shift 2
    local options=
    for option; do options+=" -co $option"; done
    make "$name" "gdal_translate -q --config GDAL_PAM_ENABLED NO in/$from$options out.tif"
}
co gray-tiles gray.png TILED=YES BLOCKXSIZE=16 BLOCKYSIZE=16 COMPRESS=LZW
co gray16-big-tiff gray16.png BIGTIFF=YES ENDIANNESS=BIG COMPRESS=DEFLATE PREDICTOR=2
co gray-nbits4 gray4.png NBITS=4
co gray-min-is-white gray.png PHOTOMETRIC=MINISWHITE COMPRESS=PACKBITS
make gray32-uint 'gdal_translate -q --config GDAL_PAM_ENABLED NO -ot UInt32 -scale 0 65535 0 4294967295 in/gray16.png -co COMPRESS=LZW -co PREDICTOR=2 out.tif'
make gray32-float 'gdal_translate -q --config GDAL_PAM_ENABLED NO -ot Float32 -scale 0 65535 0 1 in/gray16.png -co COMPRESS=DEFLATE -co PREDICTOR=3 out.tif'
co bilevel-rle bilevel.png NBITS=1 COMPRESS=CCITTRLE
co palette-packbits palette8.png COMPRESS=PACKBITS
co palette4-nbits palette4.png NBITS=4
co rgb-band-lzw rgb.png INTERLEAVE=BAND COMPRESS=LZW BLOCKYSIZE=10
co rgb-band-tiles rgb.png INTERLEAVE=BAND TILED=YES BLOCKXSIZE=32 BLOCKYSIZE=16 COMPRESS=DEFLATE
co rgb-tiles-predictor rgb.png TILED=YES BLOCKXSIZE=16 BLOCKYSIZE=32 COMPRESS=LZW PREDICTOR=2
co rgb-zstd rgb.png COMPRESS=ZSTD PREDICTOR=2
co rgb-lzma rgb.png COMPRESS=LZMA BIGTIFF=YES
co rgb-webp-lossless rgb.png COMPRESS=WEBP WEBP_LOSSLESS=YES
co rgba-premultiplied rgba.png ALPHA=PREMULTIPLIED COMPRESS=LZW INTERLEAVE=BAND
co rgba16-streamable rgba16.png STREAMABLE_OUTPUT=YES
