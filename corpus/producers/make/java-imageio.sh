# ImageIO of Java 17 (Debian: openjdk-17-jdk-headless).
version 'java -version'
write() {
    make "$1" "java -Djava.awt.headless=true WriteImageIO.java in/$2.png out.tif $3"
}
write gray-none gray none
write gray16-zlib gray16 ZLib
write bilevel-rle bilevel '"CCITT RLE"'
write bilevel-t4 bilevel '"CCITT T.4"'
write bilevel-t6 bilevel '"CCITT T.6"'
write palette4-packbits palette4 PackBits
write palette2-lzw palette2 LZW
write rgb-lzw rgb LZW
write rgb-deflate rgb Deflate
write rgb-tiles rgb 'ZLib 16 32'
write rgba-packbits rgba PackBits
