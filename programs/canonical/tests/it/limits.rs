//! Bad and excessive input: one diagnostic, and no crash.

use std::fs;
use std::time::Duration;

use canonical::c::{Limits, Options, read, read_text};
use canonical::{Effect, Program};

fn text(text: &str) -> Program {
    read_text("t.c", text, &Options::default())
}

/// The only diagnostic, as `place: message`.
fn only(program: &Program) -> String {
    let all: Vec<String> = program
        .diagnostics
        .iter()
        .map(|d| {
            let place = d.place.map(|place| program.at(place)).unwrap_or_default();
            format!("{place}: {}", d.message)
        })
        .collect();
    assert_eq!(all.len(), 1, "{all:#?}");
    all.into_iter().next().expect("there is one")
}

#[test]
fn text_that_is_no_c_is_one_diagnostic() {
    assert!(only(&text("this is no C, is it?")).starts_with("t.c:1:"));
    assert!(only(&text("int f(void) { return 1; ")).contains("is never closed"));
    assert!(only(&text(")")).contains("closes nothing"));
    assert_eq!(text("").diagnostics, []);
    let word = only(&text(&format!("int x = 1 {};", "a".repeat(10_000))));
    assert!(word.ends_with("aa..` does not fit here") && word.len() < 100, "{word}");
    only(&text("\u{0}\u{1}\u{2}"));
}

#[test]
fn fields_of_variable_length_are_one_diagnostic() {
    let found = text("int f(int n) { struct { int a[n]; char b; } s; return sizeof(s); }");
    assert!(only(&found).contains("the size of field `a` is not known"), "{}", only(&found));
}

#[test]
fn files_that_cannot_be_read_are_one_diagnostic() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing.c");
    let program = read(&[missing], &Options::default());
    assert!(only(&program).contains("cannot read the file"), "{}", only(&program));
    let program = read(&[folder.path().to_owned()], &Options::default());
    assert!(only(&program).contains("not a file"));
    let compiler = Options { compiler: "no-such-compiler".to_owned(), ..Options::default() };
    assert!(only(&read_text("t.c", "int x;", &compiler)).contains("cannot run"));
}

#[test]
fn missing_headers_are_one_diagnostic_with_the_place() {
    let program = text("int x;\n#include <no/such/header.h>\n#include <none.h>\nint y;");
    let found = only(&program);
    assert!(found.starts_with("t.c:2:") && found.contains("no/such/header.h"), "{found}");
    assert_eq!(program.diagnostics[0].effect, Effect::LeftOut);
}

#[test]
fn a_loop_of_includes_is_one_diagnostic() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    fs::write(&file, "#include \"b.h\"\n").expect("it can be written");
    fs::write(folder.path().join("b.h"), "#include \"b.h\"\n#include \"b.h\"\n").expect("written");
    only(&read(&[file], &Options::default()));
}

#[test]
fn a_long_expression_is_one_diagnostic() {
    let long =
        format!("int f(int a) {{ return a{}; }} int g(void) {{ return 1; }}", "+a".repeat(5 << 20));
    let program = text(&long);
    let found = only(&program);
    assert!(found.contains("more than"), "{found}");
    // The other function is read unless the file as a whole is too long.
    assert!(program.function_named("g").is_some());
}

#[test]
fn a_long_declaration_is_one_diagnostic() {
    for part in ["1,", "a,", ";", "a;", "{}", "{;}", "f(1);"] {
        let long = match part.contains(',') {
            true => format!("int f(int a) {{ return f({}1); }}", part.repeat(1 << 20)),
            false => format!("int f(int a) {{ {} return 1; }}", part.repeat(1 << 20)),
        };
        let program = text(&format!("{long} int g(void) {{ return 1; }}"));
        assert!(only(&program).contains("a declaration of more than"), "{part}");
        assert!(program.function_named("g").is_some(), "{part}");
    }
}

#[test]
fn long_literals_are_one_diagnostic() {
    for part in ["x", "\" \""] {
        let long = part.repeat((10 << 20) / part.len());
        let program =
            text(&format!("char *f(void) {{ return \"{long}\"; }} int g(void) {{ return 1; }}"));
        let found = only(&program);
        assert!(found.contains("more than"), "{found}");
        assert!(program.function_named("g").is_some(), "{part}");
    }
}

#[test]
fn deep_nesting_is_one_diagnostic() {
    let deep = 10_000;
    for (open, close) in
        [("(", ")"), ("a[", "]"), ("f(", ")"), ("-", ""), ("(int)", ""), ("a?", ":a")]
    {
        let (open, close) = (open.repeat(deep), close.repeat(deep));
        let program = text(&format!("int *a; int f(int x) {{ return {open}1{close}; }}"));
        let found = only(&program);
        assert!(found.contains("more than"), "{found}");
    }
    for (open, close) in [("{", "}"), ("if (1) ", ""), ("for (;;) ", ""), ("do ", " while (1);")] {
        let (open, close) = (open.repeat(deep), close.repeat(deep));
        only(&text(&format!("int f(int x) {{ {open};{close} }}")));
    }
    only(&text(&format!("int f(int x) {{ {} ; }}", "if (x) ; else ".repeat(deep))));
    only(&text(&format!("int {}x{};", "(".repeat(deep), ")".repeat(deep))));
    only(&text(&format!("int {}x;", "*".repeat(deep))));
    only(&text(&format!("{} int a; {}", "struct {".repeat(deep), "} b;".repeat(deep))));
    only(&text(&format!("int x[] = {}1{};", "{".repeat(deep), "}".repeat(deep))));
}

#[test]
fn the_deepest_and_longest_that_is_allowed_is_read() {
    let limits = Limits::default();
    let deep = limits.depth - 2;
    for (open, close) in [("(", ")"), ("a[", "]"), ("f(", ")"), ("sizeof(", ")")] {
        let (open, close) = (open.repeat(deep), close.repeat(deep));
        let program = text(&format!("int a[9]; int f(int x) {{ return {open}1{close}; }}"));
        assert!(program.function_named("f").is_some());
    }
    let blocks =
        format!("int f(int x) {{ {} ; {} return 1; }}", "{".repeat(deep), "}".repeat(deep));
    assert_eq!(text(&blocks).diagnostics, []);
    let chain = "if (x) ; else ".repeat(limits.branches / 2 - 1);
    assert_eq!(text(&format!("int f(int x) {{ {chain} return 1; }}")).diagnostics, []);
    let sum = "+x".repeat(limits.expression / 2 - 10);
    let sum = text(&format!("int f(int x) {{ return x{sum}; }}"));
    assert_eq!(sum.diagnostics, []);
}

#[test]
fn the_preprocessor_is_stopped() {
    let limits = Limits { time: Duration::from_millis(1), bytes: 1000, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let big = "int x;\n".repeat(1000);
    only(&read_text("t.c", &big, &options));
    let limits = Limits { bytes: 1000, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    assert!(only(&read_text("t.c", &big, &options)).contains("preprocessed text"));
}

#[test]
fn an_error_costs_one_function() {
    let program = text(
        "int good(void) { return 1; }\nint bad(int x) { return x ?: 1; }\n\
         int worse(void) { return undeclared; }\nint last(void) { return bad(2); }\n",
    );
    let names: Vec<&str> = program.defined().map(|(_, f, _)| f.name.as_str()).collect();
    assert_eq!(names, ["good", "last"]);
    let effects: Vec<Effect> = program.diagnostics.iter().map(|d| d.effect).collect();
    assert_eq!(effects, [Effect::NoBody, Effect::NoBody]);
    let bad = program.function_named("bad").expect("it is declared");
    assert_eq!(program.function(bad).ty.parameters.len(), 1);
}

#[test]
fn an_inline_function_of_a_header_is_read_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("h.h"), "inline int one(void) { return 1; }\n").expect("written");
    for name in ["a", "b"] {
        let text = format!(
            "#include \"h.h\"\nextern int one(void);\nint {name}(void) {{ return one(); }}\n"
        );
        fs::write(at(&format!("{name}.c")), text).expect("written");
    }
    let program = read(&[at("a.c"), at("b.c")], &Options::default());
    assert_eq!(program.diagnostics, []);
    // Two that are not one are an error still.
    fs::write(at("c.c"), "int a(void) { return 2; }\n").expect("written");
    let program = read(&[at("a.c"), at("c.c")], &Options::default());
    assert_eq!(program.diagnostics.len(), 1);
}
