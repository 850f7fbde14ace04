//! Handles calls of the C library according to the stream to which they write, and calls after which output is lost or
//! comes from elsewhere.

use std::collections::BTreeSet;

use canonical::{Action, Call, Expr, ExprKind, FunctionId};

use super::Lowering;
use super::sources::{Sources, variable};
use crate::format;
use crate::settings::Role;
use canonical::library_name;

impl Lowering<'_> {
    fn sources(&self, stream: Option<&Expr>) -> Option<Sources> {
        self.streams.sources.get(&variable(stream?)?).copied()
    }

    /// Returns true for the standard error, and for variables that can only be the standard error.
    pub(super) fn is_error(&self, stream: Option<&Expr>) -> bool {
        self.sources(stream).is_some_and(|own| own.errors && !own.opened && !own.other)
    }

    /// Returns the variable of the stream of a call that writes, if it may refer to a stream other than the output.
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
                            if !defined && !note && self.loses(library_name(name), call) {
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

    /// Returns true for a library call after which output may be lost, or that lets others write.
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

    /// Returns true for a library format with text besides its conversions.
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
