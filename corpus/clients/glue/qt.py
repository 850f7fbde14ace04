"""What the clients on Qt share: a picture with its orientation applied, at full depth."""

import pam


def run(QImageReader, rgba64, bits):
    """Serves pictures; rgba64 is Qt's format of that name, bits(picture) its bytes."""

    def read(file):
        reader = QImageReader(file)
        reader.setAutoTransform(True)
        picture = reader.read()
        if picture.isNull():
            raise ValueError(reader.errorString())
        # RGBA64 has the order of bytes of the machine; alpha is not multiplied in.
        picture = picture.convertToFormat(rgba64)
        width, height, stride = picture.width(), picture.height(), picture.bytesPerLine()
        data = bytearray(pam.rows(bits(picture), stride, 8 * width, height))
        data[0::2], data[1::2] = data[1::2], data[0::2]
        return width, height, 4, 65535, bytes(data)

    pam.run(read)
