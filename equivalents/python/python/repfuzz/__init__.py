"""Equivalent files for the tests of decoders.

Two files are equivalent if they mean the same, however they store it. A decoder must return the same result for
both. This package turns one file into any number of equivalent ones, of TIFF or of any format that a spec describes::

    for variant in repfuzz.variants("photo.tif", n=100):
        assert numpy.array_equal(decode(variant.data), decode(variant.seed.data)), variant

Each file has been read back and normalized before it is returned: it means what its seed means. The same seed and
numbers give the same files, on any machine.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, SupportsBytes, Union, overload

import numpy
import numpy.typing

from repfuzz import _native
from repfuzz._native import MAX_SIZE, Mutator, NotRead, NotReplayed, NoVariant, Variant

__all__ = ["MAX_SIZE", "Mutator", "NotRead", "NotReplayed", "NoVariant", "Seed", "Variant", "equal", "normalize", "replay", "variants"]

Path = Union[str, "os.PathLike[str]"]
Data = Union[bytes, bytearray, memoryview, Variant, str, "os.PathLike[str]"]
# A str is an iterable of str as well, but no list of globs.
Globs = Union[list[str], tuple[str, ...], set[str], frozenset[str]]
Picture = numpy.typing.NDArray[numpy.uint16]

if TYPE_CHECKING:
    from typing_extensions import Self

    __version__: str
else:

    def __getattr__(name: str) -> str:
        if name == "__version__":
            return importlib.metadata.version(__name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _bytes(data: Data) -> bytes:
    """Returns the bytes, or those of the file at the path."""
    if isinstance(data, (str, os.PathLike)):
        with open(data, "rb") as file:
            return file.read()
    # A `bytes` of Python 3.10 has no __bytes__.
    if isinstance(data, (bytes, SupportsBytes)):
        return bytes(data)
    try:
        view = memoryview(data)
    except TypeError:
        # bytes(data) would make a file of a number, or of a list of them.
        raise TypeError(f"data must be a file, as bytes, or its path, and not {_kind(data)}") from None
    with view:
        return view.tobytes()


def _kind(value: object) -> str:
    return f"an object of type {type(value).__name__}"


class Seed(_native.Seed):
    """A file that is read once, and whose equivalents are wanted many times.

    `data` is the file or the path of one. `format` is the name of a format that ships ("tiff", "bmp", "zip"); `spec`
    is instead the path of the spec, or of the pipeline, of another one. `max_size` bounds the bytes that the file may
    take once it is decoded: 8 for each pixel of a picture. Raises `NotRead`.
    """

    def __new__(
        cls, data: Data, *, format: str = "tiff", spec: Path | None = None, max_size: int = MAX_SIZE
    ) -> Self:
        return super().__new__(cls, _bytes(data), format, spec, max_size)

    def variants(
        self,
        n: int | None = 100,
        seed: int = 1,
        vary: Globs = (),
        without: Globs = (),
        fix: Mapping[str, object] | None = None,
    ) -> _native.Variants:
        """Iterates over `n` files that mean the same; without a limit if `n` is None.

        All randomness comes from the number `seed`. `vary` has globs of the dimensions that vary, all if it is empty;
        `without` has those that do not; `fix` gives dimensions values. Raises `ValueError` if they do not fit the file.
        """
        for name, globs in (("vary", vary), ("without", without)):
            if isinstance(globs, str):
                raise TypeError(f"{name} must be a list of globs: [{globs!r}]")
        if fix is not None and not isinstance(fix, Mapping):
            raise TypeError(f"fix must be a dict of dimensions and their values, and not {_kind(fix)}")
        fixed = [f"{name}={_word(value)}" for name, value in (fix or {}).items()]
        return self._variants(n, seed, list(vary), list(without), fixed)

    def normalize(self) -> Any:
        """Returns the canonical value, as the function `normalize` does.

        Type checkers see `Any`, since its type depends on the format, which is no part of the type `Seed`.
        """
        value = self._canonical()
        if len(value) == 3:
            height, width, samples = value
            return numpy.frombuffer(samples, dtype=numpy.uint16).reshape(height, width, 4)
        text, is_json = value
        return json.loads(text) if is_json else text

    def equals(self, data: Data) -> bool:
        """Returns True if the file `data` means the same. Raises `NotRead`."""
        return super().equals(_bytes(data))


def _word(value: object) -> str:
    """Returns a value as texts of restrictions have it."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(str(item) for item in value) + "]"
    return str(value)


def variants(
    data: Data,
    n: int | None = 100,
    seed: int = 1,
    vary: Globs = (),
    without: Globs = (),
    fix: Mapping[str, object] | None = None,
    *,
    format: str = "tiff",
    spec: Path | None = None,
    max_size: int = MAX_SIZE,
) -> Iterator[Variant]:
    """Iterates over `n` files that mean what `data`, a file or the path of one, means.

    All randomness comes from the number `seed`. `vary` has globs of the dimensions that vary (`["orientation",
    "segment *"]`), all if it is empty; `without` has those that do not; `fix` gives dimensions values
    (`{"byte order": "MM"}`). `format`, `spec` and `max_size` are those of `Seed`. Raises `NotRead`, and `ValueError` if the restriction does
    not fit the file. The iterator raises `NoVariant` if no file can be made.
    """
    return Seed(data, format=format, spec=spec, max_size=max_size).variants(n, seed, vary, without, fix)


def replay(
    data: Data,
    choices: Mapping[str, Any],
    *,
    format: str = "tiff",
    spec: Path | None = None,
    max_size: int = MAX_SIZE,
) -> Variant:
    """Returns the file that differs from `data` in `choices` only, and means the same.

    `choices` are those of a variant, or those that the program repfuzz prints. Raises `NotRead` and `NotReplayed`.
    """
    return Seed(data, format=format, spec=spec, max_size=max_size).replay(dict(choices))


# A TIFF file whose samples are no colors has a str, which callers need not exclude.
@overload
def normalize(
    data: Data, *, format: Literal["tiff"] = "tiff", spec: None = None, max_size: int = MAX_SIZE
) -> Picture | Any: ...
@overload
def normalize(
    data: Data,
    *,
    format: Literal["bmp", "gif", "ico", "png", "pnm", "tga"],
    spec: None = None,
    max_size: int = MAX_SIZE,
) -> Picture: ...
@overload
def normalize(
    data: Data, *, format: str = "tiff", spec: Path | None = None, max_size: int = MAX_SIZE
) -> Any: ...
def normalize(data: Data, *, format: str = "tiff", spec: Path | None = None, max_size: int = MAX_SIZE) -> Any:
    """Returns the canonical value of a file: equal for two files if and only if they mean the same.

    That of a picture is a read-only array of shape (height, width, 4) and type uint16: red, green, blue and alpha in
    display orientation, not premultiplied, in which an 8-bit sample `v` is `v * 257`. Of a TIFF file with several
    pages it is that of the first. Of a TIFF file whose samples are no colors it is a line with their digest. That
    of a format whose value is not a picture is as JSON has it. Raises `NotRead`.
    """
    return Seed(data, format=format, spec=spec, max_size=max_size).normalize()


def equal(
    a: Data, b: Data, *, format: str = "tiff", spec: Path | None = None, max_size: int = MAX_SIZE
) -> bool:
    """Returns True if two files mean the same. Raises `NotRead` if one of them cannot be read."""
    return Seed(a, format=format, spec=spec, max_size=max_size).equals(b)
