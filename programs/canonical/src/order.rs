//! Finds operands whose order of evaluation C does not specify although it matters: one writes memory that another one
//! reads or writes, or both call the library.

use std::collections::{HashMap, HashSet};

use crate::model::{
    Action, Call, Callee, Expr, ExprKind, FunctionId, IntRank, Lvalue, LvalueBase, Place, Program,
    Projection, Storage, Type, Unsequenced, VariableId,
};
use crate::points_to::is_known;
use crate::walk;

/// A part of memory.
#[derive(Debug, Clone, PartialEq)]
struct Part {
    /// The variable; `None` for the target of a pointer.
    variable: Option<VariableId>,
    /// The steps to the part, up to the first index that is not constant.
    path: Vec<Step>,
    ty: Type,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Field(u32),
    Index(i128),
}

/// The effects of the evaluation of some expressions.
#[derive(Debug, Clone, Default)]
struct Effects {
    reads: Vec<Part>,
    writes: Vec<Part>,
    /// True if functions of the library are called.
    calls_library: bool,
    /// True if the evaluation may have further effects.
    is_open: bool,
}

/// Finds operands whose order matters in the functions that `is_used` accepts. `library` are names of functions that a
/// client calls and whose order matters as well. Returns the place of each, and a description of what depends on the
/// order.
pub fn conflicts(
    program: &Program,
    library: &[&str],
    is_used: impl Fn(FunctionId) -> bool,
) -> Vec<(Option<Place>, String)> {
    let mut finder = Finder { program, library, known: HashMap::new(), held: held(program) };
    let used = program.unsequenced.iter().filter(|group| is_used(group.function));
    used.filter_map(|group| Some((group.place, finder.conflict(group)?))).collect()
}

/// The given functions, and all functions that they may call.
pub fn called(program: &Program, from: &[FunctionId]) -> HashSet<FunctionId> {
    let mut out: HashSet<FunctionId> = from.iter().copied().collect();
    let mut open = from.to_vec();
    while let Some(f) = open.pop() {
        let Some(graph) = &program.function(f).body else { continue };
        for (_, call) in graph.calls() {
            open.extend(call.callee.targets().iter().filter(|t| out.insert(**t)));
        }
    }
    out
}

struct Finder<'p> {
    program: &'p Program,
    library: &'p [&'p str],
    /// The effects of functions, including those of the functions that they call.
    known: HashMap<FunctionId, Effects>,
    /// The values of temporaries that are pointers.
    held: HashMap<VariableId, Expr>,
}

impl Finder<'_> {
    /// The conflict of some operands in words, if there is one.
    fn conflict(&mut self, group: &Unsequenced) -> Option<String> {
        let mut all = Vec::new();
        for operand in &group.operands {
            let mut effects = Effects { is_open: !operand.complete, ..Effects::default() };
            let store = group.store.as_ref();
            for action in &operand.actions {
                self.action(action, store, true, &mut effects);
            }
            for value in &operand.values {
                walk::expressions(value, &mut |expr| self.read(expr, &mut effects));
            }
            all.push(effects);
        }
        for (k, one) in all.iter().enumerate() {
            for other in &all[k + 1..] {
                if one.calls_library && other.calls_library {
                    return Some("calls of the library".to_owned());
                }
                let matters = |parts: &[Part]| parts.iter().any(|part| self.matters(part));
                let is_open = |a: &Effects, b: &Effects| {
                    a.is_open && (b.calls_library || matters(&b.reads) || matters(&b.writes))
                };
                if is_open(one, other) || is_open(other, one) {
                    return Some("code that is not followed".to_owned());
                }
                let meets = |a: &Effects, b: &Effects| {
                    let touched = || b.reads.iter().chain(&b.writes);
                    let mut writes = a.writes.iter().filter(|part| self.matters(part));
                    let found = writes.find(|w| touched().any(|t| self.overlap(w, t)));
                    found.map(|part| self.name(part))
                };
                if let Some(name) = meets(one, other).or_else(|| meets(other, one)) {
                    return Some(name);
                }
            }
        }
        self.stored(group)
    }

    /// Returns the target of an assignment that an operand also assigns.
    fn stored(&self, group: &Unsequenced) -> Option<String> {
        let store = group.store.as_ref()?;
        let target = self.part(store)?;
        // A call stores its result after its arguments are evaluated.
        let stores =
            |a: &Action| matches!(a, Action::Call(call) if call.result.as_ref() == Some(store));
        if group.operands.iter().flat_map(|o| &o.actions).any(stores) {
            return None;
        }
        let assigned = group.operands.iter().flat_map(|o| &o.actions).filter_map(|a| match a {
            Action::Assign { target, .. } => self.part(target),
            _ => None,
        });
        let mut assigned = assigned.into_iter().filter(|part| self.matters(part));
        assigned.find(|part| self.overlap(part, &target)).map(|part| self.name(&part))
    }

    /// Returns true for parts whose values are followed. For clients, these are only local variables.
    fn matters(&self, part: &Part) -> bool {
        self.library.is_empty()
            || part.variable.is_some_and(|v| {
                let v = self.program.variable(v);
                matches!(v.storage, Storage::Local | Storage::Parameter) && !v.address_taken
            })
    }

    /// Adds the effects of a step; `store` is an additional target. Without `with_calls`, functions that have a body
    /// are skipped.
    fn action(
        &mut self,
        action: &Action,
        store: Option<&Lvalue>,
        with_calls: bool,
        out: &mut Effects,
    ) {
        walk::action(action, &mut |expr| self.read(expr, out));
        match action {
            Action::Assign { target, .. } => out.writes.extend(self.part(target)),
            Action::Call(call) => {
                let result = call.result.as_ref().filter(|result| Some(*result) != store);
                out.writes.extend(result.and_then(|result| self.part(result)));
                self.call(call, with_calls, out);
            }
            _ => {}
        }
    }

    fn read(&self, expr: &Expr, out: &mut Effects) {
        if let ExprKind::Load(lvalue) = &expr.kind {
            out.reads.extend(self.part(lvalue));
        }
    }

    fn call(&mut self, call: &Call, with_calls: bool, out: &mut Effects) {
        out.is_open |= matches!(call.callee, Callee::Pointer { complete: false, .. });
        for target in call.callee.targets() {
            let function = self.program.function(*target);
            if self.library.contains(&function.name.as_str()) {
                out.calls_library = true;
            } else if function.body.is_none() {
                self.absent(call, &function.name, out);
            } else if with_calls {
                let inner = self.function(*target);
                out.reads.extend(inner.reads);
                out.writes.extend(inner.writes);
                out.calls_library |= inner.calls_library;
                out.is_open |= inner.is_open;
            }
        }
    }

    /// A function without a body may write to the targets of its arguments.
    fn absent(&self, call: &Call, name: &str, out: &mut Effects) {
        for argument in &call.arguments {
            let below = argument.below_casts();
            let Some(element) = below.ty.element() else { continue };
            if matches!(element, Type::Function(_)) && !is_known(name) {
                out.is_open = true;
            }
            let part = match &below.kind {
                ExprKind::AddressOf(lvalue) => self.part(lvalue).map(|mut part| {
                    // The part begins at the first element.
                    part.path.pop();
                    part
                }),
                ExprKind::String(_) | ExprKind::Function(_) | ExprKind::Int(_) => None,
                _ => Some(Part { variable: None, path: Vec::new(), ty: element.clone() }),
            };
            let reads = ["printf", "puts", "strlen", "cmp", "write", "free", "fputs"];
            match reads.iter().any(|r| name.contains(r)) {
                true => out.reads.extend(part),
                false => out.writes.extend(part),
            }
        }
    }

    /// The effects of a function on memory that is visible to others.
    fn function(&mut self, id: FunctionId) -> Effects {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let mut out = Effects::default();
        for f in called(self.program, &[id]) {
            let Some(graph) = &self.program.function(f).body else { continue };
            for edge in &graph.edges {
                self.action(&edge.action, None, false, &mut out);
            }
        }
        let is_seen = |part: &Part| {
            part.variable.is_none_or(|v| {
                let storage = self.program.variable(v).storage;
                matches!(storage, Storage::Global | Storage::Static)
            })
        };
        out.reads.retain(is_seen);
        out.writes.retain(is_seen);
        dedup(&mut out.reads);
        dedup(&mut out.writes);
        self.known.insert(id, out.clone());
        out
    }

    /// Returns the part that an lvalue represents; `None` for temporaries.
    fn part(&self, lvalue: &Lvalue) -> Option<Part> {
        let variable = match &lvalue.base {
            LvalueBase::Variable(v) => {
                if self.program.variable(*v).storage == Storage::Temporary {
                    return None;
                }
                Some(*v)
            }
            LvalueBase::Deref(pointer) => match &self.resolved(pointer).kind {
                ExprKind::String(_) => return None,
                // An element of an array.
                ExprKind::AddressOf(first) => {
                    let mut array = (**first).clone();
                    array.path.pop();
                    let array = self.part(&array)?;
                    return Some(Part { ty: lvalue.ty.clone(), ..array });
                }
                _ => None,
            },
        };
        let mut path = Vec::new();
        for step in &lvalue.path {
            path.push(match step {
                Projection::Field(_, k) => Step::Field(*k),
                Projection::Index(index) => match index.constant() {
                    Some(k) => Step::Index(k),
                    None => break,
                },
            });
        }
        Some(Part { variable, path, ty: lvalue.ty.clone() })
    }

    /// The address from which a pointer is moved.
    fn resolved<'e>(&'e self, pointer: &'e Expr) -> &'e Expr {
        match &pointer.kind {
            ExprKind::Cast(inner) => self.resolved(inner),
            ExprKind::Binary(_, base, _) => self.resolved(base),
            ExprKind::Load(lvalue) => {
                let held = lvalue.whole_variable().and_then(|v| self.held.get(&v));
                held.map_or(pointer, |held| self.resolved(held))
            }
            _ => pointer,
        }
    }

    /// Returns true if two parts may share memory.
    fn overlap(&self, a: &Part, b: &Part) -> bool {
        match (a.variable, b.variable) {
            (Some(x), Some(y)) => x == y && a.path.iter().zip(&b.path).all(|(s, t)| s == t),
            (Some(v), None) | (None, Some(v)) => self.program.variable(v).address_taken,
            (None, None) => {
                let is_whole = |ty: &Type| !ty.is_scalar() || *ty == Type::Void;
                let is_char = |ty: &Type| ty.int().is_some_and(|int| int.rank == IntRank::Char);
                let any = |ty: &Type| is_whole(ty) || is_char(ty);
                let alike = match (a.ty.int(), b.ty.int()) {
                    (Some(x), Some(y)) => x.bits() == y.bits(),
                    _ => std::mem::discriminant(&a.ty) == std::mem::discriminant(&b.ty),
                };
                let fields = |part: &Part| match part.path.first() {
                    Some(Step::Field(k)) if part.path.len() == 1 => Some(*k),
                    _ => None,
                };
                let differ = fields(a).zip(fields(b)).is_some_and(|(x, y)| x != y);
                (any(&a.ty) || any(&b.ty) || alike) && !differ
            }
        }
    }

    fn name(&self, part: &Part) -> String {
        match part.variable {
            Some(v) => format!("`{}`", self.program.variable(v).name),
            None => "the memory behind a pointer".to_owned(),
        }
    }
}

/// The pointers in temporaries that are assigned once.
fn held(program: &Program) -> HashMap<VariableId, Expr> {
    let mut found: HashMap<VariableId, Option<Expr>> = HashMap::new();
    for (_, _, graph) in program.defined() {
        for edge in &graph.edges {
            let Action::Assign { target, value } = &edge.action else { continue };
            let Some(v) = target.whole_variable() else { continue };
            if program.variable(v).storage == Storage::Temporary && value.ty.element().is_some() {
                let value = Some(value.clone());
                found.entry(v).and_modify(|known| *known = None).or_insert(value);
            }
        }
    }
    found.into_iter().filter_map(|(v, value)| Some((v, value?))).collect()
}

fn dedup(parts: &mut Vec<Part>) {
    let mut kept: Vec<Part> = Vec::new();
    for part in parts.drain(..) {
        if !kept.contains(&part) {
            kept.push(part);
        }
    }
    *parts = kept;
}
