"""OpenCV: as colours, which is what makes it apply the orientation."""

import pam

with pam.needed():
    import cv2


def read(file):
    picture = cv2.imread(file, cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH)
    if picture is None:
        raise ValueError("imread returned nothing")
    return pam.array(picture[:, :, ::-1] if picture.ndim == 3 else picture)


pam.run(read)
