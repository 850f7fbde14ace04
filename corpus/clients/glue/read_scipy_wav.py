"""Samples of a WAVE file as SciPy reads them, as signed integers of 32 bits."""

import warnings

import pam

with pam.needed():
    from scipy.io import wavfile

# It warns of every chunk that it does not know.
warnings.simplefilter("ignore")


def read(file):
    _, samples = wavfile.read(file)
    if samples.dtype.kind == "u":
        samples = (samples.astype("int64") - 128) << 24
    elif samples.dtype.itemsize == 2:
        samples = samples.astype("int64") << 16
    return samples.astype("<i4").tobytes()


pam.serve(read)
