"""tifffile gives samples as they are stored, so only what does not change these varies."""
import io

import pytest
import tifffile

SHAPE = ["alpha", "bits", "orientation", "planar", "samples_per_pixel"]

@pytest.mark.equivalents("../../../corpus/seeds/[rs]*.tif", n=300, without=SHAPE)
def test_samples(equivalent):
    samples = [tifffile.imread(io.BytesIO(x.data)).tolist() for x in (equivalent, equivalent.seed)]
    assert samples[0] == samples[1]
