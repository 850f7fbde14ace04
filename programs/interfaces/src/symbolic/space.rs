//! The variables of a library in bits.
//!
//! Bit k of the space has the diagram variable 2k for its current value, and 2k + 1 for its next value. Variables that
//! occur in the same expression are interleaved by significance, because the diagrams for equality and order of
//! separate variables have exponential size. Locals come before globals, because it is best to decide the location
//! first.

use biodivine_lib_bdd::{Bdd, BddNode, BddPartialValuation, BddVariable, BddVariableSet};

use crate::library::{Expr, Function, Interval, Library, Problem, Update, VarId};

/// The maximum number of bits of a library's state. A library with more is refused.
const MOST_BITS: usize = 8000;

/// The number of diagram variables for unknown values of a call that is run.
const SPARE: usize = 1024;

/// A variable in bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Name.
    pub name: String,
    /// The bits of the space, least significant first. The last one is the sign if `low` is negative.
    pub bits: Vec<usize>,
    /// Lowest value.
    pub low: i64,
    /// Highest value.
    pub high: i64,
}

impl Field {
    /// The range of the variable.
    pub fn range(&self) -> Interval {
        Interval::new(self.low.into(), self.high.into())
    }

    /// The diagram variables of the variable's current value.
    pub fn now(&self) -> impl Iterator<Item = BddVariable> + '_ {
        self.bits.iter().map(|b| BddVariable::from_index(2 * b))
    }

    /// Returns the variable's value for given values of its diagram variables.
    pub(crate) fn value(&self, bit: &impl Fn(BddVariable) -> bool) -> i64 {
        let bits = self.bits.len();
        let unsigned: i64 = self.now().enumerate().map(|(k, v)| i64::from(bit(v)) << k).sum();
        match self.low < 0 && unsigned >> (bits - 1) & 1 == 1 {
            true => unsigned - (1 << bits),
            false => unsigned,
        }
    }

    /// The diagram variables of the variable's next value.
    pub fn next(&self) -> impl Iterator<Item = BddVariable> + '_ {
        self.bits.iter().map(|b| BddVariable::from_index(2 * b + 1))
    }
}

/// The space of all variables of a library.
#[derive(Debug, Clone)]
pub struct Space {
    variables: BddVariableSet,
    bits: usize,
    spare: usize,
    /// Globals.
    pub globals: Vec<Field>,
    /// Locals of each function, parameters first.
    pub locals: Vec<Vec<Field>>,
}

impl Space {
    /// The space of a library.
    ///
    /// # Errors
    ///
    /// The variables have too many bits.
    pub fn new(library: &Library) -> Result<Self, Problem> {
        let mut fields: Vec<Field> = Vec::new();
        let mut offsets = Vec::new();
        for function in &library.functions {
            offsets.push(fields.len());
            fields.extend(function.locals.iter().map(field));
        }
        let locals = fields.len();
        fields.extend(library.globals.iter().map(field));
        let bits: usize = fields.iter().map(|f| f.range().bits() as usize).sum();
        if bits > MOST_BITS {
            let message = format!(
                "the variables have {bits} bits; at most {MOST_BITS} are possible: use smaller types or arrays"
            );
            return Err(Problem::new(library.places.module, message));
        }
        let mut groups = Groups { parent: (0..fields.len()).collect() };
        for (function, offset) in library.functions.iter().zip(&offsets) {
            let index = |v: VarId| match v.0 < library.globals.len() {
                true => locals + v.0,
                false => offset + v.0 - library.globals.len(),
            };
            relate(function, &mut groups, &index);
        }
        for e in [&library.initial, &library.error] {
            relate_parts(e, &mut groups, &|v: VarId| locals + v.0);
        }
        allocate(&mut fields, &mut groups, locals);
        let mut out = Vec::new();
        let globals = fields.split_off(locals);
        for offset in offsets.into_iter().rev() {
            out.push(fields.split_off(offset));
        }
        out.reverse();
        let mut updates = library.functions.iter().flat_map(|f| &f.rules).flat_map(|r| &r.updates);
        let has_any = updates.any(|(_, update)| matches!(update, Update::Any(..)));
        let spare = if has_any { SPARE } else { 0 };
        // `MOST_BITS` is far below the maximum of 16 bits.
        let variables = BddVariableSet::new_anonymous((2 * bits + spare) as u16);
        Ok(Self { variables, bits, spare, globals, locals: out })
    }

    /// The set of no states.
    pub fn nothing(&self) -> Bdd {
        self.variables.mk_false()
    }

    /// The set of all states, including those out of range.
    pub fn everything(&self) -> Bdd {
        self.variables.mk_true()
    }

    /// A single diagram variable.
    pub(crate) fn variable(&self, v: BddVariable) -> Bdd {
        self.variables.mk_var(v)
    }

    /// The number of diagram variables.
    pub(crate) fn size(&self) -> usize {
        2 * self.bits + self.spare
    }

    /// Returns the diagram variables that do not belong to a variable of the library.
    pub(crate) fn spare(&self) -> impl Iterator<Item = BddVariable> {
        (2 * self.bits..self.size()).map(BddVariable::from_index)
    }

    /// The conjunction of some literals.
    pub(crate) fn literals(&self, literals: &[(BddVariable, bool)]) -> Bdd {
        self.variables.mk_conjunctive_clause(&BddPartialValuation::from_values(literals))
    }

    /// A variable in the scope of a function, or of the globals alone.
    pub fn field(&self, function: Option<usize>, v: VarId) -> &Field {
        match self.globals.get(v.0) {
            Some(f) => f,
            None => &self.locals[function.unwrap_or_default()][v.0 - self.globals.len()],
        }
    }

    /// Moves a set over current values to next values, or back, for the bits that `moved` selects. Only neighbours in
    /// the order are swapped, so the order of the diagram does not change.
    pub(crate) fn moved(set: &Bdd, moved: &[bool], to_next: bool) -> Bdd {
        let rename = |mut node: BddNode| {
            let v = node.var.to_index();
            if !node.is_terminal() && moved[v / 2] {
                node.var = BddVariable::from_index(v / 2 * 2 + usize::from(to_next));
            }
            node
        };
        let nodes: Vec<BddNode> = set.clone().to_nodes().into_iter().map(rename).collect();
        Bdd::from_nodes(&nodes).expect("renaming to a neighbour keeps the order")
    }

    /// The number of states in a set over globals, if it fits.
    pub fn count(&self, set: &Bdd) -> Option<u128> {
        let bits: usize = self.globals.iter().map(|f| f.bits.len()).sum();
        let all = set.exact_cardinality() >> (self.size() - bits);
        u128::try_from(all).ok()
    }
}

/// A variable without its bits.
fn field(v: &crate::library::Variable) -> Field {
    Field { name: v.name.clone(), bits: Vec::new(), low: v.low, high: v.high }
}

/// Sets of variables that are interleaved: union and find.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn find(&mut self, mut v: usize) -> usize {
        while self.parent[v] != v {
            self.parent[v] = self.parent[self.parent[v]];
            v = self.parent[v];
        }
        v
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }
}

/// Joins the variables of each atom and of each update of a function.
fn relate(function: &Function, groups: &mut Groups, index: &impl Fn(VarId) -> usize) {
    for rule in &function.rules {
        relate_parts(&rule.guard, groups, index);
        for (v, update) in &rule.updates {
            if let Update::Value(e) = update {
                e.variables(&mut |u| groups.join(index(*v), index(u)));
            }
        }
    }
}

/// Joins the variables of each atom of a condition.
fn relate_parts(expr: &Expr, groups: &mut Groups, index: &impl Fn(VarId) -> usize) {
    use crate::library::{BinaryOp, UnaryOp};
    match expr {
        Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
            relate_parts(a, groups, index);
            relate_parts(b, groups, index);
        }
        Expr::Unary(UnaryOp::Not, a) => relate_parts(a, groups, index),
        atom => {
            let mut first = None;
            atom.variables(&mut |v| {
                let v = index(v);
                groups.join(*first.get_or_insert(v), v);
            });
        }
    }
}

/// Gives each variable its bits. The first `locals` fields are locals.
fn allocate(fields: &mut [Field], groups: &mut Groups, locals: usize) {
    let mut order: Vec<Vec<usize>> = Vec::new();
    let mut group_of: Vec<Option<usize>> = vec![None; fields.len()];
    for v in 0..fields.len() {
        let root = groups.find(v);
        match group_of[root] {
            Some(g) => order[g].push(v),
            None => {
                group_of[root] = Some(order.len());
                order.push(vec![v]);
            }
        }
    }
    // Groups that have only locals come first. The sort is stable.
    order.sort_by_key(|group| group.iter().any(|v| *v >= locals));
    let mut next = 0;
    for group in order {
        let widths: Vec<usize> = group.iter().map(|v| fields[*v].range().bits() as usize).collect();
        for bit in (0..widths.iter().copied().max().unwrap_or(0)).rev() {
            for (v, width) in group.iter().zip(&widths) {
                if bit < *width {
                    fields[*v].bits.insert(0, next);
                    next += 1;
                }
            }
        }
    }
}
