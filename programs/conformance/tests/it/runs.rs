//! The ends of runs, the functions that run, and the calls that settings and comments are about.

use crate::pairs::{check_with, checked};
use conformance::settings::{self, Exits, Settings};

fn io(more: &str) -> Settings {
    let text = format!(
        "function = [
            {{ name = 'pb', direction = 'out', type = 'byte', value = 1 }},
            {{ name = 'pw', direction = 'out', type = 'word' }},
            {{ name = 'gb', direction = 'in', type = 'byte', into = 0 }},
            {{ name = 'gw', direction = 'in', type = 'word' }},
        ]\n{more}"
    );
    settings::read("io", &text).unwrap()
}

const DECLARED: &str = "void pb(int); void pw(int); int gb(void); int gw(void); int more(void); void exit(int);\n\
                        void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));\n\
                        int atexit(void (*)(void)); void keep(void (*)(void)); int a[4];\n";

fn conforms(io: &Settings, producer: &str, consumer: &str) -> bool {
    check_with(io, &format!("{DECLARED}{producer}"), &format!("{DECLARED}{consumer}")).conforms
}

const BYTE: &str = "int main(void) { gb(); return 0; }";
const TWO: &str = "int main(void) { gb(); gw(); return 0; }";

#[test]
fn exit_with_success_is_an_end() {
    let short = "int main(void) { pb(1); if (more()) exit(0); pw(1); return 0; }";
    // The run that exits has no word.
    assert!(!conforms(&io(""), short, TWO));
    assert!(conforms(&io(""), short, "int main(void) { gb(); if (more()) gw(); return 0; }"));
    // In a function that was called, with what it writes before.
    let inside = "static void last(void) { pw(1); exit(0); }\n\
                  int main(void) { pb(1); if (more()) last(); pb(1); return 0; }";
    let word = "int main(void) { gb(); if (more()) { gw(); return 0; } gb(); return 0; }";
    assert!(conforms(&io(""), inside, word));
    assert!(!conforms(&io(""), inside, "int main(void) { gb(); gb(); return 0; }"));
    // Of a consumer that exits, and of sides that do nothing else.
    assert!(conforms(&io(""), "int main(void) { pb(1); exit(0); }", BYTE));
    let reader = "static void done(void) { exit(0); }\n\
                  int main(void) { for (;;) { if (gb() == 0) done(); gw(); } }";
    assert!(conforms(&io(""), "int main(void) { pb(1); pw(1); pb(0); return 0; }", reader));
    assert!(!conforms(&io(""), "int main(void) { pb(1); pw(1); pb(2); return 0; }", reader));
    assert!(!conforms(&io(""), "int main(void) { pb(0); pb(0); return 0; }", reader));
}

#[test]
fn a_run_that_fails_is_no_end() {
    for fail in [
        "static void f(void) { exit(1); }",
        "static void die(int status) { exit(status); }\nstatic void f(void) { die(2); }",
        "static void f(void) { int status = more() ? 1 : 2; exit(status); }",
    ] {
        let producer =
            format!("{fail}\nint main(void) {{ pb(1); if (more()) f(); pw(1); return 0; }}");
        assert!(conforms(&io(""), &producer, TWO), "{fail}");
        let ends = fail
            .replace("2)", "more())")
            .replace("exit(1)", "exit(more())")
            .replace("1 : 2", "0 : 2");
        let producer =
            format!("{ends}\nint main(void) {{ pb(1); if (more()) f(); pw(1); return 0; }}");
        assert!(!conforms(&io(""), &producer, TWO), "{ends}");
    }
    // The status of `main`.
    let producer = "int main(void) { pb(1); if (more()) return 1; pw(1); return 0; }";
    assert!(conforms(&io(""), producer, TWO));
    assert!(!conforms(&io(""), &producer.replace("return 1", "return more()"), TWO));
    // The result of another function is no status.
    let other = io("producer = { main = 'write' }");
    let producer = "int write(void) { pb(1); if (more()) return 1; pw(1); return 0; }";
    assert!(!conforms(&other, producer, TWO));
}

#[test]
fn settings_say_which_exits_count() {
    let producer = "int main(void) { pb(1); if (more()) exit(3); pw(1); return 0; }";
    assert!(conforms(&io(""), producer, TWO));
    assert!(!conforms(&io("producer = { exits = 'all' }"), producer, TWO));
    let success = producer.replace('3', "0");
    assert!(!conforms(&io(""), &success, TWO));
    assert!(conforms(&io("producer = { exits = 'none' }"), &success, TWO));
    assert_eq!(io("producer = { exits = 'all' }").producer.exits, Exits::All);
    let never = format!("{DECLARED}int main(void) {{ pb(1); exit(1); }}");
    let why = checked(&io(""), &never, &format!("{DECLARED}{BYTE}")).unwrap_err();
    assert!(why.starts_with("no run of the producer returns"), "{why}");
}

#[test]
fn functions_that_absent_code_calls_are_named() {
    let consumer = format!("{DECLARED}{BYTE}");
    let check = |text: &str| check_with(&io(""), &format!("{DECLARED}{text}"), &consumer).remarks;
    let found = check(
        "static int order(const void *x, const void *y) { pw(1); return x > y; }\nint main(void) { pb(1);\n\
         qsort(a, 4, 4, order); return 0; }",
    );
    let [remark] = &found[..] else { panic!("{found:?}") };
    assert!(remark.contains("p.c:6: `order`, which writes, is handed to `qsort`"), "{remark}");
    // Through a variable, and twice.
    let found = check(
        "static void last(void) { pw(1); }\nint main(void) { void (*f)(void) = last; pb(1);\natexit(f);\n\
         keep(f); return 0; }",
    );
    assert_eq!(found.len(), 2, "{found:?}");
    // One that writes nothing, and a comment that says what is written.
    for text in [
        "static int order(const void *x, const void *y) { return x > y; }\n\
         int main(void) { pb(1); qsort(a, 4, 4, order); return 0; }",
        "static int order(const void *x, const void *y) { pw(1); return x > y; }\n\
         int main(void) { pb(1); qsort(a, 4, 4, order); /* conform: qsort out word* */ return 0; }",
    ] {
        assert_eq!(check(text), [""; 0], "{text}");
    }
}

#[test]
fn a_comment_is_about_one_call_of_its_line() {
    let one = "int main(void) { pb(1); /* conform: none */ pb(2); return 0; }";
    assert!(conforms(&io(""), one, BYTE));
    let consumer = "int main(void) { if (gb() != 2) return 1; return 0; }";
    assert!(conforms(&io(""), one, consumer), "the second call counts");
    let next = "int main(void) {\n// conform: none\npb(1); pb(2); return 0; }";
    assert!(conforms(&io(""), next, consumer));
    let named = "int main(void) { pb(1); /* conform: pb none */ pb(2); pw(1); return 0; }";
    assert!(conforms(&io(""), named, "int main(void) { gw(); return 0; }"), "all of that name");
}

#[test]
fn results_of_another_first_function_are_remarked() {
    let consumer = "int read_all(void) { if (gb() != 2) return 1; return 0; }";
    let io = io("consumer = { main = 'read_all' }");
    let producer = format!("{DECLARED}int main(void) {{ pb(1); return 0; }}");
    let checked = check_with(&io, &producer, &format!("{DECLARED}{consumer}"));
    assert!(checked.conforms);
    assert!(
        checked.remarks[0]
            .ends_with("every return of `read_all` ends a whole file, whatever its result")
    );
    let consumer = consumer.replace("return 1", "return 0");
    let checked = check_with(&io, &producer, &format!("{DECLARED}{consumer}"));
    assert_eq!((checked.conforms, checked.remarks.len()), (true, 0));
}

#[test]
fn comments_about_nothing_are_errors() {
    let consumer = format!("{DECLARED}{BYTE}");
    for (comment, why) in [
        ("conform: pw out byte", "no call of `pw` begins on line 5"),
        (
            "conform: pb wrote byte",
            "`conform: pb wrote byte`: not `[FUNCTION] out|in|both|none [TYPES]`",
        ),
        ("conform: pb out", ""),
        ("conform: out byte", ""),
    ] {
        let producer = format!("{DECLARED}int main(void) {{\npb(1); /* {comment} */\nreturn 0; }}");
        let found = checked(&io(""), &producer, &consumer).map(|_| ()).err().unwrap_or_default();
        match why {
            "" => assert_eq!(found, ""),
            why => assert!(found.ends_with(&format!("p.c:5: {why}")), "{comment}: {found}"),
        }
    }
}

#[test]
fn types_of_one_call_alone_are_errors() {
    use conformance::program::Part;
    use conformance::settings::Role;
    use conformance::sites::{self, Listed};
    let site = |role, kind: &str| {
        let (file, callee) = ("a.c".to_owned(), "pb".to_owned());
        vec![Listed { role, file, line: 7, column: None, callee, parts: Part::sequence(kind) }]
    };
    let check = |producer: &str, consumer: &str| {
        let sides = (site(Role::Producer, producer), site(Role::Consumer, consumer));
        sites::check_types(&io(""), &sides.0, &sides.1).map_err(|e| e.to_string())
    };
    assert_eq!(check("byte", "word"), Ok(()));
    assert_eq!(check("header byte*", "header=1"), Ok(()));
    let why = "a.c:7: the call of `pb` has the type `haeder`, which is nowhere else";
    assert_eq!(check("haeder", "byte"), Err(why.to_owned()));
    assert_eq!(check("byte", "haeder"), Err(why.to_owned()));
}

#[test]
fn settings_that_are_there_twice_or_empty_are_errors() {
    let one = "function = [\n{ name = 'pb', direction = 'out', type = 'byte' },\n";
    for (more, why) in [
        ("{ name = 'pb', direction = 'in' }]", "io.toml:3: function `pb` is there twice"),
        ("{ name = 'gb', direction = 'in', type = ' ' }]", "io.toml:3: `type` of `gb` is empty"),
        (
            "]\ntype = [{ name = 'w', of = [] }]",
            "io.toml:4: type `w` is made of nothing: `of` is empty",
        ),
        (
            "]\ntype = [{ name = 'w', of = ['byte'] },\n{ name = 'w', of = ['byte', 'byte'] }]",
            "io.toml:5: type `w` is there twice",
        ),
    ] {
        let found = settings::read("io.toml", &format!("{one}{more}")).unwrap_err().to_string();
        assert_eq!(found, why);
    }
    // A function of the library may be set otherwise.
    assert!(
        settings::read("io", "standard = true\nfunction = [{ name = 'putc', direction = 'out' }]")
            .is_ok()
    );
}

#[test]
fn settings_about_nothing_are_errors() {
    let producer = format!("{DECLARED}int main(void) {{ pb(1); return 0; }}");
    let consumer = format!("{DECLARED}{BYTE}");
    let wrong = |from: &str, to: &str| {
        let text = "function = [
            { name = 'pb', direction = 'out', type = 'byte', value = 1 },
            { name = 'gb', direction = 'in', type = 'byte', into = 0 },
        ]";
        let io = settings::read("io.toml", &text.replace(from, to)).map_err(|e| e.to_string())?;
        checked(&io, &producer, &consumer).map(|_| ())
    };
    assert_eq!(wrong("value = 1", "value = 1"), Ok(()));
    let why = wrong("value = 1", "value = 9").unwrap_err();
    assert!(
        why.starts_with("`value = 9` of `pb` in --io names no parameter: the call at "),
        "{why}"
    );
    assert!(why.ends_with(" has 1 argument"), "{why}");
    let why = wrong("into = 0", "into = 2").unwrap_err();
    assert!(why.starts_with("`into = 2` of `gb` in --io names no parameter"), "{why}");
    let why = wrong("value = 1", "value = 0").unwrap_err();
    assert_eq!(why, "io.toml:2: `value = 0` of `pb`: parameters count from 1");
    let types = |of: &str| {
        let text = format!(
            "function = [{{ name = 'pb', direction = 'out', type = 'bits', size = 1 }}]\n\
             type = [{{ name = 'word', of = [{of}] }}]"
        );
        let io = settings::read("io.toml", &text).map_err(|e| e.to_string())?;
        io.check_types(&["byte".to_owned()].into()).map_err(|e| e.to_string())
    };
    assert_eq!(types("'byte', 'bits:4', 'bits:4'"), Ok(()));
    let why = types("'byte', 'bite'").unwrap_err();
    assert!(why.starts_with("type `word` in --io is made of `bite`, which nothing"), "{why}");
    let order = settings::read(
        "io.toml",
        "function = [{ name = 'pb', direction = 'out' }]\n\
         type = [{ name = 'word', of = ['byte*'], order = 'big' }]",
    );
    let why = order.unwrap_err().to_string();
    assert!(why.starts_with("io.toml:2: `order` of type `word`"), "{why}");
}
