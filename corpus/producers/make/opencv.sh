# OpenCV (Debian: python3-opencv).
version "python3 -c 'import cv2; print(\"OpenCV\", cv2.__version__)'"
write() {
    make "$1" "python3 -c 'import cv2; cv2.imwrite(\"out.tif\", cv2.imread(\"in/$2.png\", cv2.IMREAD_UNCHANGED)${3:-})'"
}
write rgb-default rgb
write rgba-default rgba
write gray16-deflate gray16 ', [cv2.IMWRITE_TIFF_COMPRESSION, 8]'
