"""Samples of a WAVE file as SciPy reads them, as signed integers of 32 bits."""

import sys
import warnings

from scipy.io import wavfile

# It warns of every chunk that it does not know.
warnings.simplefilter("ignore")
try:
    rate, samples = wavfile.read(sys.argv[1])
    if samples.dtype.kind == "u":
        samples = (samples.astype("int64") - 128) << 24
    elif samples.dtype.itemsize == 2:
        samples = samples.astype("int64") << 16
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")
with open(sys.argv[2], "wb") as out:
    out.write(samples.astype("<i4").tobytes())
