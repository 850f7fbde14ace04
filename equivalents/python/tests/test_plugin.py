"""The plugin of pytest."""

import pytest

import repfuzz


@pytest.fixture
def project(pytester, tiny):
    """A folder with a seed file."""
    seeds = pytester.mkdir("seeds")
    (seeds / "tiny.tif").write_bytes(tiny.read_bytes())
    return pytester


def run(project, body, *options, marker='"seeds/*.tif", n=20'):
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    project.makepyfile(f"import pytest\n\n@pytest.mark.equivalents({marker})\ndef test_reader(equivalent):\n{lines}\n")
    return project.runpytest_subprocess("-p", "no:cacheprovider", *options)


def test_a_reader_that_is_right_passes(project):
    result = run(project, "import repfuzz\nassert repfuzz.equal(equivalent.data, equivalent.seed.data)")
    result.assert_outcomes(passed=1)


def test_a_failure_comes_with_its_cause_and_its_file(project):
    result = run(project, 'assert equivalent.data[:2] == b"II", "not little-endian"')
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*passes on tiny.tif, and fails on files that mean the same*",
            "*1. byte order = MM [[]baseline]",
            "*AssertionError: not little-endian*",
        ]
    )
    (kept,) = (project.path / ".repfuzz").iterdir()
    seed = (project.path / "seeds" / "tiny.tif").read_bytes()
    assert kept.read_bytes() == repfuzz.replay(seed, {"byte order": "MM"}).data
    module = "test_a_failure_comes_with_its_cause_and_its_file"
    assert kept.name == f"{module}.test_reader-seeds.tiny-1.tif"
    result.stdout.fnmatch_lines([f"*{kept}"])
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")


TESTS = """
import pytest

@pytest.mark.equivalents("seeds/*.tif*", n=1, fix={"byte order": "MM"})
def test_reader(equivalent):
    assert equivalent.data[:2] == b"II"

class TestPages:
    @pytest.mark.equivalents("seeds/*.tif", n=1, fix={"byte order": "MM"})
    def test_reader(self, equivalent):
        assert equivalent.data[:2] == b"II"

@pytest.mark.equivalents("seeds/*.tif", n=1, fix={"byte order": "MM"})
@pytest.mark.parametrize("page", ["1/2", "1.2", "/1/2", "../1/2", "1 2", "1\N{DEGREE SIGN}2", "x" * 200 + "1", "x" * 200 + "2"])
def test_pages(equivalent, page):
    assert equivalent.data[:2] == b"II"
"""


def test_each_test_has_files_of_its_own(project, tiny):
    for folder in ("a", "b.c", "b/c"):
        (project.path / folder / "seeds").mkdir(parents=True)
        (project.path / folder / "seeds" / "rgb.tif").write_bytes(tiny.read_bytes())
        (project.path / folder / "seeds" / "rgb.tiff").write_bytes(tiny.read_bytes())
        (project.path / folder / "test_a.py").write_text(TESTS)
        (project.path / folder / "test_b.py").write_text(TESTS)
    options = ("-p", "no:cacheprovider", "--import-mode=importlib", "-q")
    result = project.runpytest_subprocess(*options)
    result.assert_outcomes(failed=3 * 2 * 11)
    kept = {path.name for path in (project.path / ".repfuzz").iterdir()}
    assert len(kept) == 3 * 2 * 11
    for name in ("a.test_a.test_reader", "a.test_b.test_reader", "b.c.test_a.TestPages.test_reader"):
        assert f"{name}-seeds.rgb-1.tif" in kept
    assert max(map(len, kept)) < 150


def test_files_of_an_earlier_run_do_not_stay(project):
    body = 'assert equivalent.data[:2] == b"II"\nassert equivalent.choices.get("orientation", 1) == 1'
    run(project, body, marker='"seeds/*.tif", n=60').assert_outcomes(failed=1)
    folder = project.path / ".repfuzz"
    assert len(list(folder.iterdir())) >= 2
    other = folder / "of_another_test-1.tif"
    other.write_bytes(b"")
    run(project, body.splitlines()[0]).assert_outcomes(failed=1)
    assert len(set(folder.iterdir()) - {other}) == 1
    run(project, "assert False").assert_outcomes(failed=1)
    assert list(folder.iterdir()) == [other]


def test_several_causes_are_found(project):
    body = 'assert equivalent.data[:2] == b"II"\nassert equivalent.choices.get("orientation", 1) == 1'
    result = run(project, body, marker='"seeds/*.tif", n=60')
    result.assert_outcomes(failed=1)
    for cause in ("byte order = MM", "orientation = "):
        result.stdout.fnmatch_lines([f"*[12]. {cause}*"])
    assert len(list((project.path / ".repfuzz").iterdir())) >= 2


def test_a_test_that_fails_on_the_seed_says_so_itself(project):
    result = run(project, 'raise ValueError("always")')
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*ValueError: always*"])
    result.stdout.no_fnmatch_line("*files that mean the same*")
    assert not (project.path / ".repfuzz").exists()


SKIPS = ['pytest.skip("not supported")', 'import unittest; raise unittest.SkipTest("not supported")']


@pytest.mark.parametrize("skip", SKIPS)
def test_files_that_a_reader_skips_do_not_fail(project, skip):
    run(project, f'if equivalent.data[:2] == b"MM": {skip}').assert_outcomes(passed=1)


@pytest.mark.parametrize("skip", SKIPS)
def test_a_reader_that_skips_all_files_is_skipped(project, skip):
    result = run(project, f"if equivalent.choices: {skip}", "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED*not supported"])


def test_an_expected_failure_is_no_cause(project):
    known = 'if equivalent.data[:2] == b"MM": pytest.xfail("known")\n'
    result = run(project, known, "-rx")
    result.assert_outcomes(xfailed=1)
    result.stdout.fnmatch_lines(["XFAIL*known"])
    assert not (project.path / ".repfuzz").exists()
    # It hides no cause.
    result = run(project, known + 'assert equivalent.choices.get("orientation", 1) == 1', marker='"seeds/*.tif", n=60')
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*1. orientation = *"])
    result.stdout.no_fnmatch_line("*byte order*")


def test_the_end_of_a_session_is_no_cause(project):
    result = run(project, 'if equivalent.choices: pytest.exit("enough", returncode=7)')
    assert result.ret == 7 and not (project.path / ".repfuzz").exists()


PLAIN = "import pytest\n\n@pytest.mark.equivalents('seeds/*.tif', n=20)\n"


@pytest.mark.parametrize(
    "test",
    [
        "async def test_reader(equivalent):\n    assert False\n",
        "async def test_reader(equivalent):\n    assert False\n    yield\n",
        "def test_reader(equivalent):\n    async def test(): assert False\n    return test()\n",
    ],
)
def test_an_async_test_needs_a_plugin(project, test):
    project.makepyfile(PLAIN + test)
    # Another plugin that calls async tests would call this one with the seed only.
    project.makeconftest(
        """
        import inspect, pytest

        @pytest.hookimpl(tryfirst=True)
        def pytest_pyfunc_call(pyfuncitem):
            return inspect.iscoroutinefunction(pyfuncitem.obj) or None
        """
    )
    result = project.runpytest_subprocess("-p", "no:cacheprovider", "-p", "no:asyncio", "-W", "error")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["test_*.py::test_reader[[]seeds/tiny.tif]: an async test with the marker equivalents needs*"])


def test_an_async_test_runs_by_a_plugin(project):
    pytest.importorskip("pytest_asyncio")
    test = 'async def test_reader(equivalent):\n    assert equivalent.data[:2] == b"II"\n'
    project.makepyfile("import pytest\n\n@pytest.mark.asyncio\n" + PLAIN.partition("\n\n")[2] + test)
    result = project.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*1. byte order = MM *"])


def test_a_result_that_nobody_checks_is_a_warning(project):
    run(project, "return equivalent.data == b''").assert_outcomes(passed=1, warnings=1)


def test_a_test_that_fails_now_and_then_is_no_finding(project):
    body = "count = getattr(test_reader, 'count', 0)\ntest_reader.count = count + 1\nassert count != 1"
    result = run(project, body)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*fails now and then*"])


def test_other_fixtures_and_each_seed(project, tiny):
    (project.path / "seeds" / "second.tif").write_bytes(tiny.with_name("square.tif").read_bytes())
    project.makepyfile(
        """
        import pytest

        @pytest.fixture
        def reader():
            return len

        @pytest.mark.equivalents("seeds/*.tif", n=5, vary=["byte order"])
        @pytest.mark.parametrize("k", [1, 2])
        def test_reader(equivalent, reader, k):
            assert reader(equivalent) == len(equivalent.seed.data)
        """
    )
    project.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=4)


def test_a_glob_may_be_absolute(project, tmp_path_factory, tiny):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "folder.tif").mkdir()
    (elsewhere / "a.tif").write_bytes(tiny.read_bytes())
    body = 'assert equivalent.data[:2] == b"II"'
    inside = project.path / "seeds" / "*.tif"
    result = run(project, body, marker=f"{str(elsewhere / '*.tif')!r}, {str(inside)!r}, 'seeds/tiny.tif', n=20")
    result.assert_outcomes(failed=2)
    names = [path.name for path in (project.path / ".repfuzz").iterdir()]
    assert "test_a_glob_may_be_absolute.test_reader-seeds.tiny-1.tif" in names
    assert any("elsewhere" in name and ".a-" in name for name in names)


def test_another_format(project, bmp):
    (project.path / "seeds" / "a.bmp").write_bytes(bmp.read_bytes())
    run(project, "pass", marker='"seeds/*.bmp", n=5, format="bmp"').assert_outcomes(passed=1)


@pytest.mark.parametrize(
    "marker, message",
    [
        ('"none/*.tif"', "*names no file: none/[*].tif*"),
        ('""', "*names no file*"),
        ('"/"', "*names no file*"),
        ('"seeds/*.tif", m=3', "*has no argument 'm'*"),
        ("", "*needs a glob of seed files*"),
    ],
)
def test_mistakes_of_the_marker(project, marker, message):
    result = run(project, "pass", marker=marker)
    (result.stdout.fnmatch_lines if result.ret == 2 else result.stderr.fnmatch_lines)([message])
    assert result.ret != 0


def test_the_number_of_files_can_be_set(project):
    body = "test_reader.count = getattr(test_reader, 'count', 0) + 1\nassert test_reader.count <= %d"
    for n in (0, 3):
        run(project, body % (n + 1), f"--equivalents-n={n}").assert_outcomes(passed=1)
