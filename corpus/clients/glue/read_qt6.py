"""Qt 6, with the orientation applied, at full depth."""

import pam

with pam.needed():
    from PySide6.QtGui import QImage, QImageReader


def read(file):
    reader = QImageReader(file)
    reader.setAutoTransform(True)
    picture = reader.read()
    if picture.isNull():
        raise ValueError(reader.errorString())
    # RGBA64 has the order of bytes of the machine; alpha is not multiplied in.
    picture = picture.convertToFormat(QImage.Format.Format_RGBA64)
    width, height, stride = picture.width(), picture.height(), picture.bytesPerLine()
    data = bytearray(pam.rows(bytes(picture.constBits()), stride, 8 * width, height))
    data[0::2], data[1::2] = data[1::2], data[0::2]
    return width, height, 4, 65535, bytes(data)


pam.run(read)
