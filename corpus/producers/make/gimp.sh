# GIMP (Debian: gimp), by Script-Fu. Compressions: 0 none, 1 LZW, 2 PackBits, 3 Deflate, 6 CCITT T.6.
version 'gimp-console --version'
saved() {
    make "$1" "gimp-console --no-interface --no-data --no-fonts --batch '(let* ((image (car (gimp-file-load RUN-NONINTERACTIVE \"in/$2.png\" \"in.png\")))) ${4:-} (file-tiff-save RUN-NONINTERACTIVE image (car (gimp-image-get-active-drawable image)) \"out.tif\" \"out.tif\" $3))' --batch '(gimp-quit 1)'"
}
saved gray-none gray 0
saved gray-alpha-packbits gray-alpha 2
saved rgb-lzw rgb 1
saved rgb16-deflate rgb16 3
saved rgba-lzw rgba 1
saved palette-lzw palette8 1
saved bilevel-t6 bilevel 6 '(gimp-image-convert-indexed image 0 3 2 FALSE FALSE "")'
