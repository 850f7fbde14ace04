"""What the Python clients share: how they are asked for pictures, and how they write them."""

import contextlib
import glob
import os
import sys
# Packages of PyPI beside the distribution's, which come first.
if packages := os.environ.get("GLUE_PACKAGES"):
    sys.path += glob.glob(os.path.join(packages, "lib/python*/site-packages"))


class GlueFailure(Exception):
    """The library has read the file, but this glue cannot say what its result means."""


TUPLES = {1: "GRAYSCALE", 2: "GRAYSCALE_ALPHA", 3: "RGB", 4: "RGB_ALPHA"}


def run(read):
    """Serves pictures that read(file) gives as (width, height, channels, maximum, bytes)."""
    serve(lambda file: encode(*read(file)))


def serve(make):
    """Serves picture files, make(file) -> bytes: one to argv[2] if the command line names
    two files, else as a worker whatever is asked for on standard input."""
    if len(sys.argv) == 3:
        try:
            picture = make(sys.argv[1])
        except Exception as error:  # what the library raises is its refusal
            sys.exit(words(error))
        with open(sys.argv[2], "wb") as out:
            out.write(picture)
        return
    # Libraries print: what goes to standard output from now on goes to standard error.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    answers.write(b"ready\n")
    answers.flush()
    for line in sys.stdin:
        file = line.rstrip("\n").partition(" ")[2]
        try:
            kind, data = b"picture", make(file)
        except Exception as error:
            kind, data = b"refused", words(error).encode(errors="replace")
        answers.write(kind + b" %d\n" % len(data) + data)
        answers.flush()


def words(error):
    """What a library says. The prefix tells a failure of this glue apart from a refusal."""
    if isinstance(error, GlueFailure):
        return f"glue: {error}"
    return f"{type(error).__name__}: {error}"


def encode(width, height, channels, maximum, data):
    """A PAM file."""
    header = (
        f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {channels}\nMAXVAL {maximum}\n"
        f"TUPLTYPE {TUPLES[channels]}\nENDHDR\n"
    )
    return header.encode() + data


@contextlib.contextmanager
def needed():
    """Around imports: a module that is not there is told apart from a refusal."""
    try:
        yield
    except (ImportError, OSError, ValueError) as error:
        sys.exit(f"not installed: {error}")


def rows(data, stride, row, height):
    """The rows without what pads them."""
    return b"".join(data[y * stride : y * stride + row] for y in range(height))


def stored(a, page):
    """The picture in an array of the samples that a file stores, in rows, columns and channels,
    or in planes; page is a tags.FirstPage. Extra samples other than alpha are left out. Where a
    library gives another number of channels than the file has, it has given them a meaning."""
    import numpy as np

    a = np.asarray(a)
    if a.ndim == 3 and page.planar and a.shape[1:] == (page.height, page.width):
        a = np.moveaxis(a, 0, -1)
    if a.ndim == 3 and a.shape[2] == page.samples:
        a = a[:, :, : page.colours + page.alpha]
    # Samples of less than a byte come in bytes, in some libraries stretched to their range.
    small = a.dtype == np.uint8 and page.bits < 8 and a.max(initial=0) < 1 << page.bits
    return array(a, (1 << page.bits) - 1 if small else None)


def array(a, maximum=None):
    """The picture in an array of rows, columns and channels."""
    import numpy as np

    a = np.asarray(a)
    if a.dtype == bool:
        a, maximum = a.astype(np.uint8), 1
    elif a.dtype == np.uint32:
        a = (a >> 16).astype(np.uint16)
    elif a.dtype.kind == "f" and np.all((a >= 0) & (a <= 1)):
        a = (a * 65535 + 0.5).astype(np.uint16)
    elif a.dtype not in (np.uint8, np.uint16):
        raise GlueFailure(f"samples of type {a.dtype}")
    if a.ndim == 2:
        a = a[:, :, None]
    if a.ndim != 3 or not 1 <= a.shape[2] <= 4:
        raise GlueFailure(f"an array of shape {a.shape}")
    maximum = maximum or int(np.iinfo(a.dtype).max)
    # PAM has one byte a sample up to 255, two from there on, the high one first.
    data = a.astype("u1" if maximum < 256 else ">u2").tobytes()
    return a.shape[1], a.shape[0], a.shape[2], maximum, data
