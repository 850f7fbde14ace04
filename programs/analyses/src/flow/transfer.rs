//! Effects of links on abstract states.

use canonical::{Action, Call, Expr, ExprKind, Initial, Lvalue, Storage, Type};

use super::assume::Guards;
use super::evaluate::Evaluation;
use super::state::{Pointer, State, Target};
use crate::numbers::{Interval, Linear, Numbers, Ranges};
use crate::unfold::memory::{CellId, ObjectId, Part};
use crate::unfold::{ContextId, Link, Step, Unfolding};

/// The transfer functions of a program.
#[derive(Debug, Clone, Copy)]
pub struct Transfer<'a> {
    /// The program.
    pub unfolding: &'a Unfolding,
    /// Ranges of cells.
    pub ranges: &'a Ranges,
}

/// The ranges of the types of all cells.
pub fn ranges(unfolding: &Unfolding) -> Vec<Interval> {
    let range = |cell: &crate::unfold::memory::Cell| {
        cell.int.map_or(Interval { lo: 0, hi: 0 }, Interval::of)
    };
    unfolding.memory.cells.iter().map(range).collect()
}

impl<'a> Transfer<'a> {
    /// The view of a state from a context.
    pub fn at<N: Numbers>(&self, context: ContextId, state: &'a State<N>) -> Evaluation<'a, N> {
        Evaluation { unfolding: self.unfolding, ranges: self.ranges, context, state }
    }

    fn view<'s, N>(&self, context: ContextId, state: &'s State<N>) -> Evaluation<'s, N>
    where
        'a: 's,
    {
        Evaluation { unfolding: self.unfolding, ranges: self.ranges, context, state }
    }

    /// The state in which the program begins.
    pub fn initial<N: Numbers>(&self) -> State<N> {
        let mut state = State::top();
        let program = &self.unfolding.program;
        let first = ContextId(0);
        for (variable, object) in &self.unfolding.statics {
            if matches!(program.variable(*variable).initial, Initial::Values(_)) {
                self.zero(&mut state, *object, &[]);
            }
        }
        for variable in self.unfolding.statics.keys() {
            if let Initial::Values(values) = &program.variable(*variable).initial {
                for (target, value) in values {
                    self.assign(&mut state, first, target, (first, value));
                }
            }
        }
        state
    }

    /// Returns the state after a link; `None` if it cannot be taken.
    pub fn apply<N: Numbers>(&self, link: &Link, before: &State<N>) -> Option<State<N>> {
        let action = &self.unfolding.graph(link.context).edge(link.edge).action;
        let mut state = before.clone();
        match (link.step, action) {
            (Step::Edge, Action::Assign { target, value }) => {
                self.assign(&mut state, link.context, target, (link.context, value));
            }
            (Step::Edge, Action::Guard { condition, holds }) => {
                return self.assume(state, link.context, condition, *holds);
            }
            (Step::Edge, Action::Return(Some(value))) => {
                self.leave_value(&mut state, link.context, value)
            }
            (Step::Enter(child), Action::Call(call)) => {
                self.enter(&mut state, link.context, child, call)
            }
            (Step::Leave(child), Action::Call(call)) => {
                self.leave(&mut state, link.context, child, call)
            }
            (Step::EnterAny, _) => return Some(State::top()),
            (Step::Value, Action::Call(call)) => self.any_result(&mut state, link.context, call),
            (Step::Assume, Action::Call(call)) => {
                let state = match call.arguments.first() {
                    Some(condition) => self.assume(state, link.context, condition, true),
                    None => Some(state),
                };
                return state.map(|mut state| {
                    self.any_result(&mut state, link.context, call);
                    state
                });
            }
            (Step::Anything, Action::Call(call)) => {
                state.forget_escaped(&self.unfolding.memory);
                for (variable, object) in &self.unfolding.statics {
                    let storage = self.unfolding.program.variable(*variable).storage;
                    if storage == Storage::Global || self.calls_own(link) {
                        state.forget_object(&self.unfolding.memory, *object);
                    }
                }
                self.any_result(&mut state, link.context, call);
            }
            _ => {}
        }
        Some(state)
    }

    /// Returns true if a call may reach functions of the program, which see static variables.
    fn calls_own(&self, link: &Link) -> bool {
        let Action::Call(call) = &self.unfolding.graph(link.context).edge(link.edge).action else {
            return true;
        };
        let program = &self.unfolding.program;
        match &call.callee {
            canonical::Callee::Function(id) => program.function(*id).body.is_some(),
            canonical::Callee::Pointer { .. } => true,
        }
    }

    /// Enters a function: arguments become parameters, and all its other variables have no value yet.
    fn enter<N: Numbers>(
        &self,
        state: &mut State<N>,
        from: ContextId,
        child: ContextId,
        call: &Call,
    ) {
        let context = self.unfolding.context(child);
        let memory = &self.unfolding.memory;
        let program = &self.unfolding.program;
        let before = state.clone();
        let mut objects: Vec<ObjectId> = context.objects.values().copied().collect();
        objects.extend(context.result);
        objects.sort_unstable();
        for object in objects {
            state.forget_object(memory, object);
        }
        let parameters = &program.function(context.function).parameters;
        for (variable, argument) in parameters.iter().zip(&call.arguments) {
            let Some(object) = context.objects.get(variable) else { continue };
            let ty = &program.variable(*variable).ty;
            if *ty == argument.ty {
                self.set(
                    state,
                    &Target::Part(*object, Vec::new()),
                    ty,
                    (from, argument, &before),
                    false,
                );
            }
        }
    }

    /// Stores the value that a function returns.
    fn leave_value<N: Numbers>(&self, state: &mut State<N>, context: ContextId, value: &Expr) {
        if let Some(object) = self.unfolding.context(context).result {
            let before = state.clone();
            self.set(
                state,
                &Target::Part(object, Vec::new()),
                &value.ty,
                (context, value, &before),
                false,
            );
        }
    }

    /// Leaves a function: its result becomes that of the call, and its variables end.
    fn leave<N: Numbers>(
        &self,
        state: &mut State<N>,
        to: ContextId,
        child: ContextId,
        call: &Call,
    ) {
        let memory = &self.unfolding.memory;
        let context = self.unfolding.context(child);
        if let (Some(result), Some(target)) = (context.result, &call.result) {
            let ty = memory.object(result).ty.clone();
            if ty == target.ty {
                self.copy(state, to, target, result);
            } else {
                self.assign(state, to, target, (to, &Expr::unknown(target.ty.clone())));
            }
        }
        let mut objects: Vec<ObjectId> = context.objects.values().copied().collect();
        objects.extend(context.result);
        objects.sort_unstable();
        for object in objects {
            state.forget_object(memory, object);
        }
    }

    fn any_result<N: Numbers>(&self, state: &mut State<N>, context: ContextId, call: &Call) {
        if let Some(result) = &call.result {
            let allocates = match &call.callee {
                canonical::Callee::Function(id) => {
                    let name = self.unfolding.program.function(*id).name.as_str();
                    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
                    matches!(plain, "malloc" | "calloc" | "alloca")
                }
                canonical::Callee::Pointer { .. } => false,
            };
            if allocates && matches!(result.ty, Type::Pointer(_)) {
                let new = Pointer { null: true, ..Pointer::to(Target::Opaque) };
                return self.store(state, context, result, |state, cell, weakly| {
                    state.store_pointer(&self.unfolding.memory, cell, Some(new.clone()), weakly);
                });
            }
            self.assign(state, context, result, (context, &Expr::unknown(result.ty.clone())));
        }
    }

    /// Assigns the value of an expression.
    fn assign<N: Numbers>(
        &self,
        state: &mut State<N>,
        context: ContextId,
        target: &Lvalue,
        (from, value): (ContextId, &Expr),
    ) {
        let places = self.view(context, state).places(target);
        let Some(places) = places else { return state.forget_escaped(&self.unfolding.memory) };
        let before = state.clone();
        let weakly = places.len() > 1;
        for place in &places {
            self.set(state, place, &target.ty, (from, value, &before), weakly);
        }
    }

    /// Calls `store` for each scalar cell that an lvalue may be.
    fn store<N: Numbers>(
        &self,
        state: &mut State<N>,
        context: ContextId,
        target: &Lvalue,
        store: impl Fn(&mut State<N>, CellId, bool),
    ) {
        let Some(places) = self.view(context, state).places(target) else {
            return state.forget_escaped(&self.unfolding.memory);
        };
        for place in &places {
            match self.view(context, state).scalar(place, &target.ty) {
                Some(cell) => store(state, cell, places.len() > 1),
                None => self.forget(state, place),
            }
        }
    }

    /// Assigns to a place the value that an expression has in the previous state.
    fn set<N: Numbers>(
        &self,
        state: &mut State<N>,
        place: &Target,
        ty: &Type,
        (from, value, before): (ContextId, &Expr, &State<N>),
        weakly: bool,
    ) {
        let memory = &self.unfolding.memory;
        let Target::Part(object, path) = place else { return self.forget(state, place) };
        if memory.type_of(&self.unfolding.program, *object, path) != Some(ty) {
            return self.forget(state, &Target::Whole(*object));
        }
        let view = self.view(from, before);
        if ty.is_scalar() {
            let Some(cell) = memory.scalar(*object, path) else { return };
            match (ty, &value.kind) {
                (_, ExprKind::Unknown) => state.forget(memory, cell),
                (Type::Int(_), _) => {
                    let value = view.number(value);
                    state.store(memory, self.ranges, cell, &value, weakly);
                }
                _ => state.store_pointer(memory, cell, view.pointer(value), weakly),
            }
            return;
        }
        let element = weakly || path.contains(&Part::Element);
        match &value.kind {
            ExprKind::Zero if !element => self.zero(state, *object, path),
            ExprKind::Bytes(text) if !element => {
                let bytes = self.unfolding.program.string(*text).iter();
                let bytes = bytes.map(|byte| {
                    if signed(ty) { i128::from(byte.cast_signed()) } else { (*byte).into() }
                });
                let all =
                    bytes.fold(Interval::point(0), |known, byte| known.join(Interval::point(byte)));
                for cell in memory.part(*object, path) {
                    state.elements.insert(cell, all);
                }
            }
            ExprKind::Load(source) if !element => {
                let sources = view.places(source);
                let only =
                    sources.filter(|sources| sources.len() == 1).and_then(|s| s.into_iter().next());
                match only {
                    Some(Target::Part(from, at))
                        if memory.type_of(&self.unfolding.program, from, &at) == Some(ty) =>
                    {
                        self.copy_part(state, (*object, path), (from, &at), before);
                    }
                    _ => self.forget(state, place),
                }
            }
            _ => self.forget(state, place),
        }
    }

    /// Copies a whole object, which is not a variable, into an lvalue.
    fn copy<N: Numbers>(
        &self,
        state: &mut State<N>,
        context: ContextId,
        target: &Lvalue,
        from: ObjectId,
    ) {
        let Some(places) = self.view(context, state).places(target) else {
            return state.forget_escaped(&self.unfolding.memory);
        };
        let before = state.clone();
        let memory = &self.unfolding.memory;
        let only = places.len() == 1;
        for place in &places {
            match place {
                Target::Part(object, path)
                    if only
                        && !path.contains(&Part::Element)
                        && memory.type_of(&self.unfolding.program, *object, path)
                            == Some(&target.ty) =>
                {
                    self.copy_part(state, (*object, path), (from, &[]), &before);
                }
                _ => self.forget(state, place),
            }
        }
    }

    /// Copies the cells of one part to those of another of the same type.
    fn copy_part<N: Numbers>(
        &self,
        state: &mut State<N>,
        (object, path): (ObjectId, &[Part]),
        (from, at): (ObjectId, &[Part]),
        before: &State<N>,
    ) {
        let memory = &self.unfolding.memory;
        let cells: Vec<CellId> = memory.part(object, path).collect();
        for cell in cells {
            let way: Vec<Part> =
                at.iter().chain(&memory.cell(cell).path[path.len()..]).copied().collect();
            state.forget(memory, cell);
            let Some(source) = memory.scalar(from, &way) else { continue };
            match (memory.cell(cell).int, memory.cell(cell).weak, memory.cell(source).weak) {
                (None, _, _) => {
                    if let Some(value) = before.pointers.get(&source) {
                        state.pointers.insert(cell, value.clone());
                    }
                }
                (Some(_), true, _) => {
                    state.elements.insert(cell, before.interval(memory, self.ranges, source));
                }
                (Some(_), false, true) => {
                    let value = Linear::interval(before.interval(memory, self.ranges, source));
                    state.numbers.assign(cell, &value, self.ranges);
                }
                (Some(_), false, false) => {
                    state.numbers.assign(cell, &Linear::cell(source), self.ranges)
                }
            }
        }
    }

    fn zero<N: Numbers>(&self, state: &mut State<N>, object: ObjectId, path: &[Part]) {
        let memory = &self.unfolding.memory;
        for cell in memory.part(object, path) {
            match (memory.cell(cell).int, memory.cell(cell).weak) {
                (None, _) => {
                    state.pointers.insert(cell, Pointer::null());
                }
                (Some(_), true) => {
                    state.elements.insert(cell, Interval::point(0));
                }
                (Some(_), false) => state.numbers.assign(cell, &Linear::point(0), self.ranges),
            }
        }
    }

    fn forget<N: Numbers>(&self, state: &mut State<N>, place: &Target) {
        let memory = &self.unfolding.memory;
        match place {
            Target::Opaque => {}
            Target::Whole(object) => state.forget_object(memory, *object),
            Target::Part(object, path) => {
                let cells: Vec<CellId> = memory.part(*object, path).collect();
                cells.into_iter().for_each(|cell| state.forget(memory, cell));
            }
        }
    }

    /// Returns the memories of a state in which a condition holds or does not hold; `None` if there are none.
    pub fn assume<N: Numbers>(
        &self,
        state: State<N>,
        context: ContextId,
        condition: &Expr,
        holds: bool,
    ) -> Option<State<N>> {
        Guards { unfolding: self.unfolding, ranges: self.ranges, context }
            .assume(state, condition, holds)
    }
}

fn signed(ty: &Type) -> bool {
    ty.element().and_then(Type::int).is_some_and(|int| int.signed)
}
