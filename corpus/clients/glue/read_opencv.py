"""OpenCV: as colours, which is what makes it apply the orientation."""

import pam

with pam.needed():
    import cv2


COLOURS = cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH


def read(file):
    picture = cv2.imread(file, COLOURS)
    if picture is None:
        raise ValueError("imread returned nothing")
    return shown(picture)


def shown(picture):
    return pam.array(picture[:, :, ::-1] if picture.ndim == 3 else picture)


def pages(file):
    read, pictures = cv2.imreadmulti(file, flags=COLOURS)
    if not read:
        raise ValueError("imreadmulti returned nothing")
    return [shown(picture) for picture in pictures]


def rewrite(file, out):
    if not cv2.imwrite(out, cv2.imread(file, COLOURS)):
        raise ValueError("imwrite failed")


pam.run(read, pages=pages, rewrite=rewrite)
