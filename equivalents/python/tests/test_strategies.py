"""The strategy of Hypothesis."""

import random

import pytest
from hypothesis import find, given, settings

from repfuzz import NotRead, equal
from repfuzz.strategies import equivalent_to


def test_all_files_mean_the_same(tiny):
    @settings(max_examples=30, deadline=None, derandomize=True)
    @given(equivalent_to(tiny))
    def test(variant):
        assert equal(tiny, variant.data)

    test()


@pytest.mark.parametrize("seed", range(5))
def test_a_failure_shrinks_to_its_cause(tiny, seed):
    found = find(
        equivalent_to(tiny),
        lambda variant: variant.data[:2] == b"MM",
        settings=settings(max_examples=200, deadline=None),
        random=random.Random(seed),
    )
    assert found.choices == {"byte order": "MM"}


def test_a_failure_of_two_choices_keeps_both(tiny):
    found = find(
        equivalent_to(tiny),
        lambda variant: variant.data[:2] == b"MM" and variant.choices.get("tiled") == 1,
        settings=settings(max_examples=500, deadline=None),
        random=random.Random(1),
    )
    assert {"byte order", "tiled"} <= set(found.choices)
    assert set(found.choices) <= {"byte order", "tiled", "tile_length", "tile_width"}


def test_a_restriction_holds(tiny):
    @settings(max_examples=20, deadline=None, derandomize=True)
    @given(equivalent_to(tiny, vary=["byte order", "orientation"], fix={"byte order": "MM"}))
    def test(variant):
        assert variant.data.startswith(b"MM")
        assert set(variant.choices) <= {"byte order", "orientation", "file fill"}

    test()


def test_bad_files_are_refused_at_once():
    with pytest.raises(NotRead):
        equivalent_to(b"no file")
