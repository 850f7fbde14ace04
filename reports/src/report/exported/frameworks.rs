//! The text of a test in each framework.

use clients::{Framework, TestCode};

use super::expected::Values;
use super::offered::{class_name, file_name};
use super::parts::{Parts, TestFile};
use crate::report::clean::quote;

/// Returns the command that runs a test of this name in the folder of its file.
pub fn command(code: &TestCode, name: &str) -> String {
    let file = file_name(code.framework, name);
    let needs = code.needs.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ");
    let after = |install: &str| match needs.is_empty() {
        true => String::new(),
        false => format!("{install} {needs}\n"),
    };
    match code.framework {
        Framework::Pytest => format!("{}pytest {file}", after("pip install pytest")),
        Framework::Cargo => format!(
            "{}mkdir -p tests && cp {file} tests/\ncargo test --test {name}",
            after("cargo add --dev")
        ),
        Framework::Junit => format!(
            "# in a project of Maven with {needs}\nmkdir -p src/test/java && cp {file} src/test/java/\n\
             mvn test -Dtest={}",
            class_name(name)
        ),
        Framework::C => format!("cc {file} {needs} -o {name} && ./{name}"),
        Framework::Catch2 => {
            format!("c++ {file} {needs} -lCatch2Main -lCatch2 -o {name} && ./{name}")
        }
        Framework::Node => format!("{}node --test {file}", after("npm install")),
        Framework::Go => format!("{}go test {file}", after("go get")),
    }
}

/// The name of a test's framework, and its text.
pub(super) fn text(parts: &Parts<'_>) -> (&'static str, String) {
    match parts.code.framework {
        Framework::Pytest => ("pytest", pytest(parts)),
        Framework::Cargo => ("cargo test", cargo(parts)),
        Framework::Junit => ("JUnit", junit(parts)),
        Framework::C => ("C with assert", c(parts, false)),
        Framework::Catch2 => ("Catch2", c(parts, true)),
        Framework::Node => ("node --test", node(parts)),
        Framework::Go => ("go test", go(parts)),
    }
}

/// Explains the numbers.
fn explained(values: &Values) -> &'static str {
    match values {
        Values::Pixels { all: true, .. } => {
            "All pixels: column, row, and red, green, blue, alpha, each from 0 to 65535."
        }
        Values::Pixels { .. } => {
            "Some pixels: column, row, and red, green, blue, alpha, each from 0 to 65535."
        }
        Values::Bytes { .. } => {
            "The size, and some bytes: offset and value. Spaces make the size a multiple of 4."
        }
    }
}

/// Returns the comment at the beginning; `mark` begins a comment line.
fn comment(parts: &Parts<'_>, mark: &str) -> String {
    parts.heading.iter().map(|line| format!("{mark} {line}\n")).collect()
}

/// Formats the width, the height, and each pixel with `line`.
fn pixels(values: &Values, line: impl Fn(u32, u32, [u16; 4]) -> String) -> (u32, u32, String) {
    match values {
        Values::Pixels { width, height, pixels, .. } => {
            let lines = pixels.iter().map(|(x, y, rgba)| line(*x, *y, *rgba));
            (*width, *height, lines.collect())
        }
        // Only pytest has tests of other content.
        Values::Bytes { .. } => (0, 0, String::new()),
    }
}

fn list(rgba: [u16; 4]) -> String {
    rgba.map(|sample| sample.to_string()).join(", ")
}

/// The file in base64 as a string of lines, each between `before` and `after`.
fn base64(lines: &[String], before: &str, after: &str) -> String {
    lines.iter().map(|line| format!("{before}{line}{after}\n")).collect()
}

fn pytest(parts: &Parts<'_>) -> String {
    let Parts { name, code, input, values, .. } = parts;
    let file = match &parts.file {
        TestFile::Inline(lines) => {
            format!(
                "FILE = base64.b64decode(\n    \"\"\"\n{}    \"\"\"\n)",
                base64(lines, "    ", "")
            )
        }
        TestFile::Beside(beside) => {
            format!("FILE = pathlib.Path(__file__).with_name(\"{beside}\").read_bytes()")
        }
    };
    let import = if matches!(parts.file, TestFile::Inline(_)) { "base64" } else { "pathlib" };
    let (expected, check) = match values {
        Values::Pixels { .. } => {
            let (width, height, pixels) =
                pixels(values, |x, y, rgba| format!("    ({x}, {y}): ({}),\n", list(rgba)));
            let check = "    rows = read(str(path))\n    \
                         assert (len(rows[0]), len(rows)) == SIZE\n    \
                         assert {(x, y): tuple(rows[y][x]) for x, y in PIXELS} == PIXELS\n";
            (format!("SIZE = ({width}, {height})\nPIXELS = {{\n{pixels}}}"), check)
        }
        Values::Bytes { length, bytes } => {
            let bytes: String =
                bytes.iter().map(|(at, byte)| format!("    {at}: {byte},\n")).collect();
            let check = "    content = read(str(path))\n    \
                         content += b\" \" * (-len(content) % 4)\n    \
                         assert len(content) == SIZE\n    \
                         assert {at: content[at] for at in BYTES} == BYTES\n";
            (format!("SIZE = {length}\nBYTES = {{\n{bytes}}}"), check)
        }
    };
    format!(
        "{}import {import}\n{}\n\n{file}\n\n# {}\n{expected}\n\n\n\
         def {name}(tmp_path):\n    path = tmp_path / \"{input}\"\n    path.write_bytes(FILE)\n{check}",
        comment(parts, "#"),
        code.read,
        explained(values),
    )
}

/// Decodes base64 in Rust.
const CARGO_BASE64: &str = r#"
fn decoded(text: &str) -> Vec<u8> {
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for value in text.chars().filter_map(|c| digits.find(c)) {
        (bits, count) = (bits << 6 | value as u32, count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
"#;

fn cargo(parts: &Parts<'_>) -> String {
    let Parts { name, code, input, values, .. } = parts;
    let (width, height, pixels) =
        pixels(values, |x, y, rgba| format!("    (({x}, {y}), [{}]),\n", list(rgba)));
    let (file, helper, bytes) = match &parts.file {
        TestFile::Inline(lines) => {
            let lines = base64(lines, "    ", "");
            (format!("const FILE: &str = \"\n{lines}\";"), CARGO_BASE64, "decoded(FILE)")
        }
        TestFile::Beside(beside) => {
            (format!("const FILE: &[u8] = include_bytes!(\"{beside}\");"), "", "FILE.to_vec()")
        }
    };
    format!(
        "{}{}\n{file}\nconst SIZE: (usize, usize) = ({width}, {height});\n\
         /// {}\nconst PIXELS: &[((usize, usize), [u16; 4])] = &[\n{pixels}];\n{helper}\n\
         #[test]\nfn {name}() {{\n    \
         let path = std::env::temp_dir().join(format!(\"{{}}-{input}\", std::process::id()));\n    \
         std::fs::write(&path, {bytes}).unwrap();\n    let rows = read(&path).unwrap();\n    \
         assert_eq!((rows[0].len(), rows.len()), SIZE);\n    \
         for &((x, y), expected) in PIXELS {{\n        \
         assert_eq!(rows[y][x], expected, \"column {{x}}, row {{y}}\");\n    }}\n}}\n",
        comment(parts, "//"),
        code.read,
        explained(values),
    )
}

fn junit(parts: &Parts<'_>) -> String {
    let Parts { name, code, input, values, .. } = parts;
    let (width, height, pixels) =
        pixels(values, |x, y, rgba| format!("        {{{x}, {y}, {}}},\n", list(rgba)));
    let file = match &parts.file {
        TestFile::Inline(lines) => {
            let lines: Vec<String> =
                lines.iter().map(|line| format!("        \"{line}\"")).collect();
            format!("java.util.Base64.getDecoder().decode(\n{})", lines.join("\n        + "))
        }
        TestFile::Beside(beside) => {
            format!("{}.class.getResourceAsStream(\"{beside}\").readAllBytes()", class_name(name))
        }
    };
    format!(
        "{comment}import static org.junit.jupiter.api.Assertions.assertArrayEquals;\n\
         import static org.junit.jupiter.api.Assertions.assertEquals;\n\n\
         class {class} {{\n{read}\n    /** {explained} */\n    static final int[][] PIXELS = {{\n{pixels}    }};\n\n    \
         @org.junit.jupiter.api.Test\n    void {name}() throws Exception {{\n        \
         byte[] file = {file};\n        \
         java.nio.file.Path path = java.nio.file.Files.createTempFile(\"in\", \"-{input}\");\n        \
         java.nio.file.Files.write(path, file);\n        int[][][] rows = read(path);\n        \
         assertEquals({height}, rows.length);\n        assertEquals({width}, rows[0].length);\n        \
         for (int[] pixel : PIXELS) {{\n            \
         int[] expected = {{pixel[2], pixel[3], pixel[4], pixel[5]}};\n            \
         assertArrayEquals(expected, rows[pixel[1]][pixel[0]], pixel[0] + \", \" + pixel[1]);\n        }}\n    }}\n}}\n",
        comment = comment(parts, "//"),
        class = class_name(name),
        read = code.read,
        explained = explained(values),
    )
}

/// Writes the file that a test in C contains in base64.
const C_BASE64: &str = r#"
static int write_file(const char *path) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned long bits = 0;
    int count = 0;
    const char *at;
    FILE *file = fopen(path, "wb");
    if (file == NULL) return 1;
    for (at = FILE_BASE64; *at != '\0' && *at != '='; at++) {
        bits = (bits << 6 | (unsigned long)(strchr(digits, *at) - digits)) & 0xffffff;
        count += 6;
        if (count >= 8) {
            count -= 8;
            fputc((int)(bits >> count & 255), file);
        }
    }
    return fclose(file);
}
"#;

fn c(parts: &Parts<'_>, catch: bool) -> String {
    let Parts { name, code, input, values, .. } = parts;
    let (width, height, pixels) =
        pixels(values, |x, y, rgba| format!("    {{{x}, {y}, {{{}}}}},\n", list(rgba)));
    let (file, path, write) = match &parts.file {
        TestFile::Inline(lines) => {
            let lines = base64(lines, "    \"", "\"");
            let file = format!("\nstatic const char FILE_BASE64[] =\n{}    ;\n{C_BASE64}", lines);
            (file, (*input).clone(), true)
        }
        TestFile::Beside(beside) => (String::new(), (*beside).to_owned(), false),
    };
    let (include, check, main) = match catch {
        true => (
            "#include <catch2/catch_test_macros.hpp>".to_owned(),
            "REQUIRE",
            format!("TEST_CASE(\"{name}\")"),
        ),
        false => {
            ("#undef NDEBUG\n#include <assert.h>".to_owned(), "assert", "int main(void)".to_owned())
        }
    };
    let write = match write {
        true => format!("    {check}(write_file(path) == 0);\n"),
        false => String::new(),
    };
    let end = if catch { "" } else { "    return 0;\n" };
    format!(
        "{comment}{include}\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n\
         {read}{file}\n/* {explained} */\n\
         static const struct {{ uint32_t x, y; uint16_t rgba[4]; }} PIXELS[] = {{\n{pixels}}};\n\n\
         {main} {{\n    const char *path = \"{path}\";\n    \
         uint32_t width = 0, height = 0;\n    uint16_t *rgba = NULL;\n    size_t k;\n{write}    \
         {check}(read_picture(path, &width, &height, &rgba) == 0);\n    \
         {check}(width == {width});\n    {check}(height == {height});\n    \
         for (k = 0; k < sizeof PIXELS / sizeof PIXELS[0]; k++) {{\n        \
         size_t at = 4 * ((size_t)PIXELS[k].y * width + PIXELS[k].x);\n        \
         {check}(memcmp(rgba + at, PIXELS[k].rgba, sizeof PIXELS[k].rgba) == 0);\n    }}\n    free(rgba);\n{end}}}\n",
        comment = comment(parts, "//"),
        read = code.read,
        explained = explained(values),
    )
}

fn node(parts: &Parts<'_>) -> String {
    let Parts { name, code, input, values, .. } = parts;
    let (width, height, pixels) =
        pixels(values, |x, y, rgba| format!("    [{x}, {y}, [{}]],\n", list(rgba)));
    let file = match &parts.file {
        TestFile::Inline(lines) => {
            format!("Buffer.from(`\n{}`, 'base64')", base64(lines, "    ", ""))
        }
        TestFile::Beside(beside) => {
            format!("fs.readFileSync(new URL('{beside}', import.meta.url))")
        }
    };
    format!(
        "{}import assert from 'node:assert/strict';\nimport fs from 'node:fs';\nimport os from 'node:os';\n\
         import path from 'node:path';\nimport test from 'node:test';\n\n{}\nconst FILE = {file};\n\n\
         // {}\nconst PIXELS = [\n{pixels}];\n\n\
         test('{name}', async () => {{\n    \
         const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'test-')), '{input}');\n    \
         fs.writeFileSync(file, FILE);\n    const rows = await read(file);\n    \
         assert.deepEqual([rows[0].length, rows.length], [{width}, {height}]);\n    \
         assert.deepEqual(PIXELS.map(([x, y]) => [x, y, rows[y][x]]), PIXELS);\n}});\n",
        comment(parts, "//"),
        code.read,
        explained(values),
    )
}

fn go(parts: &Parts<'_>) -> String {
    let Parts { name, code, input, values, .. } = parts;
    let (width, height, pixels) =
        pixels(values, |x, y, rgba| format!("\t{{{x}, {y}, [4]uint16{{{}}}}},\n", list(rgba)));
    let (import, file) = match &parts.file {
        TestFile::Inline(lines) => (
            "\t\"encoding/base64\"\n",
            format!("base64.StdEncoding.DecodeString(`\n{}`)", base64(lines, "", "")),
        ),
        TestFile::Beside(beside) => ("", format!("os.ReadFile(\"{beside}\")")),
    };
    let function = class_name(name);
    format!(
        "{}package equivalents\n\nimport (\n{import}\t\"os\"\n\t\"path/filepath\"\n\t\"testing\"\n)\n\n{}\n\
         // {}\nvar pixels_{name} = []struct {{\n\tx, y int\n\trgba [4]uint16\n}}{{\n{pixels}}}\n\n\
         func {function}(t *testing.T) {{\n\tfile, err := {file}\n\tif err != nil {{\n\t\tt.Fatal(err)\n\t}}\n\
         \tpath := filepath.Join(t.TempDir(), \"{input}\")\n\
         \tif err := os.WriteFile(path, file, 0o600); err != nil {{\n\t\tt.Fatal(err)\n\t}}\n\
         \trows, err := read(path)\n\tif err != nil {{\n\t\tt.Fatal(err)\n\t}}\n\
         \tif len(rows) != {height} || len(rows[0]) != {width} {{\n\
         \t\tt.Fatalf(\"%d x %d pixels\", len(rows[0]), len(rows))\n\t}}\n\
         \tfor _, pixel := range pixels_{name} {{\n\t\tif got := rows[pixel.y][pixel.x]; got != pixel.rgba {{\n\
         \t\t\tt.Errorf(\"column %d, row %d: %v instead of %v\", pixel.x, pixel.y, got, pixel.rgba)\n\t\t}}\n\t}}\n}}\n",
        comment(parts, "//"),
        code.read,
        explained(values),
    )
}
