//! Runs one call in one state. Known variables are numbers. Values that depend on a parameter or on an unknown value
//! are vectors of diagrams.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use biodivine_lib_bdd::{Bdd, BddVariable};

use super::stop::{Stop, too_much};
use crate::library::{
    BinaryOp, Expr, Function, Library, Place, Rule, State, Update, VarId, folded, large_product,
};
use crate::symbolic::{Compiler, Datum, Space};
use crate::watch::Watch;

/// The maximum number of nodes of a diagram over parameters.
const MOST_NODES: usize = 1 << 14;

/// The number of steps that an expression over parameters counts as.
const SYMBOLIC: u64 = 64;

/// The maximum number of parts into which a point is split if an expression is too large.
const MOST_PARTS: usize = 256;

/// The number of steps of a call after which it is checked for an endless loop.
const LOOPS: u64 = 64;

/// The effects of a call: the arguments with which it fails, and the states after it with theirs.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    pub(super) fails: Bdd,
    pub(super) returns: BTreeMap<State, Bdd>,
}

/// The rules of a function, by the value of one variable that their guards test.
struct Index {
    variable: Option<VarId>,
    rules: HashMap<i64, Vec<usize>>,
    /// Rules whose guards do not test the variable.
    others: Vec<usize>,
}

impl Index {
    fn new(function: &Function) -> Self {
        let mut counts: BTreeMap<VarId, usize> = BTreeMap::new();
        let asked: Vec<Vec<(VarId, i64)>> =
            function.rules.iter().map(|rule| equations(&rule.guard)).collect();
        for (v, _) in asked.iter().flatten() {
            *counts.entry(*v).or_default() += 1;
        }
        let variable = counts.iter().max_by_key(|(_, n)| **n).map(|(v, _)| *v);
        let mut out = Self { variable, rules: HashMap::new(), others: Vec::new() };
        for (k, equations) in asked.iter().enumerate() {
            match equations.iter().find(|(v, _)| Some(*v) == variable) {
                Some((_, value)) => out.rules.entry(*value).or_default().push(k),
                None => out.others.push(k),
            }
        }
        out
    }

    /// Returns the rules whose guards may hold, in order; `None` if all may hold.
    fn candidates(&self, data: &[Datum]) -> Option<Vec<usize>> {
        let value = data[self.variable?.0].number()?;
        let mut out = self.rules.get(&value).cloned().unwrap_or_default();
        if !self.others.is_empty() {
            out.extend(&self.others);
            out.sort_unstable();
        }
        Some(out)
    }
}

/// The globals that a function, or the error condition, mentions.
fn mentions(library: &Library, f: usize) -> Vec<usize> {
    let mut out: BTreeSet<usize> = BTreeSet::new();
    let mut add = |v: VarId| {
        out.insert(v.0);
    };
    library.error.variables(&mut add);
    for rule in &library.functions[f].rules {
        rule.guard.variables(&mut add);
        for (v, update) in &rule.updates {
            add(*v);
            if let Update::Value(e) = update {
                e.variables(&mut add);
            }
        }
    }
    out.into_iter().filter(|v| *v < library.globals.len()).collect()
}

/// The variables on which the value of an expression at a point depends.
fn question(f: usize, expr: &Expr, point: &Point) -> Question {
    let mut data = Vec::new();
    expr.variables(&mut |v| data.push(point.data[v.0].clone()));
    (f, expr.clone(), data)
}

/// The equations between a variable and a number in a conjunction.
fn equations(guard: &Expr) -> Vec<(VarId, i64)> {
    match guard {
        Expr::Binary(BinaryOp::And, a, b) => [equations(a), equations(b)].concat(),
        Expr::Binary(BinaryOp::Eq, a, b) => match (&**a, &**b) {
            (Expr::Var(v), Expr::Int(n)) | (Expr::Int(n), Expr::Var(v)) => vec![(*v, *n)],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// A point of a call that is run.
#[derive(Clone)]
struct Point {
    data: Vec<Datum>,
    /// The arguments and unknown values with which it is reached.
    condition: Bdd,
    /// The number of spare diagram variables that are in use.
    taken: usize,
}

/// A function, an expression and the data of its variables.
type Question = (usize, Expr, Vec<Datum>);

/// The maximum number of compiled expressions that are remembered. If there are more, all are forgotten.
const MOST_KNOWN: usize = 1 << 14;

/// Runs calls.
pub(super) struct Machine<'a> {
    library: &'a Library,
    space: &'a Space,
    watch: &'a Watch,
    indices: Vec<Index>,
    spare: Vec<BddVariable>,
    most_states: usize,
    /// The number of steps that are left.
    steps: u64,
    /// Compiled expressions, because many states need the same ones.
    values: HashMap<Question, Datum>,
    conditions: HashMap<Question, Bdd>,
    /// The globals that each function, or the error condition, mentions.
    mentions: Vec<Vec<usize>>,
    /// Calls that were run, by the values of those globals. The states contain only those globals.
    calls: HashMap<(usize, State), Outcome>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        library: &'a Library,
        space: &'a Space,
        watch: &'a Watch,
        most_states: usize,
        steps: u64,
    ) -> Self {
        let indices = library.functions.iter().map(Index::new).collect();
        let spare = space.spare().collect();
        Self {
            library,
            space,
            watch,
            indices,
            spare,
            most_states,
            steps,
            values: HashMap::new(),
            conditions: HashMap::new(),
            mentions: (0..library.functions.len()).map(|f| mentions(library, f)).collect(),
            calls: HashMap::new(),
        }
    }

    /// Calls a function in a state without an error, with all values of its parameters.
    pub(super) fn call(&mut self, f: usize, state: &[i64]) -> Result<Outcome, Stop> {
        let mentioned: State = self.mentions[f].iter().map(|v| state[*v]).collect();
        let key = (f, mentioned);
        if !self.calls.contains_key(&key) {
            let mut outcome = self.run(f, state)?;
            let only = |state: State| self.mentions[f].iter().map(|v| state[*v]).collect();
            outcome.returns = outcome.returns.into_iter().map(|(s, set)| (only(s), set)).collect();
            self.calls.insert(key.clone(), outcome);
        }
        let known = &self.calls[&key];
        let whole = |part: &State| {
            let mut out = state.to_vec();
            self.mentions[f].iter().zip(part).for_each(|(v, value)| out[*v] = *value);
            out
        };
        let returns = known.returns.iter().map(|(part, set)| (whole(part), set.clone())).collect();
        Ok(Outcome { fails: known.fails.clone(), returns })
    }

    /// Runs a call.
    fn run(&mut self, f: usize, state: &[i64]) -> Result<Outcome, Stop> {
        let first = self.first(f, state)?;
        let entry = first.condition.clone();
        let nothing = self.space.nothing();
        let mut out = Outcome { fails: nothing.clone(), returns: BTreeMap::new() };
        let mut ends = nothing.clone();
        let mut seen: HashMap<Vec<Datum>, Bdd> = HashMap::new();
        let mut count = 0;
        let mut open = vec![first];
        while let Some(mut point) = open.pop() {
            self.count(f, 1)?;
            count += 1;
            if count > LOOPS {
                // A loop that reaches a point again continues from there only with new arguments.
                let known = seen.entry(point.data.clone()).or_insert_with(|| nothing.clone());
                point.condition = point.condition.and_not(known);
                *known = known.or(&point.condition);
            }
            let error = self.condition(f, &self.library.error, &point)?;
            out.fails = out.fails.or(&error);
            ends = ends.or(&error);
            point.condition = point.condition.and_not(&error);
            if point.condition.is_false() {
                continue;
            }
            let before = open.len();
            let rest = match self.step(f, &point, &mut open) {
                Err(Stop::TooMuch(why)) => {
                    open.truncate(before);
                    // An expression that is too large may have only a few values at this point.
                    self.split(&point, &mut open).ok_or(Stop::TooMuch(why))?;
                    continue;
                }
                other => other?,
            };
            if !rest.is_false() {
                ends = ends.or(&rest);
                self.returns(&point, rest, &mut out.returns)?;
            }
        }
        // With other arguments the call never returns.
        let ended = ends.exists(&self.spare);
        out.fails = out.fails.exists(&self.spare).or(&entry.and_not(&ended));
        Ok(out)
    }

    fn count(&mut self, f: usize, steps: u64) -> Result<(), Stop> {
        if self.steps.is_multiple_of(1024) {
            self.watch.in_time()?;
        }
        let Some(left) = self.steps.checked_sub(steps) else {
            let function = &self.library.functions[f];
            let message = format!("calls of `{}` take too many steps", function.name);
            return Err(too_much(function.place, message));
        };
        self.steps = left;
        Ok(())
    }

    /// The entry of a function: parameters have their own diagram variables.
    fn first(&self, f: usize, state: &[i64]) -> Result<Point, Stop> {
        let function = &self.library.functions[f];
        let mut data: Vec<Datum> = state.iter().map(|n| Datum::Number(*n)).collect();
        let mut condition = self.space.everything();
        let compiler = Compiler::new(self.space, Some(f), MOST_NODES);
        for (k, local) in function.locals.iter().enumerate() {
            if k >= function.parameters || local.low == local.high {
                let is_parameter = k < function.parameters;
                data.push(Datum::Number(if is_parameter { local.low } else { local.initial }));
                continue;
            }
            let bits: Vec<BddVariable> = self.space.locals[f][k].now().collect();
            let (datum, within) = compiler.free(&bits, local.low, local.high);
            condition = condition.and(&within);
            data.push(datum);
        }
        Ok(Point { data, condition, taken: 0 })
    }

    /// An expression at a point, with the numbers put in.
    fn folded(expr: &Expr, point: &Point) -> Expr {
        let mut is_known = true;
        expr.variables(&mut |v| is_known &= point.data[v.0].number().is_some());
        match is_known {
            true => Expr::Int(expr.value(&|v| point.data[v.0].number().unwrap_or(0))),
            false => folded(expr, &|v| point.data[v.0].number()),
        }
    }

    /// Compiles an expression that depends on parameters.
    fn compiled<T>(
        &mut self,
        f: usize,
        expr: &Expr,
        point: &Point,
        place: Place,
        compile: impl FnOnce(&Compiler<'_>) -> T,
    ) -> Result<T, Stop> {
        self.count(f, SYMBOLIC)?;
        let compiler = Compiler::new(self.space, Some(f), MOST_NODES).with(&point.data);
        if large_product(expr, &|e| compiler.range(e)).is_some() {
            let message = "a product or quotient of two values that are not known has many bits";
            return Err(too_much(place, message));
        }
        let out = compile(&compiler);
        if compiler.has_failed() {
            let message = format!("an expression has a diagram of more than {MOST_NODES} nodes");
            return Err(too_much(place, message));
        }
        Ok(out)
    }

    /// Returns the part of a point in which a condition holds.
    fn condition(&mut self, f: usize, expr: &Expr, point: &Point) -> Result<Bdd, Stop> {
        match Self::folded(expr, point) {
            Expr::Int(0) => Ok(self.space.nothing()),
            Expr::Int(_) => Ok(point.condition.clone()),
            rest => {
                let question = question(f, &rest, point);
                let holds = match self.conditions.get(&question) {
                    Some(known) => known.clone(),
                    None => {
                        let place = Place::default();
                        let new = self.compiled(f, &rest, point, place, |c| c.condition(&rest))?;
                        if self.conditions.len() > MOST_KNOWN {
                            self.conditions.clear();
                        }
                        self.conditions.insert(question, new.clone());
                        new
                    }
                };
                Ok(holds.and(&point.condition))
            }
        }
    }

    /// Applies all rules that are enabled; returns the part in which none is.
    fn step(&mut self, f: usize, point: &Point, open: &mut Vec<Point>) -> Result<Bdd, Stop> {
        let library = self.library;
        let rules = &library.functions[f].rules;
        let candidates = self.indices[f].candidates(&point.data);
        let all = || (0..rules.len()).collect();
        let mut rest = point.condition.clone();
        for k in candidates.unwrap_or_else(all) {
            let rule = &rules[k];
            let enabled = self.condition(f, &rule.guard, point)?;
            if enabled.is_false() {
                continue;
            }
            rest = rest.and_not(&enabled);
            open.push(self.update(f, rule, point, enabled)?);
        }
        Ok(rest)
    }

    /// Splits a point by the values of unknown variables; `None` if there are too many or none.
    fn split(&self, point: &Point, open: &mut Vec<Point>) -> Option<()> {
        if point.data.iter().all(|datum| datum.number().is_some()) {
            return None;
        }
        let compiler = Compiler::new(self.space, None, MOST_NODES);
        let mut rest = point.condition.clone();
        let first = open.len();
        while let Some(example) = rest.first_valuation() {
            let mut part = Point { condition: rest.clone(), ..point.clone() };
            for datum in &mut part.data {
                if let Datum::Bits(vector) = datum {
                    let number = vector.value(&example);
                    part.condition = part.condition.and(&compiler.is(vector, number));
                    *datum = Datum::Number(number);
                }
            }
            rest = rest.and_not(&part.condition);
            open.push(part);
            if open.len() - first > MOST_PARTS {
                open.truncate(first);
                return None;
            }
        }
        Some(())
    }

    fn update(
        &mut self,
        f: usize,
        rule: &Rule,
        point: &Point,
        condition: Bdd,
    ) -> Result<Point, Stop> {
        let mut next = Point { data: point.data.clone(), condition, taken: point.taken };
        for (v, update) in &rule.updates {
            let variable = self.library.variable(Some(f), *v);
            next.data[v.0] = match update {
                Update::Value(e) => match Self::folded(e, point) {
                    Expr::Int(n) if (variable.low..=variable.high).contains(&n) => Datum::Number(n),
                    Expr::Int(_) => {
                        let message = format!("`{}` leaves its range", variable.name);
                        return Err(too_much(rule.place, message));
                    }
                    rest => self.datum(f, rest, point, rule.place)?,
                },
                Update::Any(low, high) if low == high => Datum::Number(*low),
                Update::Any(low, high) => {
                    let bits = self.space.field(Some(f), *v).bits.len();
                    let Some(bits) = self.spare.get(next.taken..next.taken + bits) else {
                        let message = "a call has many values that may be any";
                        return Err(too_much(rule.place, message));
                    };
                    next.taken += bits.len();
                    let compiler = Compiler::new(self.space, Some(f), MOST_NODES);
                    let (datum, within) = compiler.free(bits, *low, *high);
                    next.condition = next.condition.and(&within);
                    datum
                }
            };
        }
        Ok(next)
    }

    /// The value of an expression that depends on parameters.
    fn datum(&mut self, f: usize, e: Expr, point: &Point, place: Place) -> Result<Datum, Stop> {
        let question = question(f, &e, point);
        if let Some(known) = self.values.get(&question) {
            return Ok(known.clone());
        }
        let new = self.compiled(f, &e, point, place, |c| c.datum(&e))?;
        if self.values.len() > MOST_KNOWN {
            self.values.clear();
        }
        self.values.insert(question, new.clone());
        Ok(new)
    }

    /// Adds the states in which a call returns.
    fn returns(
        &mut self,
        point: &Point,
        rest: Bdd,
        to: &mut BTreeMap<State, Bdd>,
    ) -> Result<(), Stop> {
        let globals = &point.data[..self.library.globals.len()];
        let compiler = Compiler::new(self.space, None, MOST_NODES);
        let mut known: HashMap<(usize, i64), Bdd> = HashMap::new();
        let mut open: Vec<(State, Bdd)> = vec![(State::new(), rest)];
        // A state is completed variable by variable, so each part is examined once.
        while let Some((mut state, mut rest)) = open.pop() {
            self.watch.in_time()?;
            while let Some(Datum::Number(n)) = globals.get(state.len()) {
                state.push(*n);
            }
            let place = state.len();
            let Some(Datum::Bits(vector)) = globals.get(place) else {
                let arguments = rest.exists(&self.spare);
                let known = to.entry(state).or_insert_with(|| self.space.nothing());
                *known = known.or(&arguments);
                continue;
            };
            while let Some(example) = rest.first_valuation() {
                let number = vector.value(&example);
                let is =
                    known.entry((place, number)).or_insert_with(|| compiler.is(vector, number));
                let longer = state.iter().copied().chain([number]).collect();
                open.push((longer, rest.and(is)));
                rest = rest.and_not(is);
                if to.len() + open.len() > self.most_states {
                    let message = format!("more than {} states are reached", self.most_states);
                    return Err(too_much(Place::default(), message));
                }
            }
        }
        Ok(())
    }
}
