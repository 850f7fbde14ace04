"""SimpleITK: the array as it comes."""

import pam

with pam.needed():
    import SimpleITK


def read(file):
    picture = SimpleITK.GetArrayFromImage(SimpleITK.ReadImage(file, imageIO="TIFFImageIO"))
    # Pages are the first of three axes, samples the last; a single page of gray has two.
    return pam.array(picture[0] if picture.ndim == 4 else picture)


pam.run(read)
