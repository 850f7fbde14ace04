//! Shorter and simpler sequences, for reduction.

use crate::graph::{Call, Graph};

/// The maximum length of a sequence for which all subsequences are tried.
const LONGEST: usize = 12;

/// Returns the legal subsequences of `calls` that end with its last call, shortest first, without `calls` itself. For
/// more than 12 calls, returns only those that lack one call.
pub fn shorter(graph: &Graph, calls: &[Call]) -> Vec<Vec<Call>> {
    let Some((last, before)) = calls.split_last() else { return Vec::new() };
    let mut out: Vec<Vec<Call>> = Vec::new();
    let mut consider = |keep: &dyn Fn(usize) -> bool| {
        let kept = before.iter().enumerate().filter(|(k, _)| keep(*k)).map(|(_, c)| c);
        let part: Vec<Call> = kept.chain([last]).cloned().collect();
        if part.len() < calls.len()
            && graph.legal_prefix(&part) == part.len()
            && !out.contains(&part)
        {
            out.push(part);
        }
    };
    if before.len() < LONGEST {
        for kept in 0..1_usize << before.len() {
            consider(&|k| (kept >> k) & 1 == 1);
        }
    } else {
        for left_out in 0..before.len() {
            consider(&|k| k != left_out);
        }
    }
    out.sort_by_key(Vec::len);
    out
}

/// Returns the legal sequences of the same functions in which one argument is closer to 0 than in `calls`, starting
/// with 0.
pub fn simpler(graph: &Graph, calls: &[Call]) -> Vec<Vec<Call>> {
    let mut out = Vec::new();
    for (k, call) in calls.iter().enumerate() {
        for (n, value) in call.arguments.iter().enumerate() {
            // Classes of arguments are small, or have an example near their beginning.
            for nearer in 0..(*value).clamp(0, 8) {
                let mut changed = calls.to_vec();
                changed[k].arguments[n] = nearer;
                if graph.legal_prefix(&changed) == changed.len() {
                    out.push(changed);
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::parse;
    use crate::replay::text;
    use crate::synthesis::{Mode, synthesize};

    #[test]
    fn parts_are_legal_and_end_alike() {
        let library = parse(
            "module File:
               var open, err : [0..1]; init open = 0 & err = 0;
               output begin(n : [0..2]) { var s : [0..1];
                 s = 0 & open = 1 ==> err' = 1; s = 0 & open = 0 ==> open' = 1 & s' = 1; }
               output end { var s : [0..1];
                 s = 0 & open = 0 ==> err' = 1; s = 0 & open = 1 ==> open' = 0 & s' = 1; }
               output read { var s : [0..1];
                 s = 0 & open = 0 ==> err' = 1; s = 0 & open = 1 ==> s' = 1; }
             endmodule",
        )
        .unwrap();
        let graph = synthesize(library, Mode::Stable, None).unwrap();
        let call =
            |function: usize, arguments: &[i64]| Call { function, arguments: arguments.to_vec() };
        let calls = [call(0, &[2]), call(1, &[]), call(0, &[0]), call(2, &[]), call(2, &[])];
        let parts: Vec<String> = shorter(&graph, &calls).iter().map(|p| text(&graph, p)).collect();
        let expected = [
            "begin(2) read()",
            "begin(0) read()",
            "begin(2) read() read()",
            "begin(0) read() read()",
            "begin(2) end() begin(0) read()",
        ];
        assert_eq!(parts, expected);
        let nearer: Vec<String> =
            simpler(&graph, &calls[..1]).iter().map(|p| text(&graph, p)).collect();
        assert_eq!(nearer, ["begin(0)", "begin(1)"]);
        assert!(shorter(&graph, &calls[..1]).is_empty() && shorter(&graph, &[]).is_empty());
    }
}
