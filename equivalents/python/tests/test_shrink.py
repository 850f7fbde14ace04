"""Shrinking of variants that another `Seed` made, and sequences that can make no file."""

import pathlib
import struct

import pytest

from repfuzz import NoVariant, Seed, variants

SEEDS = pathlib.Path(__file__).parents[3] / "corpus" / "seeds"

# The equation of Pell: neither a closed form nor a sampler solves it.
PELL = """
struct File { file: [u8] }
struct Picture { width: u32, height: u32, gray: [[u8; width]; height] }
fn normalize(x: &File, y: &mut Picture) {
    assume(bytes(x.file, 0) == b"PELL");
    let a = u32le(x.file, 4);
    let b = u32le(x.file, 8);
    assume(a * a == 3 * b * b + 1);
    assume(a >= 100000);
    y.width = 1;
    y.height = 1;
    y.gray[0][0] = x.file[12];
}
"""


def test_a_variant_of_the_same_file_read_again_shrinks() -> None:
    data = (SEEDS / "rgb.tif").read_bytes()
    found = next(v for v in variants(data, n=200) if v.data[:2] == b"MM")
    least = Seed(data).shrink(found, lambda v: v.data[:2] == b"MM")
    assert least is not None
    assert dict(least.choices) == {"byte order": "MM"}


def test_a_variant_of_another_seed_that_means_the_same_shrinks() -> None:
    first = Seed(SEEDS / "rgb.tif")
    other = Seed(first.replay({"byte order": "MM"}).data)
    for variant in first.variants(n=30):
        least = other.shrink(variant, lambda v: True)
        assert least is not None
        assert dict(least.choices) == {}


def test_a_variant_of_something_else_is_an_error() -> None:
    variant = next(iter(variants(SEEDS / "gray.tif", n=1)))
    with pytest.raises(ValueError, match="does not mean what this seed means"):
        Seed(SEEDS / "rgb.tif").shrink(variant, lambda v: True)


def test_a_sequence_that_can_make_no_file_says_why(tmp_path: pathlib.Path) -> None:
    spec = tmp_path / "pell.rs"
    spec.write_text(PELL)
    seed = b"PELL" + struct.pack("<II", 262087, 151316) + b"x"
    with pytest.raises(NoVariant, match="no variant can be made: .*"):
        list(variants(seed, n=3, spec=spec))
