//! Canonical memory and canonical places, and those of an [`Unfolding`].

use std::collections::BTreeMap;

use canonical::{Program, VariableId};

use super::Spot;
use super::formula::{Dereference, Interpretation};
use crate::unfold::memory::CellId;
use crate::unfold::{ContextId, PointId, Unfolding};

/// The segments of a program's variables, numbered from 1 in the order of their tokens (2.5).
#[derive(Debug, Clone, Default)]
pub struct Segments {
    of: BTreeMap<VariableId, u32>,
    variables: Vec<VariableId>,
}

impl Segments {
    /// Returns the segments of a program. Variables that the front end created have none.
    pub fn new(program: &Program) -> Self {
        let all = (0..program.variables.len()).map(VariableId::new);
        let mut variables: Vec<_> =
            all.filter(|id| program.variable(*id).token.is_some()).collect();
        variables.sort_by_key(|id| (program.variable(*id).token, *id));
        let of = variables.iter().copied().zip(1..).collect();
        Self { of, variables }
    }

    /// The variables in the order of their segments.
    pub fn variables(&self) -> &[VariableId] {
        &self.variables
    }

    /// The segment of a variable.
    pub fn of(&self, variable: VariableId) -> Option<u32> {
        self.of.get(&variable).copied()
    }

    /// The variable of a segment; 0 is the null pointer.
    pub fn variable(&self, segment: u32) -> Option<VariableId> {
        self.variables.get((segment as usize).checked_sub(1)?).copied()
    }
}

/// The cell that a basic dereference names in a context.
pub fn cell(
    unfolding: &Unfolding,
    segments: &Segments,
    context: ContextId,
    of: &Dereference,
) -> Option<CellId> {
    let (segment, offset) = of.as_basic()?;
    let object = unfolding.object(context, segments.variable(segment)?)?;
    let Interpretation::Int(bits, signed) = of.ty else { return None };
    unfolding.memory.part(object, &[]).find(|id| {
        let cell = unfolding.memory.cell(*id);
        let fits =
            cell.int.is_some_and(|int| int.bits() == u32::from(bits) && int.signed == signed);
        fits && !cell.weak && cell.offset == offset
    })
}

/// Returns the basic dereference of an integer cell that is not an array element.
pub fn dereference(unfolding: &Unfolding, segments: &Segments, id: CellId) -> Option<Dereference> {
    let cell = unfolding.memory.cell(id);
    let int = cell.int.filter(|_| !cell.weak)?;
    let segment = segments.of(unfolding.memory.object(cell.object).variable?)?;
    let bits = u8::try_from(int.bits()).ok()?;
    Some(Dereference::basic(segment, cell.offset, Interpretation::Int(bits, int.signed)))
}

/// The integer cells that a context's function can name.
pub fn named(unfolding: &Unfolding, context: ContextId) -> Vec<CellId> {
    let mut objects: Vec<_> = unfolding.context(context).objects.values().copied().collect();
    objects.extend(unfolding.statics.values().copied());
    objects.sort_unstable();
    objects.into_iter().flat_map(|object| unfolding.memory.part(object, &[])).collect()
}

/// Returns the place by which clients refer to a point.
pub fn spot(unfolding: &Unfolding, point: PointId) -> Spot {
    let (context, node) = unfolding.node(point);
    let function = unfolding.context(context).function;
    match unfolding.calls(context) {
        Some(calls) => Spot::called(function, node, calls),
        None => Spot::anywhere(function, node),
    }
}

/// Returns points that together have all paths of a place, and perhaps more.
pub fn points(unfolding: &Unfolding, spot: &Spot) -> Vec<PointId> {
    let program = &unfolding.program;
    let known =
        program.functions.get(spot.function.index()).and_then(|function| function.body.as_ref());
    if known.is_none_or(|graph| spot.node.index() >= graph.nodes.len()) {
        return Vec::new();
    }
    let all =
        (0..unfolding.contexts.len()).map(|k| ContextId(u32::try_from(k).unwrap_or(u32::MAX)));
    let all = all.filter(|id| unfolding.context(*id).function == spot.function);
    let point = |id| unfolding.point(id, spot.node);
    if !spot.filter.call {
        return all.map(point).collect();
    }
    let is_call = |(function, edge): &&(canonical::FunctionId, canonical::EdgeId)| {
        let graph = program.functions.get(function.index()).and_then(|f| f.body.as_ref());
        let edge = graph.and_then(|graph| graph.edges.get(edge.index()));
        edge.is_some_and(|edge| matches!(edge.action, canonical::Action::Call(_)))
    };
    let calls: Vec<_> = spot.edges.iter().filter(is_call).copied().collect();
    all.filter(|id| match unfolding.calls(*id) {
        Some(known) => known == calls,
        None => true,
    })
    .map(point)
    .collect()
}
