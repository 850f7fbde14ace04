# Pillow (Debian: python3-pil).
version "python3 -c 'import PIL; print(\"Pillow\", PIL.__version__)'"
save() {
    make "$1" "python3 -c 'from PIL import Image; Image.open(\"in/$2.png\")${4:-}.save(\"out.tif\", compression=$3)'"
}
save gray-raw gray '"raw"'
save gray-alpha-lzw gray-alpha '"tiff_lzw"'
save bilevel-ccitt-rle bilevel '"tiff_ccitt"'
save bilevel-group3 bilevel '"group3"'
save bilevel-group4 bilevel '"group4"'
save bilevel-raw bilevel '"raw"'
save palette-lzw palette8 '"tiff_lzw"'
save rgb-packbits rgb '"packbits"'
save rgba-adobe-deflate rgba '"tiff_adobe_deflate"'
save rgba-orientation-6 rgba '"tiff_lzw", tiffinfo={274: 6}'
