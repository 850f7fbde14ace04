//! Represents rules as relations between the current values and the next values of the variables that they update.

use biodivine_lib_bdd::{Bdd, BddVariable};

use super::arithmetic::Compiler;
use super::{Space, and_exists};
use crate::library::{Expr, Library, Place, Problem, Update, VarId};
use crate::watch::Watch;

/// The maximum number of nodes of an expression's diagram.
const MOST_NODES: usize = 1 << 20;

/// A rule, compiled.
#[derive(Debug, Clone)]
pub struct CompiledRule {
    /// States in which the rule is enabled: in range, without an error, and with a guard that holds.
    pub guard: Bdd,
    /// The guard and the updates as a relation.
    relation: Bdd,
    /// The updates without the guard, for all states in range.
    free: Bdd,
    /// States that satisfy the guard and from which an update leaves the range of its variable.
    pub(super) outside: Bdd,
    /// Place of the rule.
    pub(super) place: Place,
    /// True for the bits that are updated.
    moved: Vec<bool>,
    now: Vec<BddVariable>,
    next: Vec<BddVariable>,
}

impl CompiledRule {
    /// The states from which the rule leads into `set`.
    pub fn before(&self, set: &Bdd) -> Bdd {
        and_exists(&self.relation, &Space::moved(set, &self.moved, true), &self.next)
    }

    /// The states from which the updates lead into `set`, whether or not the guard holds.
    pub fn before_unguarded(&self, set: &Bdd) -> Bdd {
        and_exists(&self.free, &Space::moved(set, &self.moved, true), &self.next)
    }

    /// The states into which the rule leads from `set`.
    pub fn after(&self, set: &Bdd) -> Bdd {
        Space::moved(&and_exists(&self.relation, set, &self.now), &self.moved, false)
    }
}

/// A function, compiled.
#[derive(Debug, Clone)]
pub struct Function {
    /// Rules.
    pub rules: Vec<CompiledRule>,
    /// States in range of the globals and of its locals.
    pub domain: Bdd,
    /// The entry: any parameters, and other locals at their initial values.
    pub entry: Bdd,
    /// Ends of calls: the error, and states in which no rule is enabled.
    pub ends: Bdd,
    /// Diagram variables of all locals.
    pub locals: Vec<BddVariable>,
    /// Diagram variables of the locals that are not parameters.
    pub(super) inner: Vec<BddVariable>,
    /// Diagram variables of the parameters.
    pub parameters: Vec<BddVariable>,
}

/// The globals in range.
pub(crate) fn global_domain(space: &Space) -> Bdd {
    let compiler = Compiler::new(space, None, MOST_NODES);
    let ids = (0..space.globals.len()).map(VarId);
    ids.fold(space.everything(), |all, v| {
        let field = space.field(None, v);
        all.and(&compiler.within(v, field.low, field.high, false))
    })
}

/// A condition over the globals, among the states in range.
///
/// # Errors
///
/// The diagram of the condition is too large.
pub(crate) fn global_condition(
    space: &Space,
    expr: &Expr,
    place: Place,
    domain: &Bdd,
) -> Result<Bdd, Problem> {
    let compiler = Compiler::new(space, None, MOST_NODES);
    let condition = compiler.condition(expr);
    match compiler.has_failed() {
        true => Err(too_large("a condition over the globals", place)),
        false => Ok(condition.and(domain)),
    }
}

fn too_large(what: &str, place: Place) -> Problem {
    let message = format!(
        "{what} has a diagram of more than {MOST_NODES} nodes: use smaller types, or fewer variables \
         in one expression"
    );
    Problem::new(place, message)
}

/// Compiles a function. `globals` are the states in range, `error` are the states of the error condition.
///
/// # Errors
///
/// The first rule whose diagrams are too large; the time limit has passed.
pub(super) fn compile(
    library: &Library,
    space: &Space,
    index: usize,
    globals: &Bdd,
    error: &Bdd,
    watch: &Watch,
) -> Result<Function, Problem> {
    let compiler = Compiler::new(space, Some(index), MOST_NODES).until(watch);
    let function = &library.functions[index];
    let id = |local: usize| VarId(library.globals.len() + local);
    let mut domain = globals.clone();
    let mut entry = space.everything();
    for (k, local) in function.locals.iter().enumerate() {
        domain = domain.and(&compiler.within(id(k), local.low, local.high, false));
        if k >= function.parameters {
            entry = entry.and(&compiler.within(id(k), local.initial, local.initial, false));
        }
    }
    let entry = entry.and(&domain);
    let enabled = domain.and_not(error);
    let mut ends = domain.clone();
    let rules: Vec<CompiledRule> = function
        .rules
        .iter()
        .map(|rule| {
            let guard = compiler.condition(&rule.guard).and(&enabled);
            ends = ends.and_not(&guard);
            let mut moved = vec![false; space.size() / 2];
            let (mut now, mut next) = (Vec::new(), Vec::new());
            let mut free = domain.clone();
            let mut outside = space.nothing();
            for (v, update) in &rule.updates {
                let field = space.field(Some(index), *v);
                field.bits.iter().for_each(|b| moved[*b] = true);
                now.extend(field.now());
                next.extend(field.next());
                let (relation, beyond) = match update {
                    Update::Value(e) => compiler.update(*v, e),
                    Update::Any(low, high) => {
                        (compiler.within(*v, *low, *high, true), space.nothing())
                    }
                };
                free = free.and(&relation);
                outside = outside.or(&beyond.and(&guard));
            }
            let relation = free.and(&guard);
            watch.in_time()?;
            if compiler.has_failed() {
                let what = format!("a rule of `{}`", function.name);
                return Err(too_large(&what, rule.place));
            }
            Ok(CompiledRule { guard, relation, free, outside, place: rule.place, moved, now, next })
        })
        .collect::<Result<_, _>>()?;
    let variables =
        |fields: &[super::Field]| fields.iter().flat_map(|f| f.now().collect::<Vec<_>>()).collect();
    let (parameters, inner) = space.locals[index].split_at(function.parameters);
    Ok(Function {
        rules,
        domain,
        entry,
        ends: ends.or(error),
        locals: variables(&space.locals[index]),
        inner: variables(inner),
        parameters: variables(parameters),
    })
}
