"""The examples of the README run as they are, and pass a strict check of types, as the package does."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

import repfuzz

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
    pytester.runpytest("-p", "no:cacheprovider", "-p", "no:asyncio").assert_outcomes(passed=1)


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """A strict check of a module's text, which returns the lines of the report."""
    api = pytest.importorskip("mypy.api")
    folder = tmp_path_factory.mktemp("mypy")

    def check(text):
        (folder / "example.py").write_text(text)
        options = ["--strict", "--hide-error-codes", "--no-error-summary", "--cache-dir", str(folder / "cache")]
        said, problems, _ = api.run([*options, str(folder / "example.py")])
        assert not problems
        return said.splitlines()

    return check


def test_types_are_strict(mypy):
    assert mypy(DECODER + BLOCKS[0]) == []
    (said,) = mypy(DECODER + BLOCKS[0].replace("variant.data", "variant.date", 1))
    assert '"Variant" has no attribute "date"' in said


# Lines that run, and so pass.
RIGHT = """
import repfuzz
from repfuzz.strategies import equivalent_to

seed = repfuzz.Seed("photo.tif")
for v in seed.variants(2, vary=["byte order"], without=("tiled", "compress*"), fix={"orientation": 1}):
    v.seed.normalize()
    assert v.seed.equals("photo.tif") and len(list(v.seed.variants(3))) == 3
    assert v.replay(v.seed) == v and hash(v) and repfuzz.equal(v, v.seed.data)
    assert repfuzz.normalize(v).shape == (4, 5, 4)
equivalent_to(seed, vary={"byte order"}, without=frozenset({"orientation"}))
print(repfuzz.__version__.split("."))
"""

# Lines that raise TypeError or AttributeError.
WRONG = [
    'seed.variants(vary="orientation")',
    'seed.variants(without="orientation")',
    'seed.variants(fix=["orientation"])',
    'repfuzz.variants("photo.tif", vary="orientation")',
    'equivalent_to(seed, vary="orientation")',
    "repfuzz.normalize(3_000_000)",
    "repfuzz.normalize([1, 2, 3])",
    'repfuzz.normalize("photo.tif").shapes',
]


def test_types_agree_with_what_runs(tiny, tmp_path, monkeypatch, mypy):
    shutil.copy(tiny, tmp_path / "photo.tif")
    monkeypatch.chdir(tmp_path)
    scope = {}
    exec(compile(RIGHT, "example.py", "exec"), scope)
    for line in WRONG:
        with pytest.raises((TypeError, AttributeError), match="must be a|no attribute"):
            exec(line, scope)
    assert mypy(RIGHT) == []
    said = "\n".join(mypy(RIGHT + "\n".join(WRONG)))
    first = len(RIGHT.splitlines()) + 1
    wrong = {int(number) - first for number in re.findall(r"example.py:(\d+): error", said)}
    assert wrong == set(range(len(WRONG))), said


def test_types_of_values_are_those_of_formats(tiny, mypy):
    with pytest.raises(repfuzz.NotRead) as why:
        repfuzz.Seed(b"", format="none")
    formats = str(why.value).rpartition(": ")[2].split(", ")
    lines = mypy("import repfuzz\n" + "".join(f'reveal_type(repfuzz.normalize(b"", format="{name}"))\n' for name in formats))
    types = {name: re.search('"(.*)"', line)[1] for name, line in zip(formats, lines, strict=True)}
    assert "ndarray" in types["tiff"] and types.pop("tiff").endswith(" | Any")
    assert len(types) == 16
    for name, shown in types.items():
        value = next(filter(lambda value: value is not None, map(_value_as(name), (tiny.parents[1] / name).iterdir())))
        assert ("ndarray" in shown) == isinstance(value, numpy.ndarray) and not shown.endswith("| Any"), name


def _value_as(format):
    def value(path):
        try:
            return repfuzz.normalize(path, format=format)
        except (repfuzz.NotRead, IsADirectoryError):
            return None

    return value


def test_stubs_are_those_of_the_package(tmp_path):
    pytest.importorskip("mypy.stubtest")
    check = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "-p", "repfuzz"]
    checked = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    # Only the newest checkers know the decorator by which a stub would say that Seed has a layout of its own.
    (tmp_path / "allowed").write_text("repfuzz._native.Seed\n")
    compare = [sys.executable, "-m", "mypy.stubtest", "repfuzz", "--allowlist", "allowed", "--ignore-unused-allowlist"]
    compared = subprocess.run(compare, cwd=tmp_path, capture_output=True, text=True)
    assert compared.returncode == 0, compared.stdout + compared.stderr
