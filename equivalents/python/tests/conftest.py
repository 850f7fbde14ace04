"""What the tests share."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CORPUS = Path(__file__).parents[3] / "corpus"


@pytest.fixture
def tiny() -> Path:
    """A small TIFF file."""
    return CORPUS / "seeds" / "tiny.tif"


@pytest.fixture
def bmp() -> Path:
    """A small BMP file."""
    return CORPUS / "bmp" / "im32.bmp"
