//! Libraries in C: their graphs against every sequence of calls up to length 8, run on the C code.

use std::path::PathBuf;
use std::time::Instant;

use interfaces::c::{ErrorKind, Options, Translated, answers, read};
use interfaces::exhaustive::{alphabet, compare_answers};
use interfaces::graph::Graph;
use interfaces::library::{Problem, call};
use interfaces::synthesis::{Mode, synthesize};
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
    ] {
        let message = problem(text).to_string();
        assert!(message.contains(expected), "{message}");
    }
}
