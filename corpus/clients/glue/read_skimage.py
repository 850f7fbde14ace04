"""scikit-image: the array as it comes."""

import pam

with pam.needed():
    from skimage import io

pam.run(lambda file: pam.array(io.imread(file)))
