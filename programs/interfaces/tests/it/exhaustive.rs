//! Graphs against all sequences of calls, of the paper's libraries and of random ones.

use std::fmt::Write as _;

use interfaces::exhaustive::{alphabet, compare_library};
use interfaces::library::{Library, parse};
use interfaces::symbolic::Calls;
use interfaces::synthesis::{Abstraction, Explorer, Mode, Predecessors, Stable, synthesize};

/// Numbers that look random: those of Knuth's MMIX.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }
}

/// A library of up to 2^9 states of three globals, whose functions have an argument, a location and
/// rules that are made of all operators. Updates wrap into their ranges.
fn random_library(random: &mut Random) -> String {
    let signed = random.below(2) == 1;
    let c = if signed { "[-4..3]" } else { "[0..6]" };
    let mut out = format!(
        "module Random:\n var a : [0..3]; var b : [0..7]; var c : {c}; var err : [0..1];\n \
         init err = 0 & b = {} & c = {};\n",
        random.below(8),
        random.below(4)
    );
    out += if random.below(2) == 1 { " init a = 1;\n" } else { " init a < 2;\n" };
    let operators = ["+", "-", "*", "/", "%", "band", "bor", "bxor", "<<", ">>"];
    for f in 0..2 {
        let _ = writeln!(out, " output f{f}(x : [0..2]) {{ var s : [0..3]; var t : [0..7] = 1;");
        for location in 0..2 {
            let (v, w) =
                (random.pick(&["a", "b", "c", "x", "t"]), random.pick(&["a", "b", "c", "x", "2"]));
            let guard = format!("{v} {} {w}", random.pick(&["=", "<", "<=", "!=", ">"]));
            for (sign, next) in [("", 1), ("!", 2)] {
                let next = location + random.below(next) + 1;
                let target = random.pick(&["a", "b", "t", "c"]);
                let value = format!(
                    "{} {} ({} {} {})",
                    random.pick(&["a", "b", "c", "x", "t", "3"]),
                    random.pick(&operators),
                    random.pick(&[
                        "a",
                        "b",
                        "c",
                        "x",
                        "(-c)",
                        "(not a)",
                        "(if a < x then b else 3)"
                    ]),
                    random.pick(&operators),
                    random.pick(&["a", "x", "1", "2", "t"]),
                );
                let value = match target {
                    "a" => format!("wrap(2, {value})"),
                    "c" if signed => format!("swrap(3, {value})"),
                    "c" => format!("wrap(2, {value})"),
                    _ => format!("wrap(3, {value})"),
                };
                let error = if random.below(6) == 0 { " & err' = 1" } else { "" };
                let _ = writeln!(
                    out,
                    "  s = {location} & {sign}({guard}) ==> {target}' = {value} & s' = {next}{error};"
                );
            }
        }
        out += " }\n";
    }
    out + "endmodule\n"
}

fn random_libraries(count: usize) -> impl Iterator<Item = (String, Library)> {
    let mut random = Random(7);
    (0..count).map(move |_| {
        let text = random_library(&mut random);
        let library = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        (text, library)
    })
}

#[test]
fn stable_graphs_are_safe_and_permissive() {
    let mut fail = 0;
    for (text, library) in random_libraries(150) {
        let graph = synthesize(library.clone(), Mode::Stable, None).unwrap();
        let calls = (0..2).flat_map(|function| {
            (0..3).map(move |x| interfaces::graph::Call { function, arguments: vec![x] })
        });
        let calls: Vec<_> = calls.collect();
        let compared = compare_library(&graph, &library, &calls, 4).unwrap();
        assert_eq!(compared.unsafe_sequence, None, "{text}\n{graph:#?}");
        assert_eq!(compared.refused_sequence, None, "{text}\n{graph:#?}");
        fail += usize::from(graph.nodes.iter().any(|n| n.is_error));
    }
    assert!((50..150).contains(&fail), "{fail} libraries have errors");
}

/// The sequences of the paper's libraries, up to length 8. A call that the graph takes for legal under
/// all arguments is legal, in each mode but the paper's own.
#[test]
fn graphs_of_the_papers_libraries_agree_with_all_sequences() {
    let stack = include_str!("../libraries/stack.gu");
    let data = include_str!("../libraries/data_stream.gu").replace("D = 10", "D = 3");
    let bits = include_str!("../libraries/bit_array.gu").replace("K = 8", "K = 5");
    for (text, sequences) in [(stack, 100), (&data, 20_000), (&bits, 20_000)] {
        let library = parse(text).unwrap();
        for mode in [Mode::Stable, Mode::Learning, Mode::Cegar, Mode::Direct] {
            let graph = synthesize(library.clone(), mode, None).unwrap();
            let compared = compare_library(&graph, &library, &alphabet(&graph), 8).unwrap();
            assert!(compared.sequences > sequences, "{mode:?}: {}", compared.sequences);
            assert_eq!(compared.unsafe_sequence, None, "{mode:?}");
            assert_eq!(compared.refused_sequence, None, "{mode:?}");
        }
    }
}

#[test]
fn the_paper_is_not_safe_for_a_stack_of_three() {
    let library = parse(include_str!("../libraries/stack.gu")).unwrap();
    let graph = synthesize(library.clone(), Mode::Paper, None).unwrap();
    let compared = compare_library(&graph, &library, &alphabet(&graph), 8).unwrap();
    let sequence = compared.unsafe_sequence.unwrap();
    let texts: Vec<String> = sequence.iter().map(|c| graph.call_text(c)).collect();
    assert_eq!(texts, ["push(0)", "pop()", "pop()"]);
    assert_eq!(compared.refused_sequence, None);
}

/// Equation 4 and Theorem 4.2: must predecessors, exact or rule by rule, are inside the concrete ones,
/// and may predecessors are outside.
#[test]
fn approximate_predecessors_enclose_the_concrete_ones() {
    let mut strict = 0;
    for (text, library) in random_libraries(40) {
        let calls = Calls::new(library).unwrap();
        let rest = calls.domain.and_not(&calls.error);
        let regions = [calls.error.clone(), calls.initial.clone(), rest.and_not(&calls.initial)];
        for f in 0..2 {
            let error = calls.error.and(&calls.functions[f].domain);
            let concrete = calls.before(f, &error).unwrap();
            let mut local = Abstraction::new(&calls, f, &regions);
            for variable in [None, Some(&calls.space.locals[f][1]), Some(&calls.space.globals[1])] {
                if let Some(field) = variable {
                    local.refine(&field.now().collect::<Vec<_>>());
                }
                let exact = local.must(&error, Predecessors::Exact).unwrap();
                let grouped = local.must(&error, Predecessors::ByGroup).unwrap();
                let by_rule = local.must(&error, Predecessors::ByRule).unwrap();
                assert!(by_rule.and_not(&grouped).is_false(), "{text}");
                assert!(grouped.and_not(&exact).is_false(), "{text}");
                assert!(exact.and_not(&concrete).is_false(), "{text}");
                let may = local.may(&error, Predecessors::Exact).unwrap();
                let may_by_rule = local.may(&error, Predecessors::ByRule).unwrap();
                assert!(concrete.and_not(&may).is_false(), "{text}");
                assert!(may.and_not(&may_by_rule).is_false(), "{text}");
                strict += usize::from(grouped != by_rule) + usize::from(may != may_by_rule);
            }
        }
    }
    assert!(strict > 0, "the approximations never differ");
}

/// The paper's algorithm finds the same graph with each kind of predecessors, and however functions
/// are added.
#[test]
fn exploration_does_not_depend_on_the_approximation() {
    for (text, library) in random_libraries(40) {
        let calls = Calls::new(library).unwrap();
        let graphs = [Predecessors::Exact, Predecessors::ByRule, Predecessors::ByGroup].map(|p| {
            let mut explorer = Explorer::new(&calls).unwrap();
            explorer.predecessors = p;
            explorer.explore().unwrap()
        });
        assert_eq!(graphs[0], graphs[1], "{text}");
        assert_eq!(graphs[0], graphs[2], "{text}");
    }
}

/// A function that is added later refines the graph to that of all functions.
#[test]
fn functions_can_be_added_later() {
    for (text, library) in random_libraries(40) {
        let calls = Calls::new(library).unwrap();
        let at_once = Stable::new(&calls).explore().unwrap();
        let mut later = Stable::new(&calls);
        later.add(1);
        later.build().unwrap();
        later.add(0);
        let graph = later.build().unwrap();
        assert_eq!(graph.regions(), at_once.regions(), "{text}");
        assert_eq!(graph.edges.len(), at_once.edges.len(), "{text}");
    }
}

/// Example 3: alone, neither rule must lead to `indata = 0`; together, both do.
#[test]
fn rules_of_one_condition_are_grouped() {
    let library = parse(
        "module Example3:
           var indata, hd : [0..1];
           init indata = 0 & hd = 0;
           error false;
           output read {
             hd = 1 & indata = 1 ==> indata' = 0 & hd' = 0;
             hd = 0 & indata = 1 ==> indata' = 0 & hd' = hd; }
         endmodule",
    )
    .unwrap();
    let calls = Calls::new(library).unwrap();
    let zero = calls.initial.exists(&calls.space.globals[1].now().collect::<Vec<_>>());
    let regions = [zero.clone(), calls.domain.and_not(&zero)];
    let local = Abstraction::new(&calls, 0, &regions);
    assert_eq!(local.group_count(Predecessors::ByRule), 2);
    assert_eq!(local.group_count(Predecessors::ByGroup), 1);
    assert_eq!(local.must(&zero, Predecessors::ByRule).unwrap(), zero);
    assert!(!local.must(&zero, Predecessors::ByGroup).unwrap().and_not(&zero).is_false());
}
