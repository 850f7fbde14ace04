"""Krita, whose runner of scripts calls serve(): the first page, at the depth of its layer."""

import os
import sys

import pam

with pam.needed():
    from krita import Krita

    import numpy

DEPTHS = {"U8": "u1", "U16": "<u2", "F16": "<f2", "F32": "<f4"}
# The order of channels in memory, as that of PAM.
ORDERS = {"GRAYA": lambda depth: [0, 1], "RGBA": lambda depth: [0, 1, 2, 3] if depth[0] == "F" else [2, 1, 0, 3]}


def read(file):
    document = Krita.instance().openDocument(file)
    if document is None:
        raise ValueError("openDocument returned nothing")
    try:
        # Pages become layers, the first one the lowest.
        layer = document.topLevelNodes()[0]
        width, height = document.width(), document.height()
        model, depth = layer.colorModel(), layer.colorDepth()
        if model not in ORDERS or depth not in DEPTHS:
            raise pam.GlueFailure(f"a layer of {model} {depth}")
        order = ORDERS[model](depth)
        data = bytes(layer.pixelData(0, 0, width, height))
    finally:
        document.close()
    samples = numpy.frombuffer(data, DEPTHS[depth]).reshape(height, width, len(order))
    return pam.array(samples[:, :, order])


def serve(arguments):
    Krita.instance().setBatchmode(True)
    sys.argv = ["read_krita", *arguments]
    pam.run(read)
    # The runner itself would wait for ever.
    os._exit(0)
