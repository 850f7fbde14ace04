//! Calls in a trial: of libtiff, of the client's own functions, and of others.

use canonical::{Call, FunctionId, Place};

use super::super::uses::interface;
use super::facts::Answer;
use super::names::harmless;
use super::run::{Instance, Run};
use super::state::{Key, State, pointed};
use super::value::{Mark, Value};

impl Run<'_> {
    /// Follows a call; false if it does not return yet.
    pub(super) fn call(
        &mut self,
        caller: &Instance,
        call: &Call,
        place: Option<Place>,
        state: &mut State,
    ) -> bool {
        let client = self.client;
        let mut after: Option<(State, Value)> = None;
        let mut add = |next: State, value: Value| match &mut after {
            Some((state, old)) => {
                state.join(&next, false);
                *old = old.join(&value);
            }
            None => after = Some((next, value)),
        };
        let targets = call.callee.targets();
        let known = |id: &&FunctionId| client.program.function(**id).body.is_some();
        for target in targets.iter().filter(known) {
            if let Some((next, value)) = self.own(caller, *target, call, state) {
                add(next, value);
            }
        }
        let outside = targets.iter().find(|id| !known(id));
        if targets.is_empty() || outside.is_some() {
            let name = outside.map_or("", |id| &client.program.function(*id).name);
            let mut next = state.clone();
            let value = self.other(name, call, place, &mut next);
            add(next, value);
        }
        let Some((next, value)) = after else { return false };
        *state = next;
        if let Some(key) = call.result.as_ref().and_then(super::state::key) {
            self.store(state, key, value);
        }
        true
    }

    /// Enters one of the client's functions; returns `None` if it has not returned yet.
    fn own(
        &mut self,
        caller: &Instance,
        target: FunctionId,
        call: &Call,
        state: &State,
    ) -> Option<(State, Value)> {
        let client = self.client;
        let function = client.program.function(target);
        let mut entry = State::default();
        let mut tags = Vec::new();
        for (k, (argument, parameter)) in
            call.arguments.iter().zip(&function.parameters).enumerate()
        {
            let value = self.value(state, argument);
            if let Some([tag @ 254..=65_535]) = value.set.as_deref() {
                tags.push((k, *tag));
            }
            entry.known.insert(Key::Variable(*parameter), value);
            if let Some(key) = pointed(argument) {
                let content = self.look(state, key);
                entry.known.insert(Key::Content(*parameter), content);
            }
        }
        let instance = (target, tags);
        let context = self.contexts.entry(instance).or_default();
        let changed = match &mut context.entry {
            Some(known) => known.join(&entry, false),
            None => {
                context.entry = Some(entry);
                true
            }
        };
        context.dirty |= changed;
        self.changed |= changed;
        context.callers.insert(caller.clone());
        let exit = context.exit.clone()?;
        let result = context.result.clone().unwrap_or(Value::ANY);
        let mut next = state.clone();
        let stores = &client.stores[target.index()];
        next.known.retain(|key, _| !stores.contains(&key.variable()));
        for (argument, parameter) in call.arguments.iter().zip(&function.parameters) {
            let content = exit.known.get(&Key::Content(*parameter));
            if let Some(key) = pointed(argument) {
                self.store(&mut next, key, content.cloned().unwrap_or(Value::ANY));
            }
        }
        Some((next, result))
    }

    /// A function that is not the client's.
    fn other(&mut self, name: &str, call: &Call, place: Option<Place>, state: &mut State) -> Value {
        if matches!(name, "TIFFGetField" | "TIFFGetFieldDefaulted") {
            return self.tag(call, name.ends_with("ed"), state);
        }
        if let (Some(interface), Some(place)) = (interface(name), place) {
            let first = self.trial.readers.entry(interface).or_insert(place);
            *first = (*first).min(place);
        }
        let harmless = harmless(name);
        for argument in &call.arguments {
            let mut mark = self.value(state, argument).mark;
            if let Some(key) = pointed(argument) {
                mark = mark.with(self.look(state, key).mark);
                if matches!(argument.kind, canonical::ExprKind::AddressOf(_)) {
                    self.store(state, key, Value::ANY);
                }
            }
            if !harmless {
                self.used(mark);
            }
        }
        let size = Mark::BITS.with(Mark::SAMPLES).with(Mark::PLANAR);
        match name {
            "TIFFIsTiled" => Value::of(i128::from(self.facts.tiled), Mark::NONE),
            "TIFFRGBAImageOK" => Value::of(1, Mark::NONE),
            _ if name.starts_with("TIFF") && name.ends_with("Size") => Value::any(size),
            _ if name.starts_with("TIFFNumberOf") || name.starts_with("TIFFCompute") => {
                Value::any(Mark::PLANAR)
            }
            _ => Value::ANY,
        }
    }

    /// The client requests a tag.
    fn tag(&mut self, call: &Call, defaulted: bool, state: &mut State) -> Value {
        let tag = call.arguments.get(1).map(|tag| self.value(state, tag));
        let answer = match tag.as_ref().and_then(|tag| tag.set.as_deref()) {
            Some([]) => return Value::NEVER,
            Some([one]) => self.facts.tag(*one),
            _ => Answer::Unknown,
        };
        let targets: Vec<Option<Key>> = call.arguments.iter().skip(2).map(pointed).collect();
        let samples = Mark::SAMPLES;
        let values = match &answer {
            Answer::Present(values) => values.clone(),
            Answer::Extra => {
                let count = i128::try_from(self.facts.extra.len()).unwrap_or(0);
                // The kinds of the extra samples are in memory to which the second argument points.
                if let Some(Some(Key::Variable(kinds))) = targets.get(1) {
                    let all = self.facts.extra.iter().map(|kind| Value::of(*kind, samples));
                    let all = all.reduce(|a, b| a.join(&b)).unwrap_or(Value::ANY);
                    self.store(state, Key::Content(*kinds), all);
                }
                vec![Value::of(count, samples)]
            }
            Answer::Absent if !defaulted => return Value::of(0, Mark::NONE),
            // By default, there are no extra samples.
            Answer::Absent => vec![Value::of(0, Mark::NONE)],
            Answer::Unknown => Vec::new(),
        };
        for (k, target) in targets.iter().enumerate() {
            if let Some(key) = target {
                self.store(state, *key, values.get(k).cloned().unwrap_or(Value::ANY));
            }
        }
        let result = if matches!(answer, Answer::Unknown) { None } else { Some(vec![1]) };
        Value { set: result, mark: Mark::NONE }
    }
}
