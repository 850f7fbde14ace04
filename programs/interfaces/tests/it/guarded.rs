//! Guarded updates: places of problems, functions that are selected, and remarks on graphs.

use interfaces::library::parse;
use interfaces::synthesis::{Mode, synthesize};

/// Libraries that are refused: the mode, the place, and a part of the message.
const REFUSED: [(&str, Mode, &str, &str); 7] = [
    ("\nmodule A: var err : [0..1]; endmodule", Mode::Stable, "2:1", "has no functions"),
    (
        "module A:\n var err : [0..1];\n init err = 1;\n output f { err = 0 ==> err' = 1; }\nendmodule",
        Mode::Stable,
        "3:2",
        "an initial state is an error",
    ),
    (
        "module A:\n var err : [0..1];\n init err = 2;\n output f { err = 0 ==> err' = 1; }\nendmodule",
        Mode::Direct,
        "3:2",
        "no state satisfies",
    ),
    (
        "module A:\n var err : [0..1];\n init err = 2;\n output f { err = 0 ==> err' = 1; }\nendmodule",
        Mode::Learning,
        "3:2",
        "no state satisfies",
    ),
    (
        "module A:\n var n : [0..1] = 0;\n error n = 2;\n output f { n = 0 ==> n' = 1; }\nendmodule",
        Mode::Paper,
        "3:2",
        "no state satisfies the error condition",
    ),
    (
        "module A:\n var n : [0..1000000000000] = 0;\n error n * n * n * n = 7;\n output f { n = 0 ==> n' = 1; }\nendmodule",
        Mode::Stable,
        "3:2",
        "may exceed 61 bits",
    ),
    (
        "module A:\n var n : [0..3000] = 0; var err : [0..1] = 0;\n output f { var s : [0..1]; \
         s = 0 & n < 3000 ==> n' = n + 1 & s' = 1; s = 0 & n = 3000 ==> err' = 1 & s' = 1; }\nendmodule",
        Mode::Stable,
        "1:1",
        "nodes",
    ),
];

#[test]
fn problems_have_places() {
    for (text, mode, place, expected) in REFUSED {
        let problem = match parse(text) {
            Ok(library) => synthesize(library, mode, None).unwrap_err(),
            Err(problem) => problem,
        };
        let found = format!("{}:{}", problem.place.line, problem.place.column);
        assert_eq!(found, place, "{problem}");
        assert!(problem.message.contains(expected), "{problem}");
    }
}

const GATE: &str = "module Gate: var err : [0..1] = 0; output open(x : [0..3]) { var s : [0..1]; \
    s = 0 & x = 2 ==> err' = 1; s = 0 & x != 2 ==> s' = 1; } endmodule";

#[test]
fn a_function_that_is_named_twice_is_one() {
    let mut library = parse(GATE).unwrap();
    library.select(&["open".to_owned(), "open".to_owned()]).unwrap();
    let graph = synthesize(library, Mode::Stable, None).unwrap();
    assert_eq!((graph.functions.len(), graph.edges.len()), (1, 2));
}

#[test]
fn modes_that_are_not_exact_say_so() {
    for mode in Mode::ALL {
        let graph = synthesize(parse(GATE).unwrap(), mode, None).unwrap();
        let remark = mode.remark(&graph);
        assert_eq!(remark.is_some(), mode != Mode::Stable, "{mode:?}");
        assert!(remark.is_none_or(|r| r.contains(mode.name()) && r.contains("`stable`")));
    }
    let plain = "module Gate: var err, n : [0..1] = 0; output open { n = 1 ==> err' = 1; \
        n = 0 ==> n' = 1; } endmodule";
    let graph = synthesize(parse(plain).unwrap(), Mode::Learning, None).unwrap();
    assert_eq!(Mode::Learning.remark(&graph), None);
}
