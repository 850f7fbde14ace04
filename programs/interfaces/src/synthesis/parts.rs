//! Parts of graphs that all algorithms make.

use biodivine_lib_bdd::Bdd;

use crate::graph::{Arguments, Graph, ValueSet};
use crate::library::Library;
use crate::symbolic::{Field, Space, part};

/// The maximum number of argument ranges of a class. A class with more is a set without ranges.
const MOST_SHOWN: usize = 8;

/// A graph without nodes.
pub(crate) fn empty(library: &Library) -> Graph {
    let parameters = |f: &crate::library::Function| {
        f.locals[..f.parameters].iter().map(|v| v.name.clone()).collect()
    };
    Graph {
        library: library.name.clone(),
        functions: library.functions.iter().map(|f| f.name.clone()).collect(),
        parameters: library.functions.iter().map(parameters).collect(),
        nodes: Vec::new(),
        initial: Vec::new(),
        edges: Vec::new(),
    }
}

/// Returns the class of all values of a function's parameters. The example has the lowest nonnegative values.
pub(crate) fn any_arguments(library: &Library, function: usize) -> Arguments {
    let f = &library.functions[function];
    let example = f.locals[..f.parameters].iter().map(|v| v.low.max(0).min(v.high)).collect();
    Arguments { description: String::new(), boxes: None, set: None, example }
}

/// A set of values of parameters as a class.
pub(crate) fn arguments(library: &Library, space: &Space, f: usize, set: &Bdd) -> Arguments {
    let count = library.functions[f].parameters;
    let fields: Vec<&Field> = space.locals[f][..count].iter().collect();
    let any = any_arguments(library, f);
    let Some(boxes) = space.boxes(set, &fields) else {
        return many(space, &fields, set);
    };
    let is_full = |b: &Vec<(i64, i64)>| {
        fields.iter().zip(b).all(|(f, (low, high))| *low <= f.low && *high >= f.high)
    };
    if boxes.iter().any(is_full) {
        return any;
    }
    let text = |b: &Vec<(i64, i64)>| {
        let parts: Vec<String> = fields.iter().zip(b).filter_map(|(f, r)| part(f, *r)).collect();
        parts.join(" & ")
    };
    let mut texts: Vec<String> = boxes.iter().take(MOST_SHOWN).map(text).collect();
    if boxes.len() > MOST_SHOWN {
        texts.push(format!("… ({} more)", boxes.len() - MOST_SHOWN));
    }
    // Small nonnegative values are the clearest examples.
    let example = |b: &Vec<(i64, i64)>| -> Vec<i64> {
        b.iter().map(|(low, high)| (*low).max(0).min(*high)).collect()
    };
    let mut examples: Vec<Vec<i64>> = boxes.iter().map(example).collect();
    examples.sort_by_key(|e| e.iter().map(|v| v.unsigned_abs()).sum::<u64>());
    let example = examples.into_iter().next().unwrap_or(any.example);
    Arguments { description: texts.join(" | "), boxes: Some(boxes), set: None, example }
}

/// Creates a class of values in many ranges, such as all odd numbers. It is described by its first values.
fn many(space: &Space, fields: &[&Field], set: &Bdd) -> Arguments {
    const FIRST: usize = 3;
    let mut rest = set.clone();
    // Decide signs first, so that nonnegative values are shown if there are any.
    for field in fields.iter().filter(|f| f.low < 0) {
        if let Some(sign) = field.now().last() {
            let positive = rest.and_not(&space.variable(sign));
            rest = if positive.is_false() { rest } else { positive };
        }
    }
    let mut first: Vec<Vec<i64>> = Vec::new();
    while first.len() < FIRST && !rest.is_false() {
        let values = space.pick(&rest, fields);
        let Some(at) = rest.first_valuation() else { break };
        let bits = fields.iter().flat_map(|f| f.now()).map(|v| (v, at.value(v)));
        rest = rest.and_not(&space.literals(&bits.collect::<Vec<_>>()));
        first.push(values);
    }
    let text = |values: &Vec<i64>| {
        let equal = fields.iter().zip(values).filter(|(f, _)| f.low != f.high);
        let equal: Vec<String> = equal.map(|(f, v)| format!("{} = {v}", f.name)).collect();
        equal.join(" & ")
    };
    let texts: Vec<String> = first.iter().map(text).collect();
    let set = ValueSet::new(set.clone(), fields.iter().map(|f| (*f).clone()).collect());
    Arguments {
        description: format!("{} | … (many more)", texts.join(" | ")),
        boxes: None,
        set: Some(set),
        example: first.into_iter().next().unwrap_or_default(),
    }
}
