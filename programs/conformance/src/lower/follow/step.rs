//! The steps from a state: what is written, and the states that follow.

use std::rc::Rc;

use canonical::{
    Action, Binary, Call, Callee, Edge, Expr, ExprKind, FunctionId, Graph, IntType, Lvalue,
    Projection, Type, walk,
};

use super::super::Lowering;
use super::super::ends::EXITS;
use super::eval::{Frame, Machine, State, forget};
use super::live::Live;
use super::value::{Base, Input, Val, assume, binary, range, truth};
use crate::flow::At;
use crate::program::Part;
use crate::settings::Exits;

/// The maximum number of activations at once.
pub const DEPTH: usize = 40;

/// The maximum number of distinct values of one event.
const VALUES: i128 = 16;

/// The approximate number of states into which one call of a block may be split.
const FORKED: usize = 64;

/// A step.
#[derive(Debug)]
pub struct Taken {
    /// The elements that are written, with the call and the function that writes them.
    pub written: Option<(At, FunctionId, Vec<Part>)>,
    /// The state after it; `None` if the run ends.
    pub state: Option<State>,
    /// The edge on which the step depends on a value that is not followed.
    pub lost: Option<At>,
}

/// The reasons why a program is not followed.
#[derive(Debug, PartialEq, Eq)]
pub enum Excess {
    /// Functions call each other too deeply.
    Depth,
    /// There are too many states.
    States,
}

/// A program that is followed.
pub struct Steps<'a, 'b> {
    pub machine: Machine<'a>,
    pub lowering: &'b Lowering<'a>,
    pub live: Live,
    /// The ends of runs that are taken into account.
    pub exits: Exits,
    /// True if the first function is `main`, whose result is a status.
    pub is_main: bool,
}

impl Steps<'_, '_> {
    fn graph(&self, function: FunctionId) -> Option<&Graph> {
        self.machine.source.function(function).body.as_ref()
    }

    /// The steps from a state.
    pub fn steps(&self, state: &State) -> Result<Vec<Taken>, Excess> {
        let mut found = Vec::new();
        let Some(frame) = state.frames.last() else { return Ok(found) };
        let Some(graph) = self.graph(frame.function) else { return Ok(found) };
        if frame.node == graph.exit.index() {
            self.leave(state.clone(), None, &mut found);
            return Ok(found);
        }
        for id in &graph.nodes[frame.node].outgoing {
            let edge = graph.edge(*id);
            let at = (frame.function, id.index());
            for state in self.forked(state, &edge.action) {
                self.step(state, at, edge, graph, &mut found)?;
            }
        }
        Ok(found)
    }

    /// Returns the states with each value that an undecided array index has in a step, if there are few.
    fn forked(&self, state: &State, action: &Action) -> Vec<State> {
        let mut indices = Vec::new();
        let mut of = |lvalue: &Lvalue| {
            indices.extend(lvalue.path.iter().filter_map(|step| match step {
                Projection::Index(index) if index.constant().is_none() => Some(index.clone()),
                _ => None,
            }));
        };
        if let Action::Assign { target, .. } = action {
            of(target);
        }
        walk::action(action, &mut |expr: &Expr| {
            if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &expr.kind {
                of(lvalue);
            }
        });
        let mut states = vec![state.clone()];
        for index in indices {
            let mut next = Vec::new();
            for mut state in states {
                let value = self.machine.value(&mut state, &index);
                let few = match &value {
                    Val::Term(term) => range(term, &state.facts).values(VALUES),
                    _ => None,
                };
                match few.filter(|_| next.len() < FORKED) {
                    None => next.push(state),
                    Some(all) => next.extend(all.into_iter().filter_map(|number| {
                        let mut state = state.clone();
                        is(&value, number, &mut state).then_some(state)
                    })),
                }
            }
            states = next;
        }
        states
    }

    /// The steps along one edge.
    fn step(
        &self,
        mut state: State,
        at: At,
        edge: &Edge,
        graph: &Graph,
        found: &mut Vec<Taken>,
    ) -> Result<(), Excess> {
        let to = edge.to.index();
        match &edge.action {
            Action::Nothing => found.push(self.go(state, to, None)),
            Action::Guard { condition, holds } => {
                let value = self.machine.value(&mut state, condition);
                let known = truth(&value, &state.facts);
                if known.is_none_or(|known| known == *holds)
                    && assume(&value, *holds, &mut state.facts)
                {
                    let lost = (known.is_none() && value == Val::Lost).then_some(at);
                    found.push(self.go(state, to, lost));
                }
            }
            Action::Assign { target, value } => {
                let value = self.machine.value(&mut state, value);
                let spot = self.machine.locate(&mut state, target);
                self.machine.write(&mut state, &spot, value);
                found.push(self.go(state, to, None));
            }
            Action::Return(value) => {
                let value = value.as_ref().map(|value| self.machine.value(&mut state, value));
                let first = found.len();
                self.leave(state, value, found);
                found[first..].iter_mut().for_each(|taken| {
                    taken.lost = taken.lost.map(|_| at);
                });
            }
            Action::Call(call) => self.call(&state, at, call, graph, found)?,
        }
        Ok(())
    }

    /// Adds a step to a node of the innermost function. Forgets values that are no longer used.
    fn go(&self, mut state: State, to: usize, lost: Option<At>) -> Taken {
        let depth = state.frames.len();
        if let Some(frame) = state.frames.last_mut() {
            frame.node = to;
            let live = &self.live[&frame.function][to];
            let source = self.machine.source;
            state.memory.objects.retain(|base, _| match base {
                Base::Local(own, id) => {
                    *own != depth || live.contains(id) || source.variable(*id).address_taken
                }
                _ => true,
            });
        }
        Taken { written: None, state: Some(state), lost }
    }

    /// The function returns.
    fn leave(&self, mut state: State, value: Option<Val>, found: &mut Vec<Taken>) {
        let depth = state.frames.len();
        if depth == 1 {
            let status = value.filter(|_| self.is_main && self.exits == Exits::Success);
            found.extend(self.end(status.as_ref()));
            return;
        }
        let Some(frame) = state.frames.pop() else { return };
        state
            .memory
            .objects
            .retain(|base, _| !matches!(base, Base::Local(own, _) if *own >= depth));
        if state.frames.iter().all(|own| own.function != frame.function) {
            let ended = |base: &Base| matches!(base, Base::Heap(own, edge) if *own == frame.function && self.is_of_stack(*own, *edge));
            state.memory.objects.retain(|base, _| !ended(base));
        }
        let Some(caller) = state.frames.last().map(|frame| frame.function) else { return };
        let Some(edge) = self.graph(caller).and_then(|graph| graph.edges.get(frame.call)) else {
            return;
        };
        if let Action::Call(Call { result: Some(result), .. }) = &edge.action {
            self.assign(&mut state, result, value.unwrap_or(Val::Any));
        }
        found.push(self.go(state, edge.to.index(), None));
    }

    /// Returns true for a call that allocates memory that is freed when its function returns.
    fn is_of_stack(&self, function: FunctionId, edge: usize) -> bool {
        let edge = self.graph(function).and_then(|graph| graph.edges.get(edge));
        let Some(Action::Call(call)) = edge.map(|edge| &edge.action) else { return false };
        let names = call.callee.targets().iter();
        let mut names = names.map(|id| &self.machine.source.function(*id).name);
        names.any(|name| name.ends_with("alloca"))
    }

    fn assign(&self, state: &mut State, target: &canonical::Lvalue, value: Val) {
        let spot = self.machine.locate(state, target);
        self.machine.write(state, &spot, value);
    }

    /// Ends the run with a status; returns `None` if the run fails.
    fn end(&self, status: Option<&Val>) -> Option<Taken> {
        if let Some(Val::Int(status)) = status
            && status & 255 != 0
        {
            return None;
        }
        // The place is the place of the edge.
        let lost = (status == Some(&Val::Lost)).then_some((FunctionId::new(0), 0));
        Some(Taken { written: None, state: None, lost })
    }

    fn call(
        &self,
        state: &State,
        at: At,
        call: &Call,
        graph: &Graph,
        found: &mut Vec<Taken>,
    ) -> Result<(), Excess> {
        let mut before = state.clone();
        let (mut targets, mut lost, mut other) = (call.callee.targets().to_vec(), None, false);
        if let Callee::Pointer { pointer, complete, .. } = &call.callee {
            match self.machine.value(&mut before, pointer) {
                Val::Function(own) => targets = vec![own],
                value => {
                    lost = (value == Val::Lost && targets.len() > 1).then_some(at);
                    other = !complete;
                }
            }
        }
        other |= targets.is_empty();
        let edge = &graph.edges[at.1];
        let values: Vec<Val> =
            call.arguments.iter().map(|a| self.machine.value(&mut before, a)).collect();
        for target in targets {
            let name = &self.machine.source.function(target).name;
            let known = with_constants(call, &values);
            if let Some(parts) = self.lowering.parts(name, &known, edge.place, graph) {
                let is_doubtful = self.lowering.doubtful(name, call).is_some();
                if is_doubtful {
                    let mut state = before.clone();
                    self.outside(&mut state, at, target, call, &values);
                    found.push(self.go(state, edge.to.index(), Some(at)));
                }
                for (mut state, parts, value) in self.narrowed(&before, name, parts, &values) {
                    let value = value || is_doubtful;
                    self.outside(&mut state, at, target, call, &values);
                    let mut taken = self.go(state, edge.to.index(), lost.or(value.then_some(at)));
                    taken.written = Some((at, target, parts));
                    found.push(taken);
                }
                continue;
            }
            self.plain(before.clone(), at, target, call, &values, lost, found)?;
        }
        if other {
            let mut state = before;
            self.machine.smash_all(&mut state, false, true);
            if let Some(result) = &call.result {
                self.assign(&mut state, result, Val::Any);
            }
            found.push(self.go(state, edge.to.index(), None));
        }
        Ok(())
    }

    /// A call that writes nothing itself.
    #[allow(clippy::too_many_arguments)] // Those of one call.
    fn plain(
        &self,
        mut state: State,
        at: At,
        target: FunctionId,
        call: &Call,
        values: &[Val],
        lost: Option<At>,
        found: &mut Vec<Taken>,
    ) -> Result<(), Excess> {
        let function = self.machine.source.function(target);
        let Some(body) = &function.body else {
            if EXITS.contains(&function.name.as_str()) && self.exits != Exits::None {
                let status = values.first().filter(|_| self.exits == Exits::Success);
                found.extend(self.end(status).map(|mut end| {
                    end.lost = end.lost.map(|_| at).or(lost);
                    end
                }));
                return Ok(());
            }
            if function.no_return && self.exits != Exits::None {
                return Ok(());
            }
            self.outside(&mut state, at, target, call, values);
            let to = self.graph(at.0).map_or(0, |graph| graph.edges[at.1].to.index());
            found.push(self.go(state, to, lost));
            return Ok(());
        };
        if state.frames.len() >= DEPTH {
            return Err(Excess::Depth);
        }
        state.frames.push(Frame { function: target, node: body.entry.index(), call: at.1 });
        for (parameter, value) in function.parameters.iter().zip(values) {
            let ty = self.machine.source.variable(*parameter).ty.clone();
            let whole = canonical::Lvalue::variable(*parameter, ty);
            self.assign(&mut state, &whole, value.clone());
        }
        found.push(self.go(state, body.entry.index(), lost));
        Ok(())
    }

    /// Returns the elements with each value that an undecided argument may have, if there are few, and the state in
    /// each case. The flag is true if the value is lost.
    fn narrowed(
        &self,
        state: &State,
        name: &str,
        mut parts: Vec<Part>,
        values: &[Val],
    ) -> Vec<(State, Vec<Part>, bool)> {
        let whole = |parts, lost| vec![(state.clone(), parts, lost)];
        let Some(known) = self.lowering.settings.functions.get(name) else {
            return whole(parts, false);
        };
        let argument = |k: Option<usize>| values.get(k?.checked_sub(1)?);
        let is_lost = |k: Option<usize>| argument(k) == Some(&Val::Lost);
        let many = parts.iter().any(|part| part.many);
        let mut lost = many && (is_lost(known.count) || is_lost(known.format));
        lost |= many && known.standard.is_block && (is_lost(Some(2)) || is_lost(Some(3)));
        lost |= is_lost(known.size);
        if known.standard.is_block && !many {
            return self.bytes(state, values.first(), parts, lost);
        }
        let (Some(value), [only]) = (argument(known.value), &mut parts[..]) else {
            return whole(parts, lost);
        };
        if only.values.len() == 1 {
            return whole(parts, lost);
        }
        let Val::Term(term) = value else { return whole(parts, lost || *value == Val::Lost) };
        let range = range(term, &state.facts);
        if let Some(all) = range.values(VALUES) {
            let each = all.into_iter().filter_map(|number| {
                let mut state = state.clone();
                let kept = if known.standard.is_char { number & 255 } else { number };
                let one = Part { values: vec![kept], excluded: Vec::new(), ..only.clone() };
                is(value, number, &mut state).then(|| (state, vec![one], lost))
            });
            return each.collect();
        }
        if !known.standard.is_char && only.values.is_empty() {
            only.excluded.extend(&range.excluded);
            only.excluded.sort_unstable();
            only.excluded.dedup();
        }
        whole(parts, lost)
    }

    /// Returns the elements with the values of the bytes at a pointer, and with each value of bytes that have only a
    /// few.
    fn bytes(
        &self,
        state: &State,
        pointer: Option<&Val>,
        parts: Vec<Part>,
        mut lost: bool,
    ) -> Vec<(State, Vec<Part>, bool)> {
        let Some(Val::Pointer(base, from)) = pointer else {
            lost |= matches!(pointer, Some(Val::Lost | Val::Within(_, true)));
            return vec![(state.clone(), parts, lost)];
        };
        let mut found = vec![(state.clone(), parts.clone(), lost)];
        for (k, at) in (0..parts.len()).zip(*from..) {
            let mut next = Vec::new();
            for (state, mut parts, mut lost) in found {
                let value = self.machine.byte(&state, *base, at);
                match &value {
                    Val::Int(byte) => parts[k].values = vec![*byte],
                    Val::Lost => lost = true,
                    Val::Term(term) if next.len() < FORKED => {
                        if let Some(all) = range(term, &state.facts).values(VALUES) {
                            next.extend(all.into_iter().filter_map(|number| {
                                let (mut state, mut parts) = (state.clone(), parts.clone());
                                parts[k].values = vec![number & 255];
                                is(&value, number, &mut state).then_some((state, parts, lost))
                            }));
                            continue;
                        }
                    }
                    _ => {}
                }
                next.push((state, parts, lost));
            }
            found = next;
        }
        found
    }

    /// Returns the result of a call whose body is not entered. The result is undecided.
    pub(super) fn open(
        &self,
        state: &mut State,
        at: At,
        target: &canonical::Lvalue,
        (least, greatest): (i128, i128),
    ) {
        let value = match &target.ty {
            Type::Int(int) => {
                let input = Input::Call(state.frames.len(), at.0, at.1);
                forget(state, input);
                let value = Val::Term(Rc::new(super::value::Term::Input(input, *int)));
                for (operator, limit) in
                    [(Binary::GreaterEqual, least), (Binary::LessEqual, greatest)]
                {
                    if int.contains(limit) {
                        let within =
                            binary(operator, value.clone(), Val::Int(limit), *int, &state.facts);
                        assume(&within, true, &mut state.facts);
                    }
                }
                value
            }
            _ => Val::Any,
        };
        self.assign(state, target, value);
    }

    /// Assigns a value to the result of a call.
    pub(super) fn result(&self, state: &mut State, call: &Call, value: Val) {
        if let Some(target) = &call.result {
            self.assign(state, target, value);
        }
    }
}

/// Adds the fact that a value is a number; returns false if that is impossible.
fn is(value: &Val, number: i128, state: &mut State) -> bool {
    let number = Val::Int(number);
    let same = binary(Binary::Equal, value.clone(), number, IntType::INT, &state.facts);
    assume(&same, true, &mut state.facts) && same != Val::Int(0)
}

/// Returns the call with constants in place of known arguments.
fn with_constants(call: &Call, values: &[Val]) -> Call {
    let mut call = call.clone();
    for (argument, value) in call.arguments.iter_mut().zip(values) {
        match (value, &argument.ty) {
            (Val::Int(value), Type::Int(int)) => *argument = Expr::int(int.convert(*value), *int),
            (Val::Pointer(Base::Text(id), 0), ty @ Type::Pointer(_)) => {
                *argument = Expr { kind: ExprKind::String(*id), ty: ty.clone() };
            }
            _ => {}
        }
    }
    call
}
