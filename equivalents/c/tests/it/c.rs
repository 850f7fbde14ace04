//! The installed library, used from C and C++: by pkg-config, by CMake, shared and static, and under valgrind.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::{env, fs};

use tempfile::TempDir;

/// The exit code of valgrind if it found an error or a leak.
const LEAKED: i32 = 99;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn file(name: &str) -> PathBuf {
    root().join(name)
}

/// The folder in which the library is installed, from what cargo built beside this test.
static INSTALLED: LazyLock<TempDir> = LazyLock::new(|| {
    let prefix = tempfile::tempdir().unwrap();
    let built = env::current_exe().unwrap();
    let script = file("scripts/install-c.sh");
    done(Command::new(script).arg(prefix.path()).arg(built.parent().unwrap()));
    prefix
});

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a command that must succeed, and returns its standard output.
fn done(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let shown = || format!("{command:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{}", shown());
    text(&output.stdout)
}

/// Returns true if all these programs are installed. Otherwise the test is reported as skipped.
fn all_here(programs: &[&str]) -> bool {
    programs.iter().all(|program| test_support::installed(program))
}

/// Returns the words that pkg-config prints.
fn pkg_config(words: &[&str]) -> Vec<String> {
    let mut command = Command::new("pkg-config");
    command.env("PKG_CONFIG_PATH", INSTALLED.path().join("lib/pkgconfig")).args(words);
    done(command.arg("repfuzz")).split_whitespace().map(str::to_owned).collect()
}

/// Compiles a program in `source`, with all warnings as errors.
fn compiled(
    folder: &Path,
    compiler: &str,
    standard: &str,
    source: &Path,
    links: &[String],
) -> PathBuf {
    let program = folder.join(source.file_name().unwrap()).with_extension("out");
    let mut command = Command::new(compiler);
    command.args([standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-O1", "-pthread"]);
    done(command.arg("-o").arg(&program).arg(source).args(links));
    program
}

/// Links with the shared library.
fn shared() -> Vec<String> {
    let mut links = pkg_config(&["--cflags", "--libs"]);
    links.push(format!("-Wl,-rpath,{}", INSTALLED.path().join("lib").display()));
    links
}

/// Runs a program under valgrind.
fn checked<A: AsRef<OsStr>>(program: &Path, arguments: &[A]) -> Output {
    let mut command = Command::new("valgrind");
    // Memory that caches refer to into its middle is only "possibly lost".
    command.args(["-q", "--leak-check=full", "--show-leak-kinds=definite,indirect"]);
    command
        .args(["--errors-for-leak-kinds=definite,indirect", &format!("--error-exitcode={LEAKED}")]);
    command.arg(program).args(arguments).output().unwrap()
}

fn tiny() -> PathBuf {
    file("corpus/seeds/tiny.tif")
}

/// The arguments of `api.c`, for `n` files.
fn of_api(n: &str) -> [PathBuf; 5] {
    let sprite = |name: &str| file("examples/decoder").join(name);
    [
        tiny(),
        file("corpus/seeds/rgb.tif"),
        sprite("spec/sprite.rs"),
        sprite("seeds/seed.spr"),
        n.into(),
    ]
}

#[test]
fn functions_do_what_the_header_says() {
    if !all_here(&["cc", "pkg-config"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = file("equivalents/c/tests/api.c");
    let program = compiled(folder.path(), "cc", "-std=c99", &source, &shared());
    done(Command::new(&program).args(of_api("30")));
    if all_here(&["valgrind"]) {
        let output = checked(&program, &of_api("1"));
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    // The static library instead: the shared one is not loaded.
    let mut links = pkg_config(&["--static", "--cflags", "--libs"]);
    let place = links.iter().position(|link| link == "-lrepfuzz").unwrap();
    links[place] = INSTALLED.path().join("lib/librepfuzz.a").display().to_string();
    let program = compiled(folder.path(), "cc", "-std=c99", &source, &links);
    done(Command::new(&program).args(of_api("3")));
}

#[test]
fn classes_do_what_they_say() {
    if !all_here(&["c++", "pkg-config"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = file("equivalents/c/tests/api.cpp");
    let program = compiled(folder.path(), "c++", "-std=c++17", &source, &shared());
    done(Command::new(&program).arg(tiny()));
    if all_here(&["valgrind"]) {
        let output = checked(&program, &[tiny()]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}

/// The first lines of code of the README do as they say, for a decoder that reads only little-endian files.
#[test]
fn the_readme_compiles() {
    if !all_here(&["cc", "c++", "pkg-config"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let readme = fs::read_to_string(file("equivalents/c/README.md")).unwrap();
    let block = |language: &str| {
        let start = readme.split(&format!("```{language}\n")).nth(1).unwrap();
        start.split("```").next().unwrap().to_owned()
    };
    let read = "static uint8_t data[4096]; FILE *in = fopen(argv[argc - 1], \"rb\"); size_t size = fread(data, 1, sizeof data, in); fclose(in);";
    let source = folder.path().join("readme.c");
    let decoder = "bool decoded_like_the_seed(const uint8_t *data, size_t size) { return size > 0 && data[0] == 'I'; }";
    let main = format!("int main(int argc, char **argv) {{ {read} return check(data, size); }}");
    fs::write(&source, format!("{}\n{decoder}\n{main}\n", block("c"))).unwrap();
    let program = compiled(folder.path(), "cc", "-std=c99", &source, &shared());
    let said = done(Command::new(program).arg(tiny()));
    assert!(said.lines().count() > 10, "{said}");
    assert!(said.lines().all(|line| line.contains(r#""byte order":"MM""#)), "{said}");

    let source = folder.path().join("readme.cpp");
    let (include, rest) = {
        let cpp = block("cpp");
        let (a, b) = cpp.split_once("\n\n").unwrap();
        (a.to_owned(), b.to_owned())
    };
    let decoder = "static char decode(const std::uint8_t *data, std::size_t) { return static_cast<char>(data[0]); }";
    let rest = format!(
        "const std::vector<std::uint8_t> bytes(data, data + size); const char expected = 'I';\n{rest}"
    );
    let rest = rest.replace("std::cerr", "std::cout");
    let program = format!(
        "{include}\n#include <cstdio>\n#include <iostream>\n{decoder}\nint main(int argc, char **argv) {{ {read}\n{rest} }}\n"
    );
    fs::write(&source, program).unwrap();
    let program = compiled(folder.path(), "c++", "-std=c++17", &source, &shared());
    assert_eq!(done(Command::new(program).arg(tiny())), said);
}

/// The check for leaks finds one: a seed that nobody frees.
#[test]
fn a_leak_is_found() {
    if !all_here(&["cc", "pkg-config", "valgrind"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("leak.c");
    let bytes = fs::read(tiny()).unwrap().iter().map(|byte| format!("{byte},")).collect::<String>();
    let program = format!(
        "#include <repfuzz.h>
         static const uint8_t data[] = {{{bytes}}};
         int main(int argc, char **argv) {{
             repfuzz_seed *seed;
             (void)argv;
             if (repfuzz_seed_open(NULL, data, sizeof data, &seed) != REPFUZZ_OK) return 1;
             if (argc > 1) repfuzz_seed_free(seed);
             seed = NULL;
             return 0;
         }}"
    );
    fs::write(&source, program).unwrap();
    let program = compiled(folder.path(), "cc", "-std=c99", &source, &shared());
    let leaking = checked(&program, &[] as &[&str]);
    assert_eq!(leaking.status.code(), Some(LEAKED), "{}", text(&leaking.stderr));
    let freed = checked(&program, &["free"]);
    assert_eq!(freed.status.code(), Some(0), "{}", text(&freed.stderr));
}

/// Builds the examples in `folder`, and returns cmake's own words.
fn built(folder: &Path, options: &[&str]) -> String {
    let prefix = format!("-DCMAKE_PREFIX_PATH={}", INSTALLED.path().display());
    let examples = file("equivalents/c/examples");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(examples).arg("-B").arg(folder).arg(prefix).args(options);
    let said = done(configure.arg("-DCMAKE_COMPILE_WARNING_AS_ERROR=ON"));
    done(Command::new("cmake").arg("--build").arg(folder));
    said
}

/// Runs an example, also under valgrind. It must find the files different in `cause`, among others.
fn finds(program: &Path, arguments: &[&OsStr], cause: &str) {
    let name = program.file_name().unwrap().display();
    if !program.exists() {
        return test_support::skipped(format_args!("the library of {name} is not installed"));
    }
    let output = Command::new(program).args(arguments).arg("100").output().unwrap();
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{name}: {said}{}", text(&output.stderr));
    assert!(said.lines().any(|line| line.ends_with(cause)), "{name}: {said}");
    assert!(said.lines().last().unwrap().ends_with(" of 100 files are decoded differently"));
    if all_here(&["valgrind"]) {
        let mut few = arguments.to_vec();
        few.push(OsStr::new("2"));
        let output = checked(program, &few);
        assert_ne!(output.status.code(), Some(LEAKED), "{name}: {}", text(&output.stderr));
    }
}

#[test]
fn the_examples_find_differences() {
    if !all_here(&["cc", "c++", "cmake"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    built(folder.path(), &[]);
    // libtiff documents that it does not transpose.
    let tiny = tiny();
    finds(&folder.path().join("tiff-check"), &[tiny.as_os_str()], r#"{"orientation":5}"#);
    let bmp = file("corpus/bmp/gm24.bmp");
    let stb = folder.path().join("stb-check");
    finds(&stb, &[OsStr::new("bmp"), bmp.as_os_str()], r#"{"file: header":52}"#);
    if stb.exists() {
        let refused = Command::new(&stb).arg("bmp").arg(&tiny).output().unwrap();
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).starts_with("error: "), "{}", text(&refused.stderr));
    }
    let tiff = folder.path().join("tiff-check");
    if tiff.exists() {
        let refused = Command::new(tiff).arg(&bmp).output().unwrap();
        assert_eq!(refused.status.code(), Some(2));
    }
    // Statically, and only with a version that fits.
    let folder = tempfile::tempdir().unwrap();
    built(folder.path(), &["-DSTATIC_REPFUZZ=ON"]);
    finds(
        &folder.path().join("stb-check"),
        &[OsStr::new("bmp"), bmp.as_os_str()],
        r#"{"file: header":52}"#,
    );
}

#[test]
fn cmake_refuses_other_versions() {
    if !all_here(&["cc", "cmake"]) {
        return;
    }
    let version = env!("CARGO_PKG_VERSION");
    for (asked, fits) in [
        (version, true),
        ("0.0", false),
        ("0.1", true),
        ("", true),
        ("0.1.99", false),
        ("1.0", false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let list = format!(
            "cmake_minimum_required(VERSION 3.16)\nproject(version C)\nfind_package(repfuzz {asked} REQUIRED)\n"
        );
        fs::write(folder.path().join("CMakeLists.txt"), list).unwrap();
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(folder.path()).arg("-B").arg(folder.path().join("build"));
        configure.arg(format!("-DCMAKE_PREFIX_PATH={}", INSTALLED.path().display()));
        assert_eq!(configure.output().unwrap().status.success(), fits, "{asked}");
    }
}

/// A packager's folders: libraries elsewhere, and a root before both.
#[test]
fn folders_can_be_chosen() {
    let all = tempfile::tempdir().unwrap();
    let built = env::current_exe().unwrap();
    let mut install = Command::new(file("scripts/install-c.sh"));
    install.arg("/usr").arg(built.parent().unwrap());
    install.env("DESTDIR", all.path()).env("LIBDIR", "/usr/lib/x86_64-linux-gnu");
    done(&mut install);
    let libraries = all.path().join("usr/lib/x86_64-linux-gnu");
    let read = |name: &str| fs::read_to_string(libraries.join(name)).unwrap();
    assert!(all.path().join("usr/include/repfuzz.h").exists());
    assert!(libraries.join("librepfuzz.so").exists() && libraries.join("librepfuzz.a").exists());
    assert!(read("pkgconfig/repfuzz.pc").contains("prefix=${pcfiledir}/../../..\n"));
    assert!(read("cmake/repfuzz/repfuzz-config.cmake").contains("{_repfuzz_lib}/../..\""));
    let wrong = Command::new(file("scripts/install-c.sh")).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).starts_with("error: usage"));
}
