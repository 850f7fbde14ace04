"""TIFF files that all mean the picture of the TIFF file in PICTURE, by tifffile with random options."""

import io
import os
from random import choice, randrange

import tifffile

DATA = tifffile.imread(os.environ["PICTURE"])
COMPRESSIONS = [None, "lzw", "adobe_deflate", "packbits", "zstd", "lzma"]


def file():
    compression = choice(COMPRESSIONS)
    planes = choice(["contig", "separate"])
    layout = choice([{"rowsperstrip": randrange(1, 65)}, {"tile": (16 * randrange(1, 9), 16 * randrange(1, 9))}])
    out = io.BytesIO()
    tifffile.imwrite(
        out,
        DATA if planes == "contig" else DATA.transpose(2, 0, 1),
        photometric="rgb",
        planarconfig=planes,
        byteorder=choice("<>"),
        bigtiff=choice([False, True]),
        compression=compression,
        predictor=compression in ("lzw", "adobe_deflate", "zstd") and choice([False, True]),
        metadata=None,
        software=choice(["tifffile", None]),
        maxworkers=1,
        **layout,
    )
    return out.getvalue()
