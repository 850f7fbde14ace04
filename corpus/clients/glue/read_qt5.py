"""Qt 5."""

import pam
import qt

with pam.needed():
    from PyQt5.QtGui import QImage, QImageReader


def bits(picture):
    all_bits = picture.constBits()
    all_bits.setsize(picture.height() * picture.bytesPerLine())
    return bytes(all_bits)


qt.run(QImageReader, QImage.Format_RGBA64, bits)
