//! Creates graphs whose edges have one value each, so that suites try all values of small ranges.

use crate::graph::{Arguments, Edge, Graph};
use crate::symbolic::Boxes;

/// Returns the graph with an edge for each value of the arguments of a class, if the class has at most `most` values
/// and is legal. Other edges keep their class; suites try its example.
pub fn with_each_value(graph: &Graph, most: usize) -> Graph {
    let mut edges = Vec::new();
    for edge in &graph.edges {
        let values = match &edge.arguments.boxes {
            Some(boxes) if !graph.nodes[edge.to].is_error => values(boxes, most),
            _ => None,
        };
        match values {
            None => edges.push(edge.clone()),
            Some(values) => edges.extend(values.into_iter().map(|value| one(graph, edge, value))),
        }
    }
    Graph { edges, ..graph.clone() }
}

/// The edge restricted to these arguments.
fn one(graph: &Graph, edge: &Edge, value: Vec<i64>) -> Edge {
    let names = &graph.parameters[edge.function];
    let equal: Vec<String> = names.iter().zip(&value).map(|(n, v)| format!("{n} = {v}")).collect();
    let boxes = vec![value.iter().map(|v| (*v, *v)).collect()];
    let arguments =
        Arguments { description: equal.join(" & "), boxes: Some(boxes), set: None, example: value };
    Edge { arguments, ..edge.clone() }
}

/// Returns all values in `boxes`, in order; `None` if there are more than `most` or if they do not belong to arguments.
fn values(boxes: &Boxes, most: usize) -> Option<Vec<Vec<i64>>> {
    let mut out: Vec<Vec<i64>> = Vec::new();
    for ranges in boxes {
        if ranges.is_empty() {
            return None;
        }
        let mut values: Vec<Vec<i64>> = vec![Vec::new()];
        for (low, high) in ranges {
            let count = usize::try_from(high.checked_sub(*low)?).ok()?.checked_add(1)?;
            if count.checked_mul(values.len())? > most {
                return None;
            }
            let longer = |value: Vec<i64>| {
                (*low..=*high).map(move |v| value.iter().copied().chain([v]).collect())
            };
            values = values.into_iter().flat_map(longer).collect();
        }
        out.extend(values);
    }
    out.sort();
    out.dedup();
    (out.len() <= most).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::parse;
    use crate::suite::{Coverage, sequences};
    use crate::synthesis::{Mode, synthesize};

    #[test]
    fn small_ranges_are_tried_value_by_value() {
        let library = parse(
            "module M:
               var a, err : [0..1]; init a = 0 & err = 0;
               output f(n : [0..200]) { var s : [0..1];
                 s = 0 & n > 2 ==> err' = 1;
                 s = 0 & n <= 2 ==> a' = 1 & s' = 1; }
             endmodule",
        )
        .unwrap();
        let graph = synthesize(library, Mode::Stable, None).unwrap();
        let each = with_each_value(&graph, 8);
        let texts: Vec<String> = sequences(&each, Coverage::Edges)
            .iter()
            .map(|s| super::super::text(&each, &s.calls))
            .collect();
        assert_eq!(texts, ["f(0)", "f(1)", "f(2)", "f(3)"]);
        assert_eq!(sequences(&with_each_value(&graph, 2), Coverage::Edges).len(), 2);
    }
}
