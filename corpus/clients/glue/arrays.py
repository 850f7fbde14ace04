"""Arrays of numbers as the Python clients give them: rows and columns, then the elements."""

import struct


def encode(array):
    """Rows and columns of an array of up to two dimensions, four bytes each, the least significant
    first; then its elements row by row, in the same byte order."""
    import numpy as np

    import pam

    a = np.asarray(array)
    if a.ndim > 2:
        raise pam.GlueFailure(f"an array of shape {a.shape}")
    rows, columns = (*a.shape, 1, 1)[:2]
    elements = a.astype(a.dtype.newbyteorder("<")).tobytes(order="C")
    return struct.pack("<II", rows, columns) + elements
