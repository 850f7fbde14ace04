//! Streams: which of them a call of C's library writes to, and calls after which output is lost or comes from elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use canonical::{Action, Call, Expr, ExprKind, FunctionId, Type, VariableId};

use super::Lowering;
use crate::format;
use crate::library::plain;
use crate::settings::{Direction, Role, Settings};

/// The streams that a variable may be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sources {
    /// The standard error.
    errors: bool,
    /// A file that the program opens.
    opened: bool,
    /// The standard output, or one that is not known.
    other: bool,
}

/// The variables that are streams.
#[derive(Debug, Default)]
pub(super) struct Streams {
    sources: BTreeMap<VariableId, Sources>,
    /// True if a call writes to the standard output by its name.
    to_output: bool,
}

/// The variable that an expression is.
fn variable(expr: &Expr) -> Option<VariableId> {
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

    /// Copies what variables are to those that they are copied to.
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

/// True for a call that opens a file, which is not one of the standard streams.
fn opens(source: &canonical::Program, call: &Call) -> bool {
    call.callee.targets().iter().all(|id| match plain(&source.function(*id).name) {
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
    /// True for a call of the library that writes to the standard output by its name, and that is an event.
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

impl Lowering<'_> {
    fn sources(&self, stream: Option<&Expr>) -> Option<Sources> {
        self.streams.sources.get(&variable(stream?)?).copied()
    }

    /// True for the stream of errors, and for variables that are nothing else.
    pub(super) fn is_error(&self, stream: Option<&Expr>) -> bool {
        self.sources(stream).is_some_and(|own| own.errors && !own.opened && !own.other)
    }

    /// The variable of the stream of a call that writes, if it may not be the output.
    pub(super) fn doubtful(&self, callee: &str, call: &Call) -> Option<&str> {
        let known = self.settings.functions.get(callee)?;
        let stream = call.arguments.get(known.standard.stream?.checked_sub(1)?)?;
        let own = self.sources(Some(stream)).filter(|_| self.role == Role::Producer)?;
        let is_file = own.opened && !own.other && self.streams.to_output;
        let name = self.source.variable(variable(stream)?).name.as_str();
        (own.errors || is_file).then_some(name)
    }

    /// Adds remarks about streams that are not followed, and about output that may be lost.
    pub(super) fn streams(&mut self, running: &BTreeSet<FunctionId>) {
        if self.role != Role::Producer || !self.settings.standard {
            return;
        }
        for (id, function, graph) in self.source.defined().filter(|(id, ..)| running.contains(id)) {
            for (number, edge) in graph.edges.iter().enumerate() {
                let mut texts = Vec::new();
                match &edge.action {
                    Action::Assign { target, .. } => {
                        let name = target.whole_variable().map(|id| &self.source.variable(id).name);
                        let name = name.filter(|name| matches!(name.as_str(), "stdout" | "stderr"));
                        texts.extend(name.map(|name| {
                            format!(
                                "`{name}` is assigned: output may be lost or come from elsewhere"
                            )
                        }));
                    }
                    Action::Call(call) => {
                        for target in call.callee.targets() {
                            let name = &self.source.function(*target).name;
                            let note = self.note(name, edge.place).is_some();
                            let is_site = self.numbers.contains_key(&((id, number), *target));
                            if is_site
                                && !note
                                && let Some(stream) = self.doubtful(name, call)
                            {
                                texts.push(format!(
                                    "which stream `{stream}` in `{}` is, is not followed: `{name}` may write to another than \
                                     the output; `/* conform: none */` says so",
                                    function.name
                                ));
                            }
                            if is_site && self.has_text(name, call) {
                                texts.push("literal text of formats is not compared".to_owned());
                            }
                            let defined = self.source.function(*target).body.is_some();
                            if !defined && !note && self.loses(plain(name), call) {
                                texts.push(format!(
                                    "after `{name}`, output may be lost or come from elsewhere"
                                ));
                            }
                        }
                    }
                    _ => {}
                }
                let place = edge.place.map(|place| self.place(Some(place)));
                texts.into_iter().for_each(|text| self.remarks.add(text, place.clone()));
            }
        }
    }

    /// True for a call of the library after which output may be lost, or which lets others write.
    fn loses(&self, name: &str, call: &Call) -> bool {
        let constant =
            |k: usize| call.arguments.get(k).and_then(|value| value.below_casts().constant());
        let may_be = |k: usize, number: i128| constant(k).is_none_or(|own| own == number);
        match name {
            "fclose" => {
                let stream = call.arguments.first().and_then(variable);
                stream.is_some_and(|id| self.source.variable(id).name == "stdout")
            }
            "close" | "ftruncate" => constant(0) == Some(1),
            "fdopen" => constant(0) == Some(1),
            "dup2" | "dup3" => may_be(1, 1),
            "popen" => match call.arguments.get(1).map(|mode| &mode.below_casts().kind) {
                Some(ExprKind::String(id)) => self.source.string(*id).contains(&b'w'),
                _ => true,
            },
            "_exit" | "_Exit" | "quick_exit" => may_be(0, 0),
            _ => false,
        }
    }

    /// True for a format of the library with text besides its conversions.
    fn has_text(&self, name: &str, call: &Call) -> bool {
        let known = self.settings.functions.get(name).filter(|own| own.standard.is_standard);
        let text = known.and_then(|own| call.arguments.get(own.format?.checked_sub(1)?));
        match text.map(|text| &text.below_casts().kind) {
            Some(ExprKind::String(id)) => {
                let bytes = self.source.string(*id);
                format::has_text(&String::from_utf8_lossy(
                    bytes.strip_suffix(&[0]).unwrap_or(bytes),
                ))
            }
            _ => false,
        }
    }
}
