"""The volume in a file of NIfTI, as SimpleITK reads it."""

import pam
import volumes

with pam.needed():
    import SimpleITK


def read(file):
    image = SimpleITK.ReadImage(file, imageIO="NiftiImageIO")
    return volumes.encode(image.GetSize(), SimpleITK.GetArrayFromImage(image))


pam.serve(read)
