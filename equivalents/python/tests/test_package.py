"""Variants, replay, canonical values, and shrinking."""

import importlib.metadata
import itertools
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest

import repfuzz
from repfuzz import NotRead, NotReplayed, Seed, Variant


def test_variants_mean_what_the_seed_means(tiny):
    picture = repfuzz.normalize(tiny)
    made = list(repfuzz.variants(tiny, n=20))
    assert len({variant.data for variant in made}) == 20
    for variant in made:
        assert numpy.array_equal(repfuzz.normalize(variant.data), picture)
        assert repfuzz.equal(tiny, variant.data)
        assert variant.seed.data == tiny.read_bytes()
        assert bytes(variant) == variant.data and len(variant) == len(variant.data)


def test_a_file_may_take_no_more_than_its_limit(tiny):
    # The picture has 5 x 4 pixels.
    seed = Seed(tiny, max_size=160)
    assert seed.equals(tiny) and repfuzz.equal(tiny, tiny, max_size=160)
    assert repfuzz.MAX_SIZE == 1 << 28
    for read in (Seed, repfuzz.normalize, repfuzz.variants):
        with pytest.raises(NotRead, match="at most 159 may be made of a file"):
            read(tiny, max_size=159)
    with pytest.raises(NotRead):
        repfuzz.replay(tiny, {}, max_size=1)
    with pytest.raises(OverflowError):
        Seed(tiny, max_size=-1)


def test_the_same_numbers_give_the_same_files(tiny):
    def of(seed):
        return [variant.data for variant in repfuzz.variants(tiny, n=5, seed=seed)]

    assert of(7) == of(7)
    assert of(7) != of(8)
    longer = list(itertools.islice(Seed(tiny).variants(n=None, seed=7), 8))
    assert [variant.data for variant in longer[:5]] == of(7)


def test_threads_give_the_same_files(tiny):
    seed = Seed(tiny)
    alone = [variant.data for variant in seed.variants(30)]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda _: [variant.data for variant in seed.variants(30)], range(4)))
    assert together == [alone] * 4


def test_a_restriction_holds(tiny):
    for variant in repfuzz.variants(tiny, n=10, vary=["orientation"]):
        # Free bytes that only some orientations need are filled.
        assert set(variant.choices) <= {"orientation", "file fill"}
    for variant in repfuzz.variants(tiny, n=10, fix={"byte order": "MM"}, without=["compress*"]):
        assert variant.data.startswith(b"MM")
        assert "compression" not in variant.choices
    with pytest.raises(ValueError, match="colour"):
        repfuzz.variants(tiny, vary=["colour"])
    with pytest.raises(TypeError, match="list of globs"):
        repfuzz.variants(tiny, vary="orientation")
    with pytest.raises(TypeError, match="fix must be a dict.* list"):
        repfuzz.variants(tiny, fix=["orientation=1"])


def test_mutated_files_mean_the_same(tiny, bmp):
    for file, format in ((tiny.read_bytes(), "tiff"), (bmp.read_bytes(), "bmp")):
        mutate = repfuzz.Mutator(format)
        made = [mutate(file, 4096, number) for number in range(20)]
        assert made == [repfuzz.Mutator(format)(file, 4096, number) for number in range(20)]
        assert len(set(made)) > 10
        for other in made:
            assert other != file and len(other) <= 4096 and repfuzz.equal(file, other, format=format)
        assert mutate(file, 10, 1) is None and mutate(b"no file", 4096, 1) is None
    with pytest.raises(NotRead, match="these do: tiff"):
        repfuzz.Mutator("gimp")


def test_choices_are_replayed(tiny):
    seed = Seed(tiny)
    for variant in seed.variants(20):
        assert seed.replay(variant.choices) == variant
        assert repfuzz.replay(tiny, variant.choices) == variant
        assert hash(seed.replay(variant.choices)) == hash(variant)
    assert seed.replay({}).data == seed.data
    other = Seed(tiny.with_name("rgb.tif"))
    moved = seed.replay({"byte order": "MM"}).replay(other)
    assert moved.seed is other and moved.data.startswith(b"MM")
    assert repfuzz.equal(other.data, moved.data)


@pytest.mark.parametrize("choices", [{"orientation": 9}, {"no such dimension": 1}, {"orientation": 2**100}])
def test_impossible_choices_are_refused(tiny, choices):
    with pytest.raises(NotReplayed, match=next(iter(choices))):
        repfuzz.replay(tiny, choices)


@pytest.mark.parametrize("value", [None, 1.5, [1, "two"], {}, 2**200])
def test_values_of_other_types_are_refused(tiny, value):
    with pytest.raises(TypeError, match="orientation"):
        repfuzz.replay(tiny, {"orientation": value})


def test_a_picture_is_an_array(tiny):
    picture = repfuzz.normalize(tiny)
    assert picture.shape == (4, 5, 4) and picture.dtype == numpy.uint16
    assert (picture % 257 == 0).all(), "of 8-bit samples"
    assert not picture.flags.writeable


def test_other_pictures_are_not_equal(tiny):
    assert not repfuzz.equal(tiny, tiny.with_name("square.tif"))


@pytest.mark.parametrize("data", [b"", b"II*\0", b"II*\0\x08\0\0\0\xff\xff", bytes(100)])
def test_files_that_are_not_read(tiny, data):
    with pytest.raises(NotRead):
        Seed(data)
    with pytest.raises(NotRead):
        repfuzz.equal(tiny, data)
    assert issubclass(NotRead, ValueError)


def test_forms_of_data(tiny):
    data = tiny.read_bytes()
    for form in (data, bytearray(data), memoryview(data), Seed(data).replay({}), str(tiny), tiny):
        assert Seed(form).data == data
    spread = bytearray(2 * len(data))
    spread[::2] = data
    assert Seed(memoryview(spread)[::2]).data == data
    with pytest.raises(FileNotFoundError):
        Seed("no such file.tif")


@pytest.mark.parametrize("data", [3_000_000, [1, 2, 3], None, {}])
def test_other_objects_are_no_data(tiny, data):
    for call in (repfuzz.normalize, Seed, repfuzz.variants, lambda data: repfuzz.equal(tiny, data)):
        with pytest.raises(TypeError, match=f"data must be .* {type(data).__name__}$"):
            call(data)


def test_the_version():
    assert repfuzz.__version__ == importlib.metadata.version("repfuzz")
    with pytest.raises(AttributeError, match="no attribute 'versions'"):
        repfuzz.versions


def test_formats_that_ship(bmp, tmp_path):
    for variant in repfuzz.variants(bmp, n=10, format="bmp"):
        assert repfuzz.equal(bmp, variant.data, format="bmp")
    with pytest.raises(NotRead, match="tiff, aiff"):
        Seed(bmp, format="jpeg")


SPEC = """
struct Line { file: [u8] }
struct Text { length: u8, bytes: [u8; length] }

fn normalize(x: &Line, y: &mut Text) {
    let length = x.file[0];
    y.length = length;
    for i in 0..length {
        y.bytes[i] = x.file[1 + i];
    }
}
"""


def test_a_spec_of_ones_own(tmp_path):
    spec = tmp_path / "text.rs"
    spec.write_text(SPEC)
    value = {"length": 2, "bytes": [104, 105]}
    assert repfuzz.normalize(b"\x02hi rest", spec=spec) == value
    variants = list(repfuzz.variants(b"\x02hi rest", n=5, spec=spec))
    assert all(repfuzz.normalize(variant.data, spec=spec) == value for variant in variants)
    spec.write_text(SPEC.replace("y.bytes[i]", "y.byte[i]"))
    with pytest.raises(NotRead, match="byte"):
        Seed(b"\x02hi", spec=spec)


def test_a_failing_file_shrinks_to_its_cause(tiny):
    seed = Seed(tiny)
    big_endian = next(variant for variant in seed.variants(20) if variant.data[:2] == b"MM")
    least = seed.shrink(big_endian, lambda variant: variant.data[:2] == b"MM")
    assert least.choices == {"byte order": "MM"}
    # Of another seed that means the same: not all choices can be replayed on it.
    again = Seed(seed.replay({"orientation": 3}).data)
    shrunk = [again.shrink(variant, lambda variant: variant.data[:2] == b"MM") for variant in seed.variants(20)]
    assert any(variant and variant.choices == {"byte order": "MM"} for variant in shrunk)
    assert seed.shrink(big_endian, lambda variant: False) is None
    with pytest.raises(ZeroDivisionError):
        seed.shrink(big_endian, lambda variant: 1 / 0)


def test_what_is_shown(tiny):
    variant = repfuzz.replay(tiny, {"byte order": "MM"})
    assert repr(variant) == "Variant(318 bytes, {'byte order': 'MM'})"
    assert repr(variant.seed) == "Seed(318 bytes)"
    assert variant.legality == "baseline"
    assert isinstance(variant, Variant)
    assert "byte order" in variant.seed.dimensions


def test_files_go_to_other_processes(tiny):
    with pytest.raises(TypeError):
        pickle.dumps(Seed(tiny))
    variant = repfuzz.replay(tiny, {"byte order": "MM"})
    assert pickle.loads(pickle.dumps((variant.data, variant.choices)))[1] == {"byte order": "MM"}
