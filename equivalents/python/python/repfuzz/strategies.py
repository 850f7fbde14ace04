"""Equivalent files as a strategy of Hypothesis."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import reject
from hypothesis import strategies as st

from repfuzz import Data, Globs, Path, Seed, Variant
from repfuzz._native import Variants

__all__ = ["equivalent_to"]

#: Run numbers are drawn below this.
RUNS = 2**32


@st.composite
def _equivalents(draw: st.DrawFn, files: Variants) -> Variant:
    run = draw(st.integers(0, RUNS - 1))
    full = files._first(run)
    if full is None:
        reject()
    # Each dimension may be as in the seed, so that a failing file shrinks to the fewest that differ.
    kept = [name for name in full.choices if draw(st.booleans())]
    if len(kept) == len(full.choices):
        return full
    variant = files._first(run, kept)
    if variant is None:
        reject()
    return variant


def equivalent_to(
    data: Data | Seed,
    *,
    vary: Globs = (),
    without: Globs = (),
    fix: Mapping[str, object] | None = None,
    format: str = "tiff",
    spec: Path | None = None,
) -> st.SearchStrategy[Variant]:
    """Returns the strategy of files that mean what `data`, a file or the path of one, means.

    A failing file shrinks to files that mean the same and differ in fewer choices. The arguments are those of
    `repfuzz.variants`. Raises `NotRead`.
    """
    seed = data if isinstance(data, Seed) else Seed(data, format=format, spec=spec)
    # A strategy may be used by several threads: no file is taken from this iterator.
    return _equivalents(seed.variants(None, 1, vary, without, fix))
