"""The examples of the README run as they are, and pass a strict check of types."""

import re
import shutil
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README.read_text(encoding="utf-8"), re.M | re.S)
# The reader's own decoder, which the README leaves open.
DECODER = """
import numpy.typing
import repfuzz

def decode(file: bytes) -> numpy.typing.NDArray[numpy.uint16]:
    return numpy.asarray(repfuzz.normalize(file), dtype=numpy.uint16)

"""


def test_the_five_lines_run(tiny, tmp_path, monkeypatch):
    assert len(BLOCKS[0].splitlines()) <= 5
    shutil.copy(tiny, tmp_path / "photo.tif")
    monkeypatch.chdir(tmp_path)
    exec(compile(DECODER + BLOCKS[0], "README.md", "exec"), {})
    wrong = DECODER.replace("normalize(file)", "normalize(file) if file[:2] == b'II' else 0")
    with pytest.raises(AssertionError, match="MM"):
        exec(compile(wrong + BLOCKS[0], "README.md", "exec"), {})


def test_the_marker_runs(tiny, pytester):
    (pytester.path / "seeds").mkdir()
    shutil.copy(tiny, pytester.path / "seeds")
    pytester.makepyfile(DECODER + "import numpy, pytest\n\n" + BLOCKS[1])
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_types_are_strict(tmp_path):
    api = pytest.importorskip("mypy.api")
    example = tmp_path / "example.py"
    example.write_text(DECODER + BLOCKS[0])
    strict = ["--strict", "--no-incremental", "--cache-dir", str(tmp_path / "cache")]
    said, problems, status = api.run([*strict, str(example)])
    assert status == 0, said + problems
    example.write_text(DECODER + BLOCKS[0].replace("variant.data", "variant.date", 1))
    said, problems, status = api.run([*strict, str(example)])
    assert status == 1 and '"Variant" has no attribute "date"' in said, said + problems
