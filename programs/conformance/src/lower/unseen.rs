//! Remarks about unseen code: functions without a body, calls through pointers, elements that are not counted, and text
//! that the front end did not understand.

use std::collections::BTreeSet;

use canonical::c::runs_outside;
use canonical::{Action, Callee, Diagnostic, Effect, FunctionId};

use super::Lowering;
use super::callbacks::Callback;
use crate::library;
use crate::program::{Action as Act, Program};
use crate::remark::Weight;
use crate::settings::{Exits, Role, beyond_standard};

/// The maximum number of functions that a remark names.
const NAMED: usize = 3;

impl Lowering<'_> {
    /// Returns true for each function that a run may enter.
    pub(super) fn running(&self, program: &Program) -> BTreeSet<FunctionId> {
        let runs = program.runs();
        let all = self.bodies.whole.iter().chain(&self.bodies.failing);
        all.filter(|(_, k)| runs.get(**k) == Some(&true)).map(|(id, _)| *id).collect()
    }

    /// Adds remarks about unseen code.
    pub(super) fn unseen(&mut self, program: &Program, callbacks: &[Callback]) {
        let running = self.running(program);
        self.unreached(program);
        self.calls_of_nothing(&running, callbacks);
        self.pointers(program, &running);
        self.streams(&running);
        self.misunderstood(program, &running);
        if self.role == Role::Consumer {
            self.not_counted();
            self.never_returning(program);
            self.results(program);
            self.missing(program);
        }
    }

    /// Adds a remark about calls that write or read, if no function that runs has such a call.
    fn unreached(&mut self, program: &Program) {
        let runs = program.runs();
        let acts = |function: &crate::program::Function| {
            function.edges.iter().any(|edge| matches!(edge.action, Act::Io(_)))
        };
        let running = program.functions.iter().zip(&runs).filter(|(_, runs)| **runs);
        if running.map(|(function, _)| function).any(acts) {
            return;
        }
        let Some(first) = program.sites.first() else { return };
        let verb = if self.role == Role::Producer { "writes" } else { "reads" };
        let text = format!(
            "no call that {verb} is reached from `{}`: this one is in `{}`, which nothing that runs calls",
            program.functions[program.main].name, first.caller
        );
        self.remarks.add(text, Some(first.place.clone()));
    }

    /// Adds remarks about called functions without a body, and about C library functions that write or read and are not
    /// in `standard`.
    fn calls_of_nothing(&mut self, running: &BTreeSet<FunctionId>, callbacks: &[Callback]) {
        let verb = if self.role == Role::Producer { "write" } else { "read" };
        for (id, _, graph) in self.source.defined().filter(|(id, _, _)| running.contains(id)) {
            for (edge, call) in graph.calls() {
                for target in call.callee.targets() {
                    let function = self.source.function(*target);
                    let place = graph.edge(edge).place;
                    let is_problem = |d: &Diagnostic| d.function == Some(*target);
                    let is_said = self.source.diagnostics.iter().any(is_problem)
                        || self.settings.macros.contains(&function.name)
                        || self.settings.functions.contains_key(&function.name)
                        || function.name == "__asm__"
                        || callbacks.iter().any(|callback| callback.to == *target)
                        || self.note(&function.name, place).is_some()
                        || self.numbers.contains_key(&((id, edge.index()), *target));
                    let does = beyond_standard(&function.name);
                    let does = does.filter(|_| self.settings.standard);
                    if function.body.is_some()
                        || function.no_return
                        || is_said
                        || does.is_none() && library::is_known(&function.name)
                    {
                        continue;
                    }
                    let name = &function.name;
                    let text = match does {
                        Some(does) => {
                            format!("`{name}` {does}: it is none of the functions of `standard`")
                        }
                        None => {
                            format!("`{name}` is in none of the files: it is taken not to {verb}")
                        }
                    };
                    let place = place.map(|place| self.place(Some(place)));
                    self.remarks.add(text, place);
                }
            }
        }
    }

    /// Adds remarks about calls through pointers that call one of several functions, or an unknown one.
    fn pointers(&mut self, program: &Program, running: &BTreeSet<FunctionId>) {
        let (able, returning) = (program.able(), program.returning());
        for (id, function, graph) in self.source.defined() {
            if !running.contains(&id) {
                continue;
            }
            for (edge, call) in graph.calls() {
                let Callee::Pointer { targets, complete, .. } = &call.callee else { continue };
                let matters = |target: &FunctionId| {
                    let is_site = self.numbers.contains_key(&((id, edge.index()), *target));
                    let body = self.bodies.whole.get(target);
                    is_site
                        || body.is_some_and(|k| able[*k] || !returning[*k])
                        || self.source.function(*target).no_return
                };
                let is_open = self.role == Role::Consumer && targets.len() > 1;
                let text = if !complete {
                    format!(
                        "a call through a pointer in `{}` may be of functions that are in none of the files",
                        function.name
                    )
                } else if is_open && targets.iter().any(matters) {
                    let names = targets.iter().take(NAMED);
                    let names: Vec<String> =
                        names.map(|t| format!("`{}`", self.source.function(*t).name)).collect();
                    let more = if targets.len() > NAMED { ", .." } else { "" };
                    format!(
                        "which function a pointer in `{}` calls is not followed: {}{more}",
                        function.name,
                        names.join(", ")
                    )
                } else {
                    continue;
                };
                let place = graph.edge(edge).place.map(|place| self.place(Some(place)));
                self.remarks.add(text, place);
            }
        }
    }

    /// Adds remarks about text that the front end did not understand, in functions that run and in the whole program.
    fn misunderstood(&mut self, program: &Program, running: &BTreeSet<FunctionId>) {
        for Diagnostic { message, place, function, effect } in &self.source.diagnostics {
            let matters = match (effect, function) {
                (Effect::NoBody, _) => true,
                (_, Some(function)) => running.contains(function),
                (Effect::OverApproximated, None) => false,
                (_, None) => true,
            };
            if matters {
                let weight = match effect {
                    Effect::OverApproximated => Weight::Open,
                    // If values are followed, they show the other effects of a constructor.
                    _ if runs_outside(message) && !self.acts_outside(program) => Weight::Open,
                    _ if runs_outside(message) => Weight::Undecided,
                    _ => Weight::NotProved,
                };
                let place = place.map(|place| self.place(Some(place)));
                self.remarks.weigh(weight, message.clone(), place);
            }
        }
    }

    /// Returns true if a function that runs before or after `main` writes or reads, or changes what others see.
    fn acts_outside(&self, program: &Program) -> bool {
        let able = program.able();
        self.source.defined().filter(|(_, function, _)| function.runs_outside).any(|(id, ..)| {
            let changes = self.context.effect(id).is_some_and(|effect| !effect.is_local());
            changes || self.bodies.whole.get(&id).is_none_or(|body| able[*body])
        })
    }

    /// Calls that read any number of elements.
    fn not_counted(&mut self) {
        let counted = self.found.iter().filter(|site| site.parts.iter().any(|part| part.many));
        let found: Vec<_> = counted
            .map(|site| {
                let text = format!(
                    "`{}` reads any number of elements: how many it reads is not followed",
                    site.callee
                );
                let (line, column) = (site.line, site.column.unwrap_or(1));
                (text, crate::program::Place { file: site.file.clone(), line, column })
            })
            .collect();
        found.into_iter().for_each(|(text, place)| self.remarks.add(text, Some(place)));
    }

    /// Adds remarks about the results of a function that runs and is not `main`; such a result is never a failure.
    fn results(&mut self, program: &Program) {
        let all = self.bodies.whole.iter();
        let Some(id) = all.filter(|(_, k)| **k == program.main).map(|(id, _)| *id).next() else {
            return;
        };
        let function = self.source.function(id);
        if function.name == "main" || self.settings.program(self.role).exits != Exits::Success {
            return;
        }
        let edges = function.body.iter().flat_map(|graph| &graph.edges);
        let mut results = Vec::new();
        for edge in edges {
            if let Action::Return(Some(value)) = &edge.action {
                results.push((value.constant(), edge.place));
            }
        }
        let first = results.first().map(|(value, _)| *value);
        let other = results.iter().find(|(value, _)| value.is_none() || Some(*value) != first);
        if let Some((_, place)) = other {
            let text = format!(
                "every return of `{}` ends a whole file, whatever its result",
                function.name
            );
            let place = place.map(|place| self.place(Some(place)));
            self.remarks.add(text, place);
        }
    }

    /// Adds remarks about functions that never return, if settings treat them as functions that return.
    fn never_returning(&mut self, program: &Program) {
        if self.settings.program(self.role).exits != Exits::None {
            return;
        }
        let exact = Program { all_return: false, ..program.clone() };
        let (able, returning, runs) = (program.able(), exact.returning(), program.runs());
        let all = self.bodies.whole.iter();
        let ends = |k: usize| runs[k] && !able[k] && !returning[k] && k != program.main;
        let found: Vec<FunctionId> = all.filter(|(_, k)| ends(**k)).map(|(id, _)| *id).collect();
        for id in found {
            let function = self.source.function(id);
            let text =
                format!("`{}` never returns: by `exits`, it counts as if it did", function.name);
            let place = function.place.map(|place| self.place(Some(place)));
            self.remarks.add(text, place);
        }
    }
}
