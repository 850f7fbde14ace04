"""Pillow shows a picture as it is, however it is stored. Samples of more than 8 bits are of other modes."""
import io

import pytest
from PIL import Image

def decode(file):
    return Image.open(io.BytesIO(file)).convert("RGBA").tobytes()

@pytest.mark.equivalents("../../../corpus/seeds/*.tif", n=300, without=["bits"])
def test_tiff(equivalent):
    assert decode(equivalent.data) == decode(equivalent.seed.data)
@pytest.mark.equivalents("../../../corpus/bmp/pil*.bmp", n=300, format="bmp")
def test_bmp(equivalent):
    assert decode(equivalent.data) == decode(equivalent.seed.data)
