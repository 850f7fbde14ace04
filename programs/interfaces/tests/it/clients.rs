//! Clients in C against the graph of a stack of three numbers.

use std::path::PathBuf;

use canonical::c::Options as FrontEnd;
use interfaces::c::{ErrorKind, Options, read};
use interfaces::client::{Verdict, check};
use interfaces::synthesis::{Mode, synthesize};

fn verdict(body: &str) -> Verdict {
    let stack = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/c/stack.c");
    let text = format!("void push(int); int pop(void); int read_number(void);\n{body}");
    verdict_of(stack, &["push", "pop"], &text)
}

fn verdict_of(library: PathBuf, functions: &[&str], text: &str) -> Verdict {
    let options = Options {
        functions: functions.iter().map(|name| (*name).to_owned()).collect(),
        error: ErrorKind::Err,
        stack: 8,
        front_end: FrontEnd::default(),
    };
    let t = read(library, &options).unwrap();
    let graph = synthesize(t.library, Mode::Stable, None).unwrap();
    let program = canonical::c::read_text("client.c", text, &FrontEnd::default());
    check(&graph, &t.functions, &program, "main").unwrap()
}

/// The calls up to one that fails, or nothing.
fn found(body: &str) -> Option<Vec<String>> {
    match verdict(body) {
        Verdict::Legal => None,
        Verdict::Fails(calls) => Some(calls.into_iter().map(|c| c.text).collect()),
        Verdict::NotFollowed(callbacks) => panic!("{callbacks:?}"),
    }
}

/// The functions that are not followed, each with the one that gets it.
fn not_followed(body: &str) -> Vec<(String, String)> {
    match verdict(body) {
        Verdict::NotFollowed(callbacks) => {
            callbacks.into_iter().map(|c| (c.name, c.given_to)).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn loops_that_count_are_run() {
    let fill = |n: u32| {
        found(&format!("int main(void) {{ for (int k = 0; k < {n}; k++) push(k); return 0; }}"))
    };
    assert_eq!(fill(3), None);
    assert_eq!(fill(4).unwrap(), ["push(0)", "push(1)", "push(2)", "push(3)"]);
    let both = "int main(void) { int n = 0; while (n < 2) { push(n); n++; } while (n) { pop(); n--; } return 0; }";
    assert_eq!(found(both), None);
    assert_eq!(found(&both.replace("n--", "n -= 2")), None);
    let more = both.replace("return 0", "return pop()");
    assert_eq!(found(&more).unwrap(), ["push(0)", "push(1)", "pop()", "pop()", "pop()"]);
}

#[test]
fn a_condition_that_is_asked_twice_has_one_answer() {
    let twice = "int main(void) { int full = read_number(); if (full) push(1); if (full) pop(); return 0; }";
    assert_eq!(found(twice), None);
    assert_eq!(found(&twice.replace("if (full) pop()", "if (!full) pop()")).unwrap(), ["pop()"]);
    let number = twice.replace("if (full)", "if (full == 7)");
    // That it is not 7 is not followed.
    assert_eq!(found(&number).unwrap(), ["pop()"]);
    let changed = twice.replace("push(1);", "push(1); full = read_number();");
    assert_eq!(found(&changed).unwrap(), ["pop()"]);
}

#[test]
fn arguments_and_results_of_functions_are_followed() {
    let text = "static int fill(int n) { while (n > 0) { push(n); n--; } return 5; }
        int main(void) { if (fill(3) != 5) push(1); return 0; }";
    assert_eq!(found(text), None);
    assert_eq!(found(&text.replace("fill(3)", "fill(4)")).unwrap().len(), 4);
    assert_eq!(found(&text.replace("!= 5", "!= 6")).unwrap().len(), 4);
    let recursive = "static void f(int n) { if (n > 0) { push(n); f(n - 1); if (n == 2) pop(); } }
        int main(void) { f(2); pop(); return pop(); }";
    // The variables of an outer activation are not known any more: both ways are followed.
    assert_eq!(found(recursive).unwrap(), ["push(2)", "push(1)", "pop()", "pop()", "pop()"]);
}

#[test]
fn variables_that_may_change_elsewhere_are_not_followed() {
    let by_pointer =
        "void change(int *); int main(void) { int n = 0; change(&n); if (n) pop(); return 0; }";
    assert_eq!(found(by_pointer).unwrap(), ["pop()"]);
    let global = "int n; int main(void) { n = 0; read_number(); if (n) pop(); return 0; }";
    assert_eq!(found(global).unwrap(), ["pop()"]);
    assert_eq!(found("int main(void) { int n = 0; read_number(); if (n) pop(); return 0; }"), None);
}

#[test]
fn a_client_that_counts_far_is_checked_without_values() {
    let far = "int main(void) { push(1); for (long k = 0; k < 10000000; k++) { push(2); pop(); } return pop(); }";
    assert_eq!(found(far), None);
    let wrong = far.replace("push(2); pop();", "pop(); push(2);").replace("push(1);", "");
    assert_eq!(found(&wrong).unwrap(), ["pop()"]);
}

#[test]
fn functions_that_run_at_the_end_are_followed() {
    let text = "int atexit(void (*)(void)); void exit(int);
        static void last(void) { pop(); }
        static void first(void) { push(1); }
        int main(void) { atexit(last); atexit(first); return 0; }";
    // The function that was given last runs first.
    assert_eq!(found(text), None);
    let swapped = text.replace("atexit(last); atexit(first);", "atexit(first); atexit(last);");
    assert_eq!(found(&swapped).unwrap(), ["pop()"]);
    // `exit` runs them as well, and what stops the program does not.
    assert_eq!(found(&swapped.replace("return 0", "exit(1)")).unwrap(), ["pop()"]);
    assert_eq!(found(&swapped.replace("return 0", "_exit(1)")), None);
    assert_eq!(found(&swapped.replace("atexit(last)", "if (0) atexit(last)")), None);
    let unknown = "int atexit(void (*)(void)); void (*pick(void))(void);
        int main(void) { return atexit(pick()); }";
    assert_eq!(not_followed(unknown)[0].1, "atexit");
}

#[test]
fn constructors_and_destructors_are_followed() {
    let constructor = "__attribute__((constructor)) static void begin(void) { push(1); }
        int main(void) { return pop(); }";
    assert_eq!(found(constructor), None);
    assert_eq!(found(&constructor.replace("push(1)", "pop()")).unwrap(), ["pop()"]);
    let declared = "static void begin(void) __attribute__((constructor(200)));
        static void earlier(void) __attribute__((__constructor__(101)));
        static void begin(void) { pop(); } static void earlier(void) { push(1); }
        int main(void) { return 0; }";
    assert_eq!(found(declared), None);
    assert_eq!(found(&declared.replace("(101)", "(300)")).unwrap(), ["pop()"]);
    let destructor = "[[gnu::destructor]] static void end(void) { pop(); }
        int main(void) { push(1); return 0; }";
    assert_eq!(found(destructor), None);
    assert_eq!(found(&destructor.replace("push(1);", "")).unwrap(), ["pop()"]);
}

#[test]
fn callbacks_of_code_that_is_not_there_are_no_proof() {
    let to = |name: &str, given_to: &str| vec![(name.to_owned(), given_to.to_owned())];
    let direct = "void later(void (*)(void)); static void f(void) { pop(); }
        int main(void) { later(f); return 0; }";
    assert_eq!(not_followed(direct), to("f", "later"));
    // A function that never calls the library may be called at any time.
    assert_eq!(found(&direct.replace("{ pop(); }", "{ }")), None);
    let inside = "struct ops { int k; void (*f)(void); }; void install(struct ops *);
        static void g(void) { pop(); } static void f(void) { g(); }
        int main(void) { struct ops o; o.f = f; install(&o); return 0; }";
    assert_eq!(not_followed(inside), to("f", "install"));
    let passed = "void later(void (*)(void)); static void f(void) { pop(); }
        static void give(void (*c)(void)) { later(c); } int main(void) { give(f); return 0; }";
    assert_eq!(not_followed(passed), to("f", "later"));
    let global = "void run(void); static void f(void) { pop(); } void (*hook)(void) = f;
        int main(void) { run(); return 0; }";
    assert_eq!(not_followed(global), to("f", "run"));
    // A table of the client's own is followed by its calls, and an error is an error.
    let table = "void run(void); static void f(void) { push(1); } static void (*hook)(void) = f;
        int main(void) { run(); hook(); return pop(); }";
    assert_eq!(found(table), None);
    assert_eq!(found(&direct.replace("return 0", "return pop()")).unwrap(), ["pop()"]);
}

/// The parts that are not followed, in words.
fn told(body: &str) -> Vec<String> {
    match verdict(body) {
        Verdict::NotFollowed(list) => list.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn functions_that_other_files_see_may_be_called_by_absent_code() {
    let visible = "void run(void); void f(void) { pop(); } int main(void) { run(); return 0; }";
    assert_eq!(not_followed(visible), [("f".to_owned(), "run".to_owned())]);
    assert_eq!(found(&visible.replace("void f", "static void f")), None);
    // Code that calls nothing else is whole, and known functions of C's library call nothing back.
    assert_eq!(found(&visible.replace("run();", "push(1);")), None);
    let known = visible.replace("void run(void)", "int puts(const char *)");
    assert_eq!(found(&known.replace("run()", "puts(\"\")")), None);
    // Without calls of the library, it does not matter.
    assert_eq!(found(&visible.replace("pop();", "")), None);
}

#[test]
fn what_is_not_followed_is_no_proof() {
    for (body, expected) in [
        (
            "static void end(int *p) { pop(); } int main(void) { __attribute__((cleanup(end))) int n; return 0; }",
            "`cleanup` at client.c:2:",
        ),
        (
            "static void f(void) { pop(); } void g(void) __attribute__((alias(\"f\"))); int main(void) { g(); return 0; }",
            "`alias` at client.c:2:",
        ),
        (
            "static void f(void) { pop(); } __attribute__((section(\".init_array\"))) static void (*t)(void) = f; \
             int main(void) { return 0; }",
            "`section(\".init_array\")` at client.c:2:",
        ),
        ("int main(void) { __asm__(\"call pop\"); return 0; }", "`asm` at client.c:2:"),
        ("int g(void) __asm__(\"pop\"); int main(void) { return g(); }", "`asm` at client.c:2:"),
        (
            "static void f(int n) { if (n > 0) f(n - 1); else pop(); } int main(void) { f(20); return 0; }",
            "the call of `f` at client.c:2:",
        ),
        (
            "static int one(void) { push(1); return 1; } int main(void) { return one() + pop(); }",
            "the order of evaluation at client.c:2:",
        ),
        (
            "static int two(int a, int b) { while (a-- > b) pop(); return 0; } \
             int main(void) { int i = 0; return two(i++, i++); }",
            "matters for `i`",
        ),
    ] {
        let told = told(body);
        assert!(told.iter().any(|t| t.contains(expected)), "{told:?}");
    }
    // Counters of the client that are not followed decide nothing here.
    let counters = "static int n; static int next(void) { return n++; } \
        int main(void) { int k = next() - next(); push(k); return pop(); }";
    assert_eq!(found(counters), None);
}

#[test]
fn functions_that_do_not_return_end_the_program() {
    let text = "void die(void) __attribute__((noreturn)); int atexit(void (*)(void));
        static void last(void) { pop(); }
        int main(void) { atexit(last); die(); }";
    assert_eq!(found(text).unwrap(), ["pop()"]);
}

#[test]
fn objects_are_the_one_of_the_graph_or_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("conn.c");
    let library = "struct conn { int st; }; int err;
        void conn_init(struct conn *c) { if (c->st) err = 1; c->st = 1; }
        void conn_go(struct conn *c) { if (c->st != 1) err = 1; }
        void conn_get(int *out) { *out = 3; }";
    std::fs::write(&file, library).unwrap();
    let functions = ["conn_init", "conn_go", "conn_get"];
    let names = |body: &str| {
        let declared = "struct conn { int st; }; void conn_init(struct conn *); void conn_go(struct conn *); \
                        void conn_get(int *); void *memset(void *, int, unsigned long);";
        let text = format!("{declared}\n{body}");
        match verdict_of(file.clone(), &functions, &text) {
            Verdict::Legal => Vec::new(),
            Verdict::NotFollowed(all) => all.into_iter().map(|u| u.name).collect(),
            Verdict::Fails(calls) => vec![format!("{calls:?}")],
        }
    };
    let own = "static struct conn a; int n;";
    let fine =
        format!("{own} int main(void) {{ conn_init(&a); conn_go(&a); conn_get(&n); return n; }}");
    assert_eq!(names(&fine), Vec::<String>::new());
    for (changed, to, name) in [
        ("conn_go(&a)", "a.st = 0; conn_go(&a)", "conn_init"),
        ("conn_go(&a)", "memset(&a, 0, sizeof a); conn_go(&a)", "conn_init"),
        ("conn_init(&a);", "struct conn *p = &a; conn_init(&a);", "conn_init"),
        ("conn_init(&a)", "conn_init(0)", "conn_init"),
        ("conn_get(&n)", "conn_get(0)", "conn_get"),
        ("static struct conn a;", "static struct conn a = {7};", "conn_init"),
        ("static struct conn a;", "struct conn a, b;", ""),
        ("int n;", "int n; extern int st;", ""),
        ("return n", "st = 0; return n", "st"),
    ] {
        let mut text = fine.replace(changed, to);
        if name == "st" {
            text = format!("extern int st; {text}");
        }
        let found = names(&text);
        assert_eq!(found.first().map_or("", String::as_str), name, "{text}: {found:?}");
    }
    let two = fine.replace("conn_go(&a)", "conn_go(&b)").replace("conn a;", "conn a, b;");
    assert_eq!(names(&two), ["conn_init", "conn_go"]);
}
