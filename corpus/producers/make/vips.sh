# libvips (Debian: libvips-tools).
version 'vips --version'
save() {
    make "$1" "vips tiffsave in/$2.png out.tif ${3:-}"
}
save gray-bitdepth-4 gray '--bitdepth 4'
save gray-bitdepth-2-deflate gray '--bitdepth 2 --compression deflate --predictor none'
save bilevel-white bilevel '--bitdepth 1 --miniswhite'
save bilevel-fax4 bilevel '--bitdepth 1 --compression ccittfax4'
save gray16-big-tiff gray16 '--bigtiff --compression lzw'
save rgb-tiles rgb '--tile --tile-width 32 --tile-height 32 --compression deflate'
save rgb-packbits rgb '--compression packbits'
save rgb-zstd rgb '--compression zstd --predictor horizontal'
save rgba-premultiplied rgba '--premultiply --compression deflate'
save rgb16-tiles rgb16 '--tile --tile-width 16 --tile-height 16 --compression lzw'
