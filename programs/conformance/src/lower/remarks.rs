//! Remarks about a lowered program: values that are not followed, and functions that are not run.

use std::collections::BTreeMap;

use canonical::{ExprKind, Type};

use super::Lowering;
use super::callbacks::callbacks;
use crate::flow::{self, At, Reading};
use crate::program::{Action, Program};
use crate::settings::Role;

impl Lowering<'_> {
    /// Adds all remarks. Types must not be taken apart yet.
    pub(super) fn remark(&mut self, program: &Program) {
        self.callbacks(program);
        self.values_taken_apart(program);
        if self.role == Role::Consumer {
            self.conditions();
        }
    }

    /// Functions that write or read, and that code calls which is not there.
    fn callbacks(&mut self, program: &Program) {
        let able = program.able();
        for callback in callbacks(self.source) {
            let Some(body) = self.bodies.whole.get(&callback.function) else { continue };
            let to = &self.source.function(callback.to).name;
            if !able[*body] || self.numbers.keys().any(|(_, target)| *target == callback.to) {
                continue;
            }
            let name = &self.source.function(callback.function).name;
            let verb = if self.role == Role::Producer { "writes" } else { "reads" };
            let direction = if self.role == Role::Producer { "out" } else { "in" };
            let text = format!(
                "`{name}`, which {verb}, is handed to `{to}`, which is not in the sources: it is taken never to be \
                 called from there; `/* conform: {to} {direction} TYPES */` at the call says what it {verb}"
            );
            let place = callback.place.map(|place| self.place(Some(place)));
            self.remarks.add(text, place);
        }
    }

    /// Constants of types that are made of others without an order of bytes.
    fn values_taken_apart(&mut self, program: &Program) {
        for edge in program.functions.iter().flat_map(|function| &function.edges) {
            let Action::Io(part) = &edge.action else { continue };
            let Some(made) = self.settings.types.get(&part.kind) else { continue };
            if made.keeps_values() || part.values.is_empty() && part.excluded.is_empty() {
                continue;
            }
            let text = format!(
                "values of type `{}` are not compared, as it is made of others in no `order`",
                part.kind
            );
            let place = edge.site.map(|site| program.sites[site].place.clone());
            self.remarks.add(text, place);
        }
    }

    /// Conditions that depend on values that were read, and that are not decided by them.
    fn conditions(&mut self) {
        let mut names: Vec<canonical::FunctionId> = Vec::new();
        let mut readings: BTreeMap<At, Vec<Reading>> = BTreeMap::new();
        for (at, readers) in &self.reads {
            for reader in readers {
                let source = names.iter().position(|own| own == reader).unwrap_or_else(|| {
                    names.push(*reader);
                    names.len() - 1
                });
                let reading = self.reading(*at, *reader, source);
                readings.entry(*at).or_default().push(reading);
            }
        }
        for decided in flow::decided(self.source, &readings, &self.undecided) {
            let (function, edge) = decided.at;
            let Some(graph) = &self.source.function(function).body else { continue };
            let place = graph.edges[edge].place;
            let has_own = |reader: usize| {
                let own = readings.iter().filter(|(at, _)| at.0 == function);
                own.flat_map(|(_, readings)| readings).any(|reading| reading.source == reader)
            };
            for reader in &decided.sources {
                let name = &self.source.function(names[*reader]).name;
                let known = self.settings.functions.get(name);
                let is_format = known.is_some_and(|known| known.format.is_some());
                let has_into = known.is_some_and(|known| known.into.is_some());
                let text = match &decided.through {
                    _ if is_format => format!(
                        "a condition depends on values of `{name}`: those of formats are not followed"
                    ),
                    _ if !has_into => format!(
                        "a condition depends on values of `{name}`: they are not compared, as `{name}` has no `into` \
                         in --io"
                    ),
                    Some(through) if through.starts_with('%') => format!(
                        "a condition depends on values of `{name}` by a pointer, through which they are not followed"
                    ),
                    Some(through) => format!(
                        "a condition depends on values of `{name}` by `{through}`, through which they are not followed"
                    ),
                    None if !has_own(*reader) => format!(
                        "a condition depends on values of `{name}` by the result of a function, through which they \
                         are not followed"
                    ),
                    None => format!(
                        "a condition depends on values of `{name}` by a range, by bits or by another value, which is \
                         not followed"
                    ),
                };
                let place = place.map(|place| self.place(Some(place)));
                self.remarks.add(text, place);
            }
        }
    }

    /// The way in which a call hands over what it reads.
    fn reading(&self, at: At, reader: canonical::FunctionId, source: usize) -> Reading {
        let known = self.settings.functions.get(&self.source.function(reader).name);
        let into = known.and_then(|known| known.into);
        let formatted = known.is_some_and(|known| known.format.is_some());
        let graph = self.source.function(at.0).body.as_ref();
        let call = graph.and_then(|graph| match &graph.edges[at.1].action {
            canonical::Action::Call(call) => Some(call),
            _ => None,
        });
        let is_data = |argument: &canonical::Expr| {
            let expr = argument.below_casts();
            let element = expr.ty.element();
            !matches!(expr.kind, ExprKind::String(_))
                && element.is_some_and(|ty| match ty {
                    Type::Array(element, _) => matches!(**element, Type::Int(_)),
                    ty => matches!(ty, Type::Int(_) | Type::Void),
                })
        };
        let points = call.is_some_and(|call| call.arguments.iter().any(is_data));
        Reading {
            source,
            by_pointer: formatted || into.is_none() && points,
            argument: into.and_then(|into| into.checked_sub(1)),
        }
    }
}
