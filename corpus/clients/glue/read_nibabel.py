"""The volume in a file of NIfTI, as nibabel reads it."""

import pam
import volumes

with pam.needed():
    import nibabel
    import numpy


def read(file):
    image = nibabel.load(file)
    return volumes.encode(image.shape, numpy.asanyarray(image.dataobj).ravel(order="F"))


pam.serve(read)
