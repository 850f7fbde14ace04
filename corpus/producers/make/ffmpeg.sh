# FFmpeg (Debian: ffmpeg).
version 'ffmpeg -version'
encode() {
    make "$1" "ffmpeg -loglevel error -y -i in/$2.png -pix_fmt $3 -compression_algo $4 -update 1 out.tif"
}
encode gray-packbits gray gray packbits
encode gray16-deflate gray16 gray16le deflate
encode gray-alpha-lzw gray-alpha ya8 lzw
encode bilevel-white bilevel monow raw
encode bilevel-black bilevel monob packbits
encode palette-raw palette8 pal8 raw
encode rgb-lzw rgb rgb24 lzw
encode rgb-deflate rgb rgb24 deflate
encode rgb16-raw rgb16 rgb48le raw
encode rgba-deflate rgba rgba deflate
encode rgba16-packbits rgba16 rgba64le packbits
