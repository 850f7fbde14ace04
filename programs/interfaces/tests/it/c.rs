//! Libraries in C: their graphs against every sequence of calls up to length 8, run on the C code.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use interfaces::c::{ErrorKind, Options, Translated, answers, read};
use interfaces::exhaustive::{alphabet, compare_answers};
use interfaces::graph::Graph;
use interfaces::library::{Problem, call};
use interfaces::synthesis::{Mode, synthesize, synthesize_within};
use interfaces::watch::Watch;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name)
}

fn options(functions: &str, error: ErrorKind) -> Options {
    Options {
        functions: functions.split(',').map(str::to_owned).collect(),
        error,
        stack: 8,
        front_end: canonical::c::Options::default(),
    }
}

fn translated(name: &str, functions: &str, error: ErrorKind) -> Translated {
    read(file(name), &options(functions, error)).unwrap_or_else(|e| panic!("{e}"))
}

/// Compares a graph with the C code, on all sequences up to a length.
fn agree(name: &str, t: &Translated, graph: &Graph, length: usize) -> u64 {
    let alphabet = alphabet(graph);
    let answers =
        answers(&file(name), &t.functions, &alphabet, length, t.error(), &Watch::default())
            .unwrap();
    let compared = compare_answers(graph, &alphabet, length, &answers).unwrap();
    let text = |s: &Option<Vec<_>>| {
        s.as_ref().map(|s| s.iter().map(|c| graph.call_text(c)).collect::<Vec<_>>())
    };
    assert_eq!(text(&compared.unsafe_sequence), None, "{name} is not safe");
    assert_eq!(text(&compared.refused_sequence), None, "{name} is not permissive");
    compared.sequences
}

/// The libraries of the second table: functions, the kind of an error, and regions.
const LIBRARIES: &[(&str, &str, ErrorKind, usize)] = &[
    ("stack.c", "push,pop", ErrorKind::Err, 4),
    ("queue.c", "queue_clear,enqueue,dequeue", ErrorKind::Exit, 4),
    ("ring.c", "put,get", ErrorKind::Err, 4),
    ("file.c", "file_open,file_read,file_write,file_close", ErrorKind::Exit, 3),
    ("iterator.c", "add,iterator,next,remove_last", ErrorKind::Err, 8),
    ("lock.c", "lock,unlock", ErrorKind::Exit, 7),
    ("commit.c", "begin,vote,commit,rollback", ErrorKind::Err, 8),
    (
        "tiff_reader.c",
        "tiff_open,tiff_read_directory,tiff_set_directory,tiff_read_scanline,tiff_close",
        ErrorKind::Exit,
        10,
    ),
    ("decoder.c", "decoder_start,decoder_feed,decoder_row,decoder_finish", ErrorKind::Err, 11),
    ("allocator.c", "block_alloc,block_free", ErrorKind::Exit, 8),
    (
        "socket.c",
        "sock_create,sock_bind,sock_listen,sock_accept,sock_connect,sock_send,sock_recv,sock_shutdown,sock_close",
        ErrorKind::Err,
        8,
    ),
    (
        "cursor.c",
        "db_connect,db_begin,db_query,db_fetch,db_column,db_commit,db_close",
        ErrorKind::Exit,
        6,
    ),
];

/// The length of sequences: with all arguments of the alphabet, at most some hundred thousand.
const LENGTH: usize = 8;

/// The second table: regions, times, and sequences that were run on the C code.
#[test]
fn libraries_agree_with_every_sequence() {
    for &(name, functions, error, regions) in LIBRARIES {
        let t = translated(name, functions, error);
        let start = Instant::now();
        let graph = synthesize(t.library.clone(), Mode::Stable, None).unwrap();
        let time = start.elapsed();
        let calls = alphabet(&graph).len();
        let sequences = agree(name, &t, &graph, LENGTH);
        println!(
            "{name}: {} nodes, {time:.2?}, {calls} calls, {sequences} sequences",
            graph.regions()
        );
        assert!(sequences > 100, "{name}: {sequences}");
        assert_eq!(graph.regions(), regions, "{name}: {:#?}", graph.nodes);
    }
}

/// The translation of the stack with pointers has the graph of its guarded updates.
#[test]
fn contents_that_decide_nothing_are_dropped() {
    let t = translated("stack.c", "push,pop", ErrorKind::Err);
    let names: Vec<&str> = t.library.globals.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["failed", "err", "stack.top"]);
    let again = interfaces::library::parse(&t.library.to_string()).unwrap();
    let graph = |l| synthesize(l, Mode::Stable, None).unwrap();
    assert_eq!(graph(again).edges, graph(t.library).edges);
}

/// `fib` of the appendix, by its explicit stack.
#[test]
fn fibonacci_numbers_by_an_explicit_stack() {
    let t = translated("fibonacci.c", "set,check", ErrorKind::Exit);
    let result = t.library.globals.iter().position(|v| v.name == "result").unwrap();
    let state: Vec<i64> = t.library.globals.iter().map(|_| 0).collect();
    for (n, fibonacci) in [(-3, 1), (1, 1), (2, 1), (3, 2), (4, 3), (5, 5), (6, 8), (9, 34)] {
        let outcome = call(&t.library, &t.library.functions[0], &state, &[n]).unwrap();
        assert!(!outcome.error, "fib({n})");
        let results: Vec<i64> = outcome.returns.iter().map(|s| s[result]).collect();
        assert_eq!(results, [fibonacci], "fib({n})");
    }
    // Deeper than the stack of 8.
    assert!(call(&t.library, &t.library.functions[0], &state, &[11]).unwrap().error);
}

#[test]
fn what_has_no_translation_is_refused_with_its_place() {
    let problem = |text: &str| -> Problem {
        let program = canonical::c::read_text("bad.c", text, &canonical::c::Options::default());
        interfaces::c::translate("bad", &program, &options("f", ErrorKind::Exit)).unwrap_err()
    };
    for (text, expected) in [
        ("void g(void);", "input: no function `f`; there are: "),
        ("struct s { int a; } x, *p = &x;\nvoid f(void) {\n  p->a = 1;\n}", "bad.c:3:"),
        ("int a[4], n;\nvoid g(int *);\nvoid f(void) {\n  g(&n);\n}", "`g` may change memory"),
        ("void f(double x) { }", "floating parameters"),
        (
            "static int n;\n__attribute__((constructor)) static void set(void) { n = 1; }\nvoid f(void) { n = 2; }",
            "bad.c:2:",
        ),
    ] {
        let message = problem(text).to_string();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_function_that_is_named_twice_is_one() {
    let t = translated("stack.c", "push,pop,push", ErrorKind::Err);
    assert_eq!((t.library.functions.len(), t.functions.len()), (2, 2));
}

/// A library in a text, with its file for the compiler.
fn of_text(text: &str, functions: &str) -> (tempfile::TempDir, PathBuf, Translated) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("library.c");
    std::fs::write(&file, text).unwrap();
    let t = read(file.clone(), &options(functions, ErrorKind::Either));
    (folder, file, t.unwrap_or_else(|e| panic!("{e}")))
}

/// The graph of a library, which must agree with its code on all sequences up to a length.
fn graph_of(text: &str, functions: &str, mode: Mode, length: usize) -> Graph {
    let (_folder, file, t) = of_text(text, functions);
    let watch = Watch::new(Some(Duration::from_secs(120)));
    let graph = synthesize_within(t.library.clone(), mode, &watch).unwrap();
    let alphabet = alphabet(&graph);
    let answers = answers(&file, &t.functions, &alphabet, length, t.error(), &watch).unwrap();
    let compared = compare_answers(&graph, &alphabet, length, &answers).unwrap();
    assert_eq!(compared.unsafe_sequence, None, "{text}\n{graph:#?}");
    assert_eq!(compared.refused_sequence, None, "{text}\n{graph:#?}");
    assert!(compared.sequences > 10);
    graph
}

/// Remainders of variables of 32 bits have large diagrams, and few states.
const SMALL: [(&str, &str, usize); 3] = [
    (
        "int err; static int neg, n;
         void twist(int y) { neg = (neg * 3 - (y & 7)) % 4; if (neg == -3) err = 1; }
         void use(void) { if (neg > 0) err = 1; n = (n + 1) % 3; }",
        "twist,use",
        3,
    ),
    (
        "int err; static char a = 1, b; static unsigned u;
         void add(void) { a = a + 3; b = b + 1; u = (u * 7 + a) % 13; }
         void check(void) { if (u % 2 == 1 && a > 20) err = 1; }
         void reset(void) { a = 1; b = 0; u = 0; }",
        "add,check,reset",
        555,
    ),
    (
        "int err; static char level; static unsigned u;
         void add(char x) { level = (level + x) % 4; if (level < 0) level = 0; }
         void step(unsigned k) { u = (u + k) % 5; if (u > (unsigned)level + 1) err = 1; }",
        "add,step",
        20,
    ),
];

#[test]
fn libraries_with_few_states_have_a_graph_whatever_they_compute() {
    for (text, functions, regions) in SMALL {
        let start = Instant::now();
        let graph = graph_of(text, functions, Mode::Stable, 3);
        assert_eq!(graph.regions(), regions, "{text}");
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    }
}

/// No work goes on for long after the limit, and the error says what was not finished.
#[test]
fn the_time_limit_is_kept_in_each_mode() {
    // All 2^32 states are reached.
    let text = "int err; static unsigned x, y;
        void step(unsigned k) { x = x * 1103515245u + 12345u + k; y = y + x % 1000u; }
        void check(void) { if (x % 7919u == y % 7901u) err = 1; }";
    let (_folder, _, t) = of_text(text, "step,check");
    for mode in Mode::ALL {
        let limit = Duration::from_millis(1500);
        let (start, library) = (Instant::now(), t.library.clone());
        let work = move |watch: &Watch| synthesize_within(library, mode, watch);
        let problem = Watch::new(Some(limit)).run(work).unwrap_err();
        assert!(start.elapsed() < Duration::from_secs(4), "{mode:?}: {:?}", start.elapsed());
        let message = &problem.message;
        let is_told = message.starts_with("the time limit of 1.5 s passed while ");
        assert!(is_told || message.contains(" nodes: use smaller types"), "{mode:?}: {message}");
    }
}

#[test]
fn an_index_that_is_counted_on_is_evaluated_first() {
    let array = "int err; static int a[4], n;
        void push(int x) { if (n == 4) { err = 1; return; } a[n++] = x; }
        int pop(void) { if (n == 0) { err = 1; return 0; } return a[--n]; }";
    assert_eq!(graph_of(array, "push,pop", Mode::Stable, 8).regions(), 5);
    // Without a check, the index leaves the array.
    let field = "static struct { int before; int data[3]; int top; } s;
        void push(int x) { s.data[s.top++] = x; }
        int pop(void) { return s.data[--s.top]; }";
    assert_eq!(graph_of(field, "push,pop", Mode::Stable, 8).regions(), 4);
    let pointer = "struct stack { int data[3]; int top; };
        void push(struct stack *s, int x) { s->data[s->top++] = x; }
        int pop(struct stack *s) { return s->data[--s->top]; }";
    assert_eq!(graph_of(pointer, "push,pop", Mode::Stable, 8).regions(), 4);
}

/// A result that the client may not look at is computed, and may leave an array.
#[test]
fn results_that_nobody_uses_are_computed() {
    let text = "static int a[2], n;
        void next(void) { n++; }
        int get(void) { return a[n]; }
        void back(void) { if (n > 0) n--; else n = 0; if (n > 4) n = 4; }";
    let graph = graph_of(&text.replace("n++", "if (n < 4) n++"), "next,get,back", Mode::Stable, 6);
    assert_eq!(graph.regions(), 5);
}

#[test]
fn direct_lists_the_states_of_small_libraries_in_c() {
    for &(name, functions, error, regions) in LIBRARIES {
        let t = translated(name, functions, error);
        match synthesize(t.library.clone(), Mode::Direct, None) {
            Ok(graph) => {
                let sequences = agree_strictly(name, &t, &graph, 4);
                assert!(graph.regions() > 0 && sequences > 0, "{name}: {}", graph.regions());
                if matches!(name, "stack.c" | "ring.c") {
                    assert!(graph.regions() >= regions, "{name}: {}", graph.regions());
                }
            }
            Err(problem) => panic!("{name}: {problem}"),
        }
    }
    // A product of two numbers that are not known has too many values.
    let (_folder, _, t) = of_text(
        "int err; static int x; void set(int y) { x = y * y; } void use(void) { if (x % 3) err = 1; }",
        "set,use",
    );
    let problem = synthesize(t.library, Mode::Direct, None).unwrap_err();
    assert!(problem.place.line == 1, "{problem}");
    assert!(problem.message.contains("; `direct` lists each state"), "{problem}");
}

/// The graph of `direct` refuses a call that fails with some arguments: it is safe.
fn agree_strictly(name: &str, t: &Translated, graph: &Graph, length: usize) -> u64 {
    let alphabet = alphabet(graph);
    let watch = Watch::default();
    let answers = answers(&file(name), &t.functions, &alphabet, length, t.error(), &watch).unwrap();
    let compared = compare_answers(graph, &alphabet, length, &answers).unwrap();
    assert_eq!(compared.unsafe_sequence, None, "{name} is not safe");
    compared.sequences
}
