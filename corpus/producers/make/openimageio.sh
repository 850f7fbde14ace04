# OpenImageIO (Debian: openimageio-tools).
version 'oiiotool --help | grep "^OpenImageIO"'
write() {
    make "$1" "oiiotool in/$2.png --nosoftwareattrib $3 -o out.tif"
}
write rgb-separate rgb '--planarconfig separate --compression lzw'
write rgb-tiles-zip rgb '--tile 16 16 --compression zip'
write rgba-associated rgba '--compression packbits'
write gray16-none gray16 '--compression none'
write rgb-orientation-8 rgb '--orientation 8 --compression zip'
