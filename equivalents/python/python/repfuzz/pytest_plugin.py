"""A plugin of pytest: a test runs on files that mean the same, and a failure comes with its cause.

::

    @pytest.mark.equivalents("seeds/*.tif", n=100)
    def test_storage_does_not_matter(equivalent):
        assert numpy.array_equal(decode(equivalent.data), decode(equivalent.seed.data))

The test runs once for each seed, with `n` files that mean what the seed means. Files that fail are reduced to those
that differ least from the seed; their choices are the causes in the failure's message, and the files are kept until
the test runs again.
"""

from __future__ import annotations

import bdb
import hashlib
import inspect
import json
import re
import unittest
import warnings
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from repfuzz import Seed, Variant

#: The number of causes that are searched for with one seed.
CAUSES = 5

#: The names of reduced files are cut to this number of characters, and a digest is added.
LENGTH = 120

NAMES = ("n", "seed", "vary", "without", "fix", "format", "spec")


@dataclass(frozen=True)
class _Files:
    """A seed file, and which files a test runs on."""

    path: Path
    #: The path relative to the folder of the test, which is a part of the test's name.
    name: str
    read_as: dict[str, Any]
    arguments: dict[str, Any]


class _Causes(AssertionError):
    """The causes of a test's failures."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "equivalents(*globs, n=100, seed=1, vary=[], without=[], fix={}, format=\"tiff\", spec=None): run with files that mean what "
        "the seed files mean, as the fixture `equivalent`; globs are absolute or relative to the file of the test",
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("repfuzz")
    group.addoption(
        "--equivalents-dir",
        default=".repfuzz",
        help="folder for reduced files of failed tests, relative to the root folder (default: %(default)s)",
    )
    group.addoption("--equivalents-n", type=int, default=None, help="number of files for each seed, for all tests")


@pytest.fixture
def equivalent(request: pytest.FixtureRequest) -> Variant:
    """A file that means what the seed means: `equivalent.data`, `equivalent.seed.data`, `equivalent.choices`."""
    files = getattr(request, "param", None)
    if files is None:
        raise pytest.UsageError("a test with the fixture `equivalent` needs the marker @pytest.mark.equivalents(GLOB)")
    # The seed itself: the plugin replaces it by each variant.
    return Seed(files.path, **files.read_as).replay({})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("equivalents")
    if marker is None:
        return
    where = f"{metafunc.definition.nodeid}: the marker equivalents"
    if "equivalent" not in metafunc.fixturenames:
        raise pytest.UsageError(f"{where} is for tests with a parameter `equivalent`")
    unknown = sorted(set(marker.kwargs) - set(NAMES))
    if unknown or not marker.args:
        problem = f"has no argument {unknown[0]!r}" if unknown else "needs a glob of seed files"
        raise pytest.UsageError(f"{where} {problem}")
    folder = metafunc.definition.path.parent
    arguments = dict(marker.kwargs)
    read_as: dict[str, Any] = {name: arguments.pop(name) for name in ("format", "spec") if name in arguments}
    if (n := metafunc.config.getoption("equivalents_n")) is not None:
        arguments["n"] = n
    found = sorted({path for glob in marker.args for path in _glob(folder, Path(str(glob)))})
    if not found:
        raise pytest.UsageError(f"{where} names no file: {', '.join(map(str, marker.args))} in {folder}")
    if "spec" in read_as:
        read_as["spec"] = str(folder / read_as["spec"])
    files = [_Files(path, _name(path, folder), read_as, arguments) for path in found]
    metafunc.parametrize("equivalent", files, ids=[file.name for file in files], indirect=True)


def _glob(folder: Path, glob: Path) -> list[Path]:
    """Returns the files that a glob names; it is relative to the folder, or absolute."""
    if glob.is_absolute():
        folder, glob = Path(glob.anchor), glob.relative_to(glob.anchor)
    return [path for path in folder.glob(str(glob)) if path.is_file()] if glob.parts else []


def _name(path: Path, folder: Path) -> str:
    return (path.relative_to(folder) if path.is_relative_to(folder) else path).as_posix()


@pytest.hookimpl(wrapper=True, specname="pytest_pyfunc_call")
def pytest_refuse_async(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Fails async tests before any other plugin calls them, as it would with the seed only."""
    __tracebackhide__ = True
    if _files(pyfuncitem) and _is_async(pyfuncitem.obj):
        _fail_async(pyfuncitem)
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    files = _files(pyfuncitem)
    if files is None:
        return None
    __tracebackhide__ = True
    test = _Test(pyfuncitem)
    kept = _kept(pyfuncitem, files)
    for file in kept:
        # Those of an earlier run say nothing of the test as it is now.
        file.unlink(missing_ok=True)
    seed = test.arguments["equivalent"].seed
    # A test that fails on the seed itself says nothing of how files are stored.
    test.call(seed.replay({}))
    causes = list(_causes(seed, seed.variants(**files.arguments), test))
    if causes:
        raise _Causes(_message(files, causes, kept)) from causes[0][1]
    if test.xfail:
        raise test.xfail
    if test.skip and not test.passes:
        raise test.skip
    return True


def _files(item: pytest.Function) -> _Files | None:
    """Returns the files that the marker gives a test; None without the marker."""
    callspec = getattr(item, "callspec", None)
    files = callspec.params.get("equivalent") if callspec else None
    return files if isinstance(files, _Files) else None


def _is_async(test: object) -> bool:
    return inspect.iscoroutinefunction(test) or inspect.isasyncgenfunction(test)


def _fail_async(item: pytest.Function) -> NoReturn:
    pytest.fail(
        f"{item.nodeid}: an async test with the marker equivalents needs a plugin that makes it a plain function, such as "
        "pytest-asyncio",
        pytrace=False,
    )


class _Test:
    """A test as a function of files, and its outcomes on them that are no failures."""

    def __init__(self, item: pytest.Function) -> None:
        self.item = item
        self.arguments: dict[str, Any] = {name: item.funcargs[name] for name in item._fixtureinfo.argnames}
        #: The number of files on which it passed.
        self.passes = 0
        #: The first of each kind.
        self.skip: BaseException | None = None
        self.xfail: BaseException | None = None

    def call(self, variant: Variant) -> None:
        """Runs the test."""
        __tracebackhide__ = True
        result = self.item.obj(**{**self.arguments, "equivalent": variant})
        if hasattr(result, "__await__") or hasattr(result, "__aiter__"):
            if inspect.iscoroutine(result):
                # Else Python warns that nobody awaited it.
                result.close()
            _fail_async(self.item)
        if result is not None and not variant.choices:
            warning = f"{self.item.nodeid} returned {type(result)!r}: did you mean `assert` instead of `return`?"
            warnings.warn(pytest.PytestReturnNotNoneWarning(warning))

    def failure(self, variant: Variant) -> BaseException | None:
        """Runs the test and returns its failure, if any. A skip or an expected failure is none."""
        try:
            self.call(variant)
        except (pytest.exit.Exception, bdb.BdbQuit):
            # They end the session.
            raise
        except (pytest.skip.Exception, unittest.SkipTest) as skip:
            self.skip = self.skip or skip
        except pytest.xfail.Exception as xfail:
            self.xfail = self.xfail or xfail
        except (Exception, pytest.fail.Exception) as failure:
            return failure
        else:
            self.passes += 1
        return None


def _kept(item: pytest.Function, files: _Files) -> list[Path]:
    """Returns the paths for the reduced files of a test, which no other test has, in the folder that the options name."""
    module, *classes = item.nodeid.removesuffix(f"::{item.name}").split("::")
    seed = files.name.removesuffix(files.path.suffix)
    place = [*module.removesuffix(".py").split("/"), *classes, item.originalname]
    case = item.callspec.id.replace(files.name, seed, 1).split("/")
    whole = "-".join(".".join(part for part in parts if part not in ("", "..")) for parts in (place, case))
    name = re.sub(r"[^\w.-]+", "_", whole, flags=re.ASCII)[:LENGTH]
    if name != whole or any(not part or "." in part for part in (*place, *case)):
        # Another test may have the same name.
        name += "-" + hashlib.sha256(item.nodeid.encode("utf-8", "replace")).hexdigest()[:8]
    folder = item.config.rootpath / str(item.config.getoption("equivalents_dir"))
    return [folder / f"{name}-{k}{files.path.suffix}" for k in range(1, CAUSES + 1)]


def _causes(seed: Seed, variants: Iterator[Variant], test: _Test) -> Iterator[tuple[Variant, BaseException]]:
    """Yields reduced files that fail, with the failures; not those that have all choices of an earlier one."""
    found: list[dict[str, Any]] = []
    for variant in variants:
        if any(cause.items() <= variant.choices.items() for cause in found):
            continue
        first = test.failure(variant)
        if first is None:
            continue
        kind = type(first)
        # The least file that fails in the same way.
        least = seed.shrink(variant, lambda file: type(test.failure(file)) is kind)
        failure = None if least is None else test.failure(least)
        if least is None or failure is None:
            raise AssertionError(f"the test fails now and then: {variant!r} failed and passed") from first
        if least.choices in found:
            continue
        found.append(least.choices)
        yield least, failure
        if len(found) == CAUSES:
            return


def _message(files: _Files, causes: list[tuple[Variant, BaseException]], kept: list[Path]) -> str:
    """Describes the causes, and keeps their files at the first of the paths."""
    kept[0].parent.mkdir(parents=True, exist_ok=True)
    lines = [f"the test passes on {files.path.name}, and fails on files that mean the same. They differ from it in:"]
    for k, ((variant, failure), path) in enumerate(zip(causes, kept), 1):
        path.write_bytes(variant.data)
        choices = ", ".join(f"{name} = {_shown(value)}" for name, value in variant.choices.items())
        first = (str(failure).strip().splitlines() or [""])[0]
        said = f"{type(failure).__name__}: {first}".removesuffix(": ")
        lines += [f"  {k}. {choices} [{variant.legality}]", f"     {said[:200]}", f"     {path}"]
    if len(causes) == CAUSES:
        lines.append("  There may be more: the search ends here.")
    return "\n".join(lines)


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
