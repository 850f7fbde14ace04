"""The array in a file of npy, as NumPy loads it."""

import arrays
import pam

with pam.needed():
    import numpy

pam.serve(lambda file: arrays.encode(numpy.load(file)))
