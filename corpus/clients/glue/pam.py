"""What the Python clients share: how they are asked for pictures, and how they write them."""

import concurrent.futures
import contextlib
import glob
import hashlib
import os
import sys
# Packages of PyPI beside the distribution's, which come first.
if packages := os.environ.get("GLUE_PACKAGES"):
    sys.path += glob.glob(os.path.join(packages, "lib/python*/site-packages"))


class GlueFailure(Exception):
    """The library has read the file, but this glue cannot say what its result means."""


TUPLES = {1: "GRAYSCALE", 2: "GRAYSCALE_ALPHA", 3: "RGB", 4: "RGB_ALPHA"}


def run(read, region=None, pages=None, metadata=None, rewrite=None):
    """Serves pictures that read(file) gives as (width, height, channels, maximum, bytes), and extra reads:
    region(file, x, y, width, height) gives a picture, pages(file) several, metadata(file) a dictionary, and
    rewrite(file, out) writes a file. Those by several threads are read(file)."""

    def picture(file):
        return encode(*read(file))

    def of_region(words):
        *numbers, file = words.split(" ", 4)
        return encode(*region(file, *map(int, numbers)))

    def of_threads(file):
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            return b"".join(threads.map(picture, [file, file]))

    def of_rewrite(file):
        out = os.path.join(os.path.dirname(file), "rewritten.tif")
        try:
            rewrite(file, out)
            with open(out, "rb") as written:
                return written.read()
        finally:
            if os.path.exists(out):
                os.remove(out)

    serve(
        picture,
        region=of_region,
        pages=lambda file: b"".join(encode(*page) for page in pages(file)),
        metadata=lambda file: lines(metadata(file)),
        threads=of_threads,
        rewrite=of_rewrite,
    )


def lines(metadata):
    """A line for each entry of a dictionary. Long values are shown by their digest."""
    text = "".join(f"{key}: {shown(metadata[key])}\n" for key in sorted(metadata))
    return text.encode(errors="replace")


def shown(value):
    text = repr(value)
    return text if len(text) < 200 else f"{len(value)}, SHA-256 {hashlib.sha256(text.encode()).hexdigest()}"


def serve(make, **extra):
    """Serves picture files, make(file) -> bytes: one to argv[2] if the command line names
    two files, else as a worker whatever is asked for on standard input. Extra reads have names of their own."""
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
        what, _, file = line.rstrip("\n").partition(" ")
        try:
            kind, data = b"picture", extra.get(what, make)(file)
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
