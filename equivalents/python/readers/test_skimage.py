"""scikit-image gives samples as they are stored, so only what does not change these varies."""
import pytest
from skimage.io import imread

SHAPE = ["alpha", "bits", "orientation", "planar", "samples_per_pixel"]

@pytest.mark.equivalents("../../../corpus/seeds/[rs]*.tif", n=300, without=SHAPE)
def test_samples(equivalent, tmp_path):
    path = tmp_path / "picture.tif"
    path.write_bytes(equivalent.data)
    read = imread(path)
    path.write_bytes(equivalent.seed.data)
    assert read.tolist() == imread(path).tolist()
