"""imageio: the array as it comes."""

import pam

with pam.needed():
    import imageio

pam.run(lambda file: pam.array(imageio.imread(file)))
