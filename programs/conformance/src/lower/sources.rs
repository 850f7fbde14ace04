//! Finds the streams to which variables may refer.

use std::collections::{BTreeMap, BTreeSet};

use canonical::{Action, Call, Expr, ExprKind, Type, VariableId};

use crate::format;
use crate::settings::{Direction, Settings};
use canonical::library_name;

/// The streams to which a variable may refer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sources {
    /// The standard error.
    pub errors: bool,
    /// A file that the program opens.
    pub opened: bool,
    /// The standard output, or an unknown stream.
    pub other: bool,
}

/// The variables that are streams.
#[derive(Debug, Default)]
pub struct Streams {
    /// The streams of each variable that is a stream.
    pub sources: BTreeMap<VariableId, Sources>,
    /// True if a call writes to the standard output by its name.
    pub to_output: bool,
}

/// The variable that an expression consists of.
pub fn variable(expr: &Expr) -> Option<VariableId> {
    match &expr.below_casts().kind {
        ExprKind::Load(lvalue) => lvalue.whole_variable(),
        _ => None,
    }
}

impl Streams {
    /// Finds them.
    pub fn of(source: &canonical::Program, settings: &Settings) -> Self {
        let is_stream = |ty: &Type| match ty.element() {
            Some(Type::Composite(id)) => source.composite(*id).tag.as_deref() == Some("_IO_FILE"),
            _ => false,
        };
        let named = |id: VariableId| source.variable(id).name.as_str();
        let mut found = Self::default();
        let mut copies: BTreeSet<(VariableId, VariableId)> = BTreeSet::new();
        for (k, own) in source.variables.iter().enumerate().filter(|(_, own)| is_stream(&own.ty)) {
            let mut known = Sources::default();
            match own.name.as_str() {
                "stderr" => known.errors = true,
                "stdout" => known.other = true,
                _ => known.other = own.address_taken,
            }
            found.sources.insert(VariableId::new(k), known);
        }
        for parameter in source.functions.iter().flat_map(|function| &function.parameters) {
            if let Some(known) = found.sources.get_mut(parameter) {
                known.other = true;
            }
        }
        for (_, _, graph) in source.defined() {
            for edge in &graph.edges {
                let (target, value) = match &edge.action {
                    Action::Assign { target, value } => (target.whole_variable(), Some(value)),
                    Action::Call(call) => {
                        found.to_output |= settings.writes_to_output(source, call, named);
                        (call.result.as_ref().and_then(canonical::Lvalue::whole_variable), None)
                    }
                    _ => continue,
                };
                let Some(target) = target.filter(|id| found.sources.contains_key(id)) else {
                    continue;
                };
                let from = value.and_then(variable).filter(|id| found.sources.contains_key(id));
                if let Some(from) = from {
                    copies.insert((target, from));
                    continue;
                }
                let Some(known) = found.sources.get_mut(&target) else { continue };
                match (&edge.action, value) {
                    (Action::Call(call), _) if opens(source, call) => known.opened = true,
                    (_, Some(value)) if value.below_casts().constant() == Some(0) => {}
                    _ => known.other = true,
                }
            }
        }
        found.close(&copies);
        found
    }

    /// Propagates streams along copies between variables.
    fn close(&mut self, copies: &BTreeSet<(VariableId, VariableId)>) {
        loop {
            let before = self.sources.clone();
            for (to, from) in copies {
                let from = before[from];
                if let Some(to) = self.sources.get_mut(to) {
                    to.errors |= from.errors;
                    to.opened |= from.opened;
                    to.other |= from.other;
                }
            }
            if before == self.sources {
                return;
            }
        }
    }
}

/// Returns true for a call that opens a file, which is not a standard stream.
fn opens(source: &canonical::Program, call: &Call) -> bool {
    call.callee.targets().iter().all(|id| match library_name(&source.function(*id).name) {
        "fopen" | "fopen64" => match call.arguments.first().map(|path| &path.below_casts().kind) {
            Some(ExprKind::String(id)) => {
                let path = source.string(*id);
                !path.starts_with(b"/dev/std")
                    && !path.starts_with(b"/dev/fd")
                    && !path.starts_with(b"/proc")
            }
            _ => true,
        },
        "fdopen" => call.arguments.first().and_then(Expr::constant).is_some_and(|k| k > 2),
        "tmpfile" => true,
        _ => false,
    })
}

impl Settings {
    /// Returns true for a library call that, by its name, writes to the standard output and is an event.
    fn writes_to_output<'p>(
        &self,
        source: &'p canonical::Program,
        call: &Call,
        named: impl Fn(VariableId) -> &'p str,
    ) -> bool {
        call.callee.targets().iter().any(|target| {
            let known = self.functions.get(&source.function(*target).name);
            let known = known.filter(|known| known.standard.is_standard);
            let Some(known) = known.filter(|known| known.direction == Direction::Out) else {
                return false;
            };
            let text = known.format.and_then(|k| call.arguments.get(k.checked_sub(1)?));
            let is_event = match text.map(|text| &text.below_casts().kind) {
                Some(ExprKind::String(id)) => {
                    let text = String::from_utf8_lossy(source.string(*id));
                    !format::types(&text, format::Kind::Print).is_empty()
                }
                _ => true,
            };
            let stream = known.standard.stream.map(|k| call.arguments.get(k - 1));
            let is_output = stream.is_none_or(|stream| {
                stream.and_then(variable).is_some_and(|id| named(id) == "stdout")
            });
            is_event && is_output
        })
    }
}
