//! Graphs as JSON, DOT, SVG and text.

mod bundle;
mod dot;
mod json;
mod svg;
mod text;

pub use bundle::View;
pub use dot::dot;
pub use json::{Json, json};
pub use svg::svg;
pub use text::text;

use crate::graph::{Edge, Graph};

/// The label of an edge: the call and its class of arguments.
fn label(graph: &Graph, edge: &Edge) -> String {
    let name = &graph.functions[edge.function];
    match edge.arguments.description.as_str() {
        "" => name.clone(),
        arguments => format!("{name} [{arguments}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Call;
    use crate::library::parse;
    use crate::synthesis::{Mode, synthesize};

    #[test]
    fn the_edges_of_a_sequence_are_marked() {
        let library = parse(
            "module File:
               var open, err : [0..1]; init open = 0 & err = 0;
               output begin { var s : [0..1];
                 s = 0 & open = 1 ==> err' = 1; s = 0 & open = 0 ==> open' = 1 & s' = 1; }
               output read { var s : [0..1];
                 s = 0 & open = 0 ==> err' = 1; s = 0 & open = 1 ==> s' = 1; }
               output look { var s : [0..1];
                 s = 0 & open = 0 ==> err' = 1; s = 0 & open = 1 ==> s' = 1; }
             endmodule",
        )
        .unwrap();
        let graph = synthesize(library, Mode::Stable, None).unwrap();
        let call = |function: usize| Call { function, arguments: Vec::new() };
        let path = graph.path(&[call(0), call(1), call(1)]).unwrap();
        assert!(graph.path(&[call(1)]).is_none());
        let calls = ["begin()", "read()", "read()"].map(str::to_owned);
        let sequence = View::Path { path: &path, calls: &calls };
        let marked = dot(&graph, sequence);
        let red: Vec<&str> = marked.lines().filter(|l| l.contains("penwidth")).collect();
        let [begin, read] = red[..] else { panic!("{marked}") };
        assert!(begin.contains("label=\"1. begin()\""), "{marked}");
        assert!(read.contains("label=\"2. read()\\n3. read()\\nand 1 other call\""), "{marked}");
        let legal = dot(&graph, View::Legal);
        assert!(legal.contains("read\\nlook") && !legal.contains("octagon"));
        // No node has an error, so only the condition that distinguishes them is drawn.
        assert!(marked.contains("n1 [label=\"open = 1\""), "{marked}");
        assert!(!marked.contains("octagon") && dot(&graph, View::All).contains("octagon"));
        let drawn = svg(&graph, sequence);
        assert!(drawn.contains(">2. read()<") && !drawn.contains("ERROR"), "{drawn}");
        assert!(svg(&graph, View::All).contains("ERROR"));
        assert!(text(&graph).contains("   begin -> 1\n"), "{}", text(&graph));
    }
}
