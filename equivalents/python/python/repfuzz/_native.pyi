from collections.abc import Callable, Iterator
from os import PathLike
from typing import Any, final

from typing_extensions import Self

import repfuzz

__all__ = ["MAX_SIZE", "Mutator", "NotRead", "NotReplayed", "NoVariant", "Seed", "Variant", "Variants"]

MAX_SIZE: int

_Choice = int | list[int] | str

class NotRead(ValueError):
    """A spec has errors, or a file is not of its format, has a feature that is not supported, or is too large."""

class NoVariant(ValueError):
    """A hundred attempts in a row made no file that means what the seed means."""

class NotReplayed(ValueError):
    """No file that means what the seed means has these choices."""

@final
class Variant:
    """A file that means what its seed means."""

    @property
    def data(self) -> bytes:
        """The file."""
    @property
    def seed(self) -> repfuzz.Seed:
        """The seed that it is equivalent to."""
    @property
    def choices(self) -> dict[str, _Choice]:
        """The choices in which it differs from the seed."""
    @property
    def legality(self) -> str:
        """Its class by the standard: "baseline" if every reader must accept it, "extension" or "questionable"."""
    def replay(self, seed: repfuzz.Seed) -> Variant:
        """Returns the file with these choices that means what another seed means."""
    def __bytes__(self) -> bytes: ...
    def __len__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Mutator:
    """A custom mutator of fuzzers: from one file to another that means the same.

    `format` is the name of a format that ships; `spec` is instead the path of the spec of another one. Raises `NotRead`.
    """

    def __new__(cls, format: str = "tiff", spec: str | PathLike[str] | None = None) -> Self: ...
    def __call__(self, data: bytes, max_size: int, seed: int) -> bytes | None:
        """Returns another file of at most `max_size` bytes that means what `data` means, from the number `seed`.

        Returns `None` if `data` cannot be read or nothing fits: then the fuzzer's own mutation is due.
        """

@final
class Variants(Iterator[Variant]):
    """An iterator over files that mean what a seed means. It raises `NoVariant` if it can make none."""

    def __next__(self) -> Variant: ...
    def _first(self, run: int, dimensions: list[str] | None = None) -> Variant | None: ...

class Seed:
    """A file that was read once, whose equivalents are wanted many times."""

    def __new__(
        cls, data: bytes, format: str, spec: str | PathLike[str] | None = None, max_size: int = ...
    ) -> Self: ...
    @property
    def data(self) -> bytes:
        """The file."""
    @property
    def dimensions(self) -> list[str]:
        """The names of the dimensions in which files that mean the same differ."""
    def replay(self, choices: dict[str, Any]) -> Variant:
        """Returns the file that differs from this one in `choices` only, and means the same."""
    def shrink(self, variant: Variant, fails: Callable[[Variant], object]) -> Variant | None:
        """Returns the file that differs least from this one and still fails, as `variant` does.

        `fails` is called with variants. The result is `None` if `variant` does not fail when it is built again.
        Raises `ValueError` if `variant` means something else than this file.
        """
    def equals(self, data: bytes) -> bool: ...
    def _canonical(self) -> tuple[int, int, bytes] | tuple[str, bool]: ...
    def _variants(
        self,
        n: int | None = ...,
        seed: int = 1,
        vary: list[str] | None = None,
        without: list[str] | None = None,
        fix: list[str] | None = None,
    ) -> Variants: ...
