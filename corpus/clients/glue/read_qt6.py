"""Qt 6."""

import pam
import qt

with pam.needed():
    from PySide6.QtGui import QImage, QImageReader

qt.run(QImageReader, QImage.Format.Format_RGBA64, lambda picture: bytes(picture.constBits()))
