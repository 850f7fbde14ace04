//! Values that decide what a consumer reads next: pairs of small programs whose verdicts are known.

use crate::pairs::{Checked, check_with};
use conformance::settings::{self, Settings};

/// Bytes and words, with their values on both sides.
fn io() -> Settings {
    settings::read(
        "io",
        "function = [
            { name = 'pb', direction = 'out', type = 'byte', value = 1 },
            { name = 'pw', direction = 'out', type = 'word', value = 1 },
            { name = 'gb', direction = 'in', type = 'byte', into = 0 },
            { name = 'tb', direction = 'in', type = 'byte?', into = 0 },
            { name = 'gw', direction = 'in', type = 'word', into = 0 },
        ]",
    )
    .unwrap()
}

const DECLARED: &str =
    "void pb(int); void pw(int); int gb(void); int tb(void); int gw(void); void exit(int);\n";

/// Checks two bodies of `main`, after declarations.
fn check(producer: &str, consumer: &str) -> Checked {
    let whole = |text: &str| match text.contains("main") {
        true => format!("{DECLARED}{text}"),
        false => format!("{DECLARED}int main(void) {{ {text} return 0; }}"),
    };
    check_with(&io(), &whole(producer), &whole(consumer))
}

/// Each pair conforms or does not, and nothing is left open.
fn all(pairs: &[(&str, &str, bool)]) {
    for (producer, consumer, conforms) in pairs {
        let checked = check(producer, consumer);
        assert_eq!(checked.conforms, *conforms, "{producer}  --  {consumer}: {checked:?}");
        assert_eq!(checked.remarks, [""; 0], "{producer}  --  {consumer}");
    }
}

#[test]
fn the_way_around_an_equality_does_not_have_the_value() {
    all(&[
        ("pb(1);", "if (gb() == 1) gw();", false),
        ("pb(1); pw(0);", "if (gb() == 1) gw();", true),
        ("pb(2); pw(0);", "if (gb() == 1) gw();", false),
        ("pb(2);", "if (gb() == 1) gw();", true),
        ("pb(1);", "if (gb() != 1) gw();", true),
        ("pb(2);", "if (gb() != 1) gw();", false),
        ("pb(0);", "if (gb()) gw();", true),
        ("pb(7);", "if (gb()) gw();", false),
        ("pb(7); pw(0);", "if (!gb()) return 0; gw();", true),
        ("pb(1);", "if (gb() != 1) return 0; gw();", false),
    ]);
}

#[test]
fn chains_and_switches_tell_all_values_apart() {
    let chain =
        "int k = gb(); if (k == 1) gb(); else if (k == 2) gw(); else if (k != 3) { gw(); gw(); }";
    let switch = "switch (gb()) { case 1: gb(); break; case 2: gw(); break; case 3: break; \
                  default: gw(); gw(); }";
    for consumer in [chain, switch] {
        all(&[
            ("pb(1); pb(0);", consumer, true),
            ("pb(1); pw(0);", consumer, false),
            ("pb(1); pw(0); pw(0);", consumer, false),
            ("pb(2); pw(0);", consumer, true),
            ("pb(2); pw(0); pw(0);", consumer, false),
            ("pb(3);", consumer, true),
            ("pb(3); pw(0); pw(0);", consumer, false),
            ("pb(4); pw(0); pw(0);", consumer, true),
            ("pb(4);", consumer, false),
        ]);
    }
    let fall = "switch (gb()) { case 1: gw(); case 2: gw(); break; case 3 ... 5: gb(); }";
    all(&[
        ("pb(1); pw(0); pw(0);", fall, true),
        ("pb(1); pw(0);", fall, false),
        ("pb(4); pb(0);", fall, true),
        ("pb(4);", fall, false),
        ("pb(6); pb(0);", fall, false),
        ("pb(6);", fall, true),
    ]);
}

#[test]
fn loops_end_by_their_value() {
    let consumer = "while (gb() == 1) gw();";
    all(&[
        ("pb(1); pw(0); pb(1); pw(0); pb(0);", consumer, true),
        ("pb(1); pw(0); pb(0); pb(0);", consumer, false),
        ("pb(1); pw(0);", consumer, false),
        ("pb(1); pb(0);", consumer, false),
        ("pb(1); pw(0); pb(0);", "int k; do { k = gb(); if (k == 1) gw(); } while (k);", true),
        ("pb(0); pw(0);", "int k; do { k = gb(); if (k == 1) gw(); } while (k);", false),
        ("pb(1); pw(0); pb(0);", "for (;;) { int k = gb(); if (k != 1) break; gw(); }", true),
        ("pb(2); pw(0); pb(0);", "for (;;) { int k = gb(); if (k != 1) break; gw(); }", false),
    ]);
}

#[test]
fn several_values_are_known_at_once() {
    let consumer = "int a = gb(), b = gb(); if (a == 1) gw(); if (b == 2) gb();";
    all(&[
        ("pb(1); pb(2); pw(0); pb(0);", consumer, true),
        ("pb(1); pb(2); pb(0);", consumer, false),
        ("pb(1); pb(3); pw(0);", consumer, true),
        ("pb(1); pb(3); pw(0); pb(0);", consumer, false),
        ("pb(0); pb(2); pb(0);", consumer, true),
        ("pb(0); pb(2);", consumer, false),
    ]);
    let flag = "int word = 0; if (gb() == 1) word = 1; gb(); if (word) gw();";
    all(&[
        ("pb(1); pb(9); pw(0);", flag, true),
        ("pb(1); pb(9);", flag, false),
        ("pb(2); pb(9);", flag, true),
        ("pb(2); pb(9); pw(0);", flag, false),
    ]);
    let both = "int a = gb(), b = gb(); int word = a == 1 && b != 2; if (word) gw();";
    all(&[
        ("pb(1); pb(9); pw(0);", both, true),
        ("pb(1); pb(9);", both, false),
        ("pb(1); pb(2);", both, true),
        ("pb(3); pb(9); pw(0);", both, false),
    ]);
}

#[test]
fn members_and_copies_keep_values() {
    for consumer in [
        "struct h { int kind, size; } h; h.kind = gb(); h.size = gb(); if (h.kind == 1) gw();",
        "int a[2]; a[0] = gb(); a[1] = gb(); if (a[0] == 1) gw();",
        "struct h { int kind, size; } h, *p = &h; p->kind = gb(); p->size = gb(); \
         if (p->kind == 1) gw();",
        "int k = gb(); int other = k; k = gb(); if (other == 1) gw();",
        "unsigned char k = (unsigned char)gb(); gb(); if (k == 1) gw();",
        "static int k; k = gb(); gb(); if (k == 1) gw();",
    ] {
        all(&[
            ("pb(1); pb(9); pw(0);", consumer, true),
            ("pb(1); pb(9);", consumer, false),
            ("pb(2); pb(9);", consumer, true),
            ("pb(2); pb(1); pw(0);", consumer, false),
        ]);
    }
}

#[test]
fn conversions_are_those_of_c() {
    for (consumer, yes, no) in [
        ("_Bool a = gb(); if (a) gw();", 5, 0),
        ("_Bool a = gb(); if (a == 1) gw();", 5, 0),
        ("_Bool a; a = gb() != 0; if (!a) return 0; gw();", 5, 0),
        ("_Bool a = gb(); switch (a) { case 1: gw(); }", 5, 0),
        ("signed char c = gb(); if (c == -1) gw();", 255, 1),
        ("signed char c; c = (signed char)gb(); if (c == -2) gw();", 254, 2),
        ("if ((signed char)gb() == -1) gw();", 255, 1),
        ("unsigned char c = gb(); if (c == 255) gw();", 255, 1),
        ("char c = gb(); if (c == '\\x89') gw();", 137, 9),
        ("struct { signed char c; } s; _Bool b; s.c = gb(); b = s.c == -1; if (b) gw();", 255, 1),
    ] {
        all(&[
            (&format!("pb({yes}); pw(0);"), consumer, true),
            (&format!("pb({yes});"), consumer, false),
            (&format!("pb({no});"), consumer, true),
            (&format!("pb({no}); pw(0);"), consumer, false),
        ]);
    }
}

/// The constants of the producer are told apart, whatever the consumer does with them.
#[test]
fn constants_of_the_producer_decide_ranges_and_bits() {
    for (consumer, yes, no) in [
        ("if (gb() > 5) gw();", 6, 5),
        ("int k = gb(); if (k >= '0' && k <= '9') gw();", 48, 58),
        ("if (gb() & 4) gw();", 7, 8),
        ("int k = gb() & 3; if (k == 3) gw();", 7, 8),
        ("int k = gb() - '0'; if (k == 3) gw();", 51, 3),
        ("int k = gb(); k++; if (k == 2) gw();", 1, 2),
        ("switch (gb() >> 4) { case 3: gw(); }", 63, 64),
        ("int k = gb() * 2; int even = k == 6; if (even) gw();", 3, 6),
    ] {
        for (producer, conforms) in [
            (format!("pb({yes}); pw(0);"), true),
            (format!("pb({yes});"), false),
            (format!("pb({no});"), true),
            (format!("pb({no}); pw(0);"), false),
        ] {
            let checked = check(&producer, consumer);
            assert_eq!(checked.conforms, conforms, "{producer}  --  {consumer}: {checked:?}");
        }
        // Of any other value, nothing is known, and a remark says so.
        let checked = check("int k = gb(); pb(k);", consumer);
        assert!(checked.remarks.len() == 1, "{consumer}: {checked:?}");
    }
}

/// A byte that is missing is -1.
#[test]
fn a_value_that_is_compared_is_there() {
    let consumer = "if (tb() != 31) return 1; gw();";
    all(&[("pb(31); pw(0);", consumer, true), ("pw(0);", consumer, false)]);
    let consumer = "int c; while ((c = tb()) != -1) if (c == 1) gw();";
    all(&[
        ("pb(1); pw(0); pb(2);", consumer, true),
        ("pb(1); pb(2);", consumer, false),
        ("pb(2); pw(0);", consumer, false),
        ("", consumer, true),
    ]);
}

/// In these, the verdict is open or wrong: a remark says so.
#[test]
fn values_that_are_not_followed_are_named() {
    for (consumer, line, what) in [
        (
            "int main(void) {\nint k = gb();\nif (k > 5) gw();\nreturn 0; }",
            4,
            "by a range, by bits",
        ),
        ("int main(void) {\nif (gb() & 4)\ngw();\nreturn 0; }", 3, "by a range, by bits"),
        (
            "int main(void) {\nint k = gb();\nif (k == gb())\ngw();\nreturn 0; }",
            4,
            "by a range, by bits",
        ),
        (
            "static int kind;\nvoid read(void) { kind = gb(); }\nint main(void) { read();\n\
             if (kind == 1) gw(); return 0; }",
            5,
            "by `kind`, through which",
        ),
        (
            "static int next(void) { return gb(); }\nint main(void) {\nif (next() == 1) gw(); return 0; }",
            4,
            "by the result of a function",
        ),
        (
            "static int is(void) { if (gb() == 1) return 1; return 0; }\nint main(void) {\n\
             if (is()) gw(); return 0; }",
            4,
            "by the result of a function",
        ),
        (
            "static void rest(int kind) {\nif (kind == 1) gw(); }\nint main(void) {\nrest(gb()); return 0; }",
            3,
            "by `kind`, through which",
        ),
        (
            "struct h { int kind; };\nstatic void head(struct h *h) { h->kind = gb(); }\n\
             int main(void) { struct h h; head(&h);\nif (h.kind == 1) gw(); return 0; }",
            5,
            "by `kind`, through which",
        ),
        (
            "int memcmp(const void *, const void *, unsigned long);\nint main(void) { char m[1];\n\
             m[0] = gb();\nif (memcmp(m, \"a\", 1) == 0) gw(); return 0; }",
            5,
            "by ",
        ),
        (
            "static int word;\nvoid set(void) { if (gb() == 1) word = 1; }\nint main(void) { set();\n\
             if (word) gw(); return 0; }",
            5,
            "by `word`, through which",
        ),
    ] {
        let checked = check("int k = gb(); pb(k);", consumer);
        let [remark] = &checked.remarks[..] else { panic!("{consumer}: {checked:?}") };
        assert!(remark.contains(&format!(".c:{line}: ")), "{consumer}: {remark}");
        assert!(remark.contains("`gb`") && remark.contains(what), "{consumer}: {remark}");
    }
    // Without `into`, nothing is compared.
    let mut io = io();
    for function in io.functions.values_mut() {
        function.into = None;
    }
    let text = |body: &str| format!("{DECLARED}int main(void) {{ {body} return 0; }}");
    let checked = check_with(&io, &text("pb(1);"), &text("if (gb() == 1) gw();"));
    assert!(checked.conforms);
    assert!(checked.remarks[0].contains("as `gb` has no `into`"), "{checked:?}");
    // Nothing depends on the value.
    let checked = check_with(&io, &text("pb(1);"), &text("gb();"));
    assert_eq!(checked.remarks, [""; 0]);
}

/// The values of a producer: all that it may write, and no others.
#[test]
fn constants_of_a_producer_are_all_that_it_may_write() {
    let consumer = "if (gb() != 1) return 1;";
    all(&[
        ("int k = 1; pb(k);", consumer, true),
        // A parameter, a variable of another function, one whose address is taken.
        (
            "void w(int k) { if (k > 3) k = 1; pb(k); } int main(void) { w(2); return 0; }",
            consumer,
            false,
        ),
        (
            "static int k = 2; static void set(void) { k = 2; } \
             int main(void) { k = 1; set(); pb(k); return 0; }",
            consumer,
            false,
        ),
        ("static int k; int main(void) { if (0) k = 1; pb(k); return 0; }", consumer, false),
        ("void change(int *); int k = 1; change(&k); /* conform: none */ pb(k);", consumer, false),
    ]);
}

#[test]
fn words_are_compared_as_their_bytes() {
    let mut io = io();
    let of = |more: &str| {
        let text = format!(
            "[[function]]\nname = 'x'\ndirection = 'out'\n[[type]]\nname = 'word'\nof = ['byte', 'byte']\n{more}"
        );
        settings::read("io", &text).unwrap().types
    };
    let text = |body: &str| format!("{DECLARED}int main(void) {{ {body} return 0; }}");
    let consumer = text("if (gw() == 258) gb();");
    io.types = of("order = 'little'");
    for (producer, conforms) in [
        ("pb(2); pb(1); pb(0);", true),
        ("pb(2); pb(1);", false),
        ("pb(1); pb(2);", true),
        ("pb(2); pb(2);", true),
        ("pw(258);", false),
        ("pw(258); pb(0);", true),
        ("pw(3);", true),
    ] {
        let checked = check_with(&io, &text(producer), &consumer);
        assert_eq!((checked.conforms, &checked.remarks[..]), (conforms, &[][..]), "{producer}");
    }
    let bytes = text("if (gb() != 1) return 1; if (gb() != 2) return 1;");
    io.types = of("order = 'big'");
    assert!(check_with(&io, &text("pw(258);"), &bytes).conforms);
    assert!(!check_with(&io, &text("pw(513);"), &bytes).conforms);
    // Without an order, the value is lost, and this is said.
    io.types = of("");
    let checked = check_with(&io, &text("pb(2); pb(1);"), &consumer);
    assert!(checked.conforms);
    assert!(checked.remarks[0].contains("values of type `word` are not compared"), "{checked:?}");
}
