"""Samples of an AIFF file as Python's aifc reads them, as signed integers of 32 bits."""

import warnings

import pam

# The module is deprecated from Python 3.11 on.
warnings.simplefilter("ignore")
with pam.needed():
    import aifc
    import audioop


def read(file):
    with aifc.open(file, "rb") as sound:
        frames = sound.readframes(sound.getnframes())
        width = sound.getsampwidth()
    # Samples are big-endian as in the file; aifc swaps those of sowt.
    return audioop.lin2lin(audioop.byteswap(frames, width), width, 4)


pam.serve(read)
