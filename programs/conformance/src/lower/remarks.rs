//! Remarks about a lowered program: values that are not followed, and functions that are not run.

use std::collections::{BTreeMap, BTreeSet};

use canonical::{ExprKind, Type};

use super::Lowering;
use super::callbacks::{Callback, callbacks};
use super::causes::{Origin, Origins, name};
use super::choices::{Choice, idles, that_matter};
use crate::flow::{self, At, Reading};
use crate::program::{Action, Program};
use crate::remark::Weight;
use crate::settings::Role;

impl Lowering<'_> {
    /// Adds all remarks. Types must not be split yet.
    pub(super) fn remark(&mut self, program: &Program) {
        let callbacks = callbacks(self.source);
        self.callbacks(program, &callbacks);
        self.values_taken_apart(program);
        self.unseen(program, &callbacks);
        if self.role == Role::Consumer {
            self.conditions(program);
        }
    }

    /// Adds remarks about functions that write or read and are called by code without a body.
    fn callbacks(&mut self, program: &Program, callbacks: &[Callback]) {
        let (able, returning) = (program.able(), program.returning());
        for callback in callbacks {
            let Some(body) = self.bodies.whole.get(&callback.function) else { continue };
            let to = &self.source.function(callback.to).name;
            let effect = self.context.effect(callback.function);
            let changes = effect.is_some_and(|effect| !effect.is_local());
            if self.role == Role::Consumer && changes {
                let name = &self.source.function(callback.function).name;
                let text = format!(
                    "`{name}`, which is handed to `{to}`, changes values: it is taken never to be called from there"
                );
                let place = callback.place.map(|place| self.place(Some(place)));
                self.remarks.add(text, place);
            }
            if !able[*body] && returning[*body]
                || self.numbers.keys().any(|(_, target)| *target == callback.to)
            {
                continue;
            }
            let name = &self.source.function(callback.function).name;
            let verb = match self.role {
                _ if !able[*body] => "never returns",
                Role::Producer => "writes",
                Role::Consumer => "reads",
            };
            let direction = if self.role == Role::Producer { "out" } else { "in" };
            let text = format!(
                "`{name}`, which {verb}, is handed to `{to}`, which is not in the sources: it is taken never to be \
                 called from there; `/* conform: {to} {direction} TYPES */` at the call says otherwise"
            );
            let place = callback.place.map(|place| self.place(Some(place)));
            let weight = match to.as_str() {
                _ if !able[*body] => Weight::Open,
                "atexit" | "on_exit" | "at_quick_exit" | "__cxa_atexit" => Weight::Undecided,
                _ => Weight::NotProved,
            };
            self.remarks.weigh(weight, text, place);
        }
    }

    /// Adds remarks about constants of types that consist of other types without a byte order.
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

    /// Adds remarks about conditions that depend on values that were read but are not decided by them.
    fn conditions(&mut self, program: &Program) {
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
        let mut matter = that_matter(program, &self.choices);
        let running = self.running(program);
        for Choice { at, .. } in &self.choices {
            let graph =
                self.source.function(at.0).body.as_ref().filter(|_| running.contains(&at.0));
            if graph.is_some_and(|graph| idles(graph, at.1)) {
                matter.entry(*at).or_insert(true);
            }
        }
        let undecided: BTreeSet<At> = matter.keys().copied().collect();
        let mut others = matter;
        for decided in flow::decided(self.source, &readings, &undecided) {
            others.remove(&decided.at);
            let (function, edge) = decided.at;
            let Some(graph) = &self.source.function(function).body else { continue };
            let place = graph.edges[edge].place;
            let has_own = |reader: usize| {
                let own = readings.iter().filter(|(at, _)| at.0 == function);
                own.flat_map(|(_, readings)| readings).any(|reading| reading.source == reader)
            };
            let known = |reader: &usize| {
                self.settings.functions.get(&self.source.function(names[*reader]).name)
            };
            // Readers whose values are lost in the same way share a remark.
            let mut by_way: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for reader in &decided.sources {
                let name = &self.source.function(names[*reader]).name;
                let is_format = known(reader).is_some_and(|known| known.format.is_some());
                let has_into = known(reader).is_some_and(|known| known.into.is_some());
                let way = match &decided.through {
                    _ if is_format => ": those of formats are not followed".to_owned(),
                    _ if !has_into => {
                        format!(": they are not compared, as `{name}` has no `into` in --io")
                    }
                    Some(through) if through.starts_with('%') => {
                        " by a pointer, through which they are not followed".to_owned()
                    }
                    Some(through) => {
                        format!(" by `{through}`, through which they are not followed")
                    }
                    None if !has_own(*reader) => {
                        " by the result of a function, through which they are not followed"
                            .to_owned()
                    }
                    None => {
                        " by a range, by bits or by another value, which is not followed".to_owned()
                    }
                };
                by_way.entry(way).or_default().push(format!("`{name}`"));
            }
            for (way, readers) in by_way {
                let readers = match &readers[..] {
                    [] | [_] => readers.concat(),
                    [others @ .., last] => format!("{} and {last}", others.join(", ")),
                };
                let place = place.map(|place| self.place(Some(place)));
                let text = format!("a condition depends on values of {readers}{way}");
                self.remarks.add(text, place);
            }
        }
        self.other_choices(program, &others);
    }

    /// Adds remarks about conditions that, as far as is known, do not depend on a value that was read, and about
    /// statuses. The system is assumed not to fail, and functions without a body have a separate remark.
    fn other_choices(&mut self, program: &Program, choices: &BTreeMap<At, bool>) {
        let running = self.bodies.whole.iter().find(|(_, k)| **k == program.main);
        let reads = |function, edge| self.reads.contains_key(&(function, edge));
        let origins = Origins::of(self.source, running.map(|(id, _)| *id), &reads);
        let is_open = |expr: &canonical::Expr, fatal: bool| match origins.expression(expr) {
            Some(found) if fatal => found.is_empty(),
            Some(found) => found.contains(&Origin::System),
            None => true,
        };
        let mut found = Vec::new();
        let conditions = choices.iter().map(|(at, fatal)| (*at, *fatal));
        for (at, fatal) in conditions.chain(self.statuses.iter().map(|at| (*at, true))) {
            let function = self.source.function(at.0);
            let Some(graph) = &function.body else { continue };
            let edge = &graph.edges[at.1];
            let (what, expr) = match &edge.action {
                canonical::Action::Guard { condition, .. } => ("a condition", Some(condition)),
                canonical::Action::Return(value) => ("the exit status", value.as_ref()),
                canonical::Action::Call(call) => ("the exit status", call.arguments.first()),
                _ => continue,
            };
            let Some(expr) = expr.filter(|expr| is_open(expr, fatal)) else { continue };
            let name = name(self.source, graph, expr);
            let by = name.map(|name| format!(" by `{name}`")).unwrap_or_default();
            let text = match what {
                "a condition" => format!("a condition{by} in `{}` is not followed", function.name),
                _ => format!("the exit status{by} in `{}` is taken to be 0", function.name),
            };
            found.push((text, edge.place));
        }
        for (text, place) in found {
            let place = place.map(|place| self.place(Some(place)));
            self.remarks.add(text, place);
        }
    }

    /// Returns how a call returns what it reads.
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
