"""Volumes of whole numbers as the Python clients give them."""

import struct


def encode(sizes, voxels):
    """Three sizes, then the voxels, the first index fastest; all of four bytes, the least significant first.
    The numbers may be whole floating-point ones, as scaling gives them."""
    import numpy as np

    import pam

    voxels = np.asarray(voxels).ravel()
    whole = voxels.astype("<i4")
    if len(sizes) != 3 or not np.array_equal(whole, voxels):
        raise pam.GlueFailure(f"a volume of {sizes}, of type {voxels.dtype}")
    return struct.pack("<III", *sizes) + whole.tobytes()
