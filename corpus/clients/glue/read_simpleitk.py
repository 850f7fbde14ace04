"""SimpleITK: the first slice as it comes."""

import pam
import tags

with pam.needed():
    import SimpleITK


def read(file):
    picture = SimpleITK.ReadImage(file, imageIO="TIFFImageIO")
    samples = SimpleITK.GetArrayFromImage(picture)
    if picture.GetDimension() == 3:
        samples = samples[0]
    return pam.stored(samples, tags.FirstPage(file))


pam.run(read)
