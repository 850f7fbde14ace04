"""imageio reads a picture as one array, however it is stored."""
import imageio.v3 as iio
import numpy
import pytest

@pytest.mark.equivalents("../../../corpus/bmp/[gnp]*.bmp", n=300, format="bmp")
def test_picture(equivalent):
    read, expected = (iio.imread(x.data, mode="RGB") for x in (equivalent, equivalent.seed))
    assert numpy.array_equal(read, expected)
