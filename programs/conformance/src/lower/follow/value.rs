//! Values that are followed: constants, addresses, and terms over undecided values.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use canonical::{Binary, FunctionId, IntRank, IntType, StringId, Unary, VariableId, fold};

/// The maximum number of operators in one term. A larger term stands for any value.
const TERM: usize = 10;

/// The maximum number of values that a fact excludes.
const EXCLUDED: usize = 64;

/// An object in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// A variable of the program or of a file.
    Static(VariableId),
    /// A variable of an activation. The depth of the activation identifies it.
    Local(usize, VariableId),
    /// A string literal.
    Text(StringId),
    /// Memory that a call allocates.
    Heap(FunctionId, usize),
}

/// The origin of an undecided value, which may be any value of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Input {
    /// The result of a call in an activation: the depth of the activation, the function, and the edge.
    Call(usize, FunctionId, usize),
    /// Bits of an object that have not been assigned.
    Cell(Base, i64),
}

/// A calculation with undecided values.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// An undecided value.
    Input(Input, IntType),
    /// An operator with one operand.
    Unary(Unary, Val, IntType),
    /// An operator with two operands, and its type.
    Binary(Binary, Val, Val, IntType),
    /// A conversion that may change the value.
    Cast(Val, IntType),
}

/// The bits of an object, by position: their number and their value. An integer is not negative here.
pub type Cells = BTreeMap<i64, (i64, Val)>;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Val {
    /// An integer, or a null pointer.
    Int(i128),
    /// The address of a byte of an object.
    Pointer(Base, i64),
    /// An address in an object. It is lost if it was calculated from lost values.
    Within(Base, bool),
    /// The address of a function.
    Function(FunctionId),
    /// A calculation with open values.
    Term(Rc<Term>),
    /// The bits of a struct or an array.
    Block(Rc<Cells>),
    /// Any value, which comes from outside.
    Any,
    /// A value that the program calculates from its own values and that is not followed.
    Lost,
}

/// The values that a term may have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Range {
    /// The least.
    pub least: i128,
    /// The greatest value.
    pub greatest: i128,
    /// Values between the least and the greatest one that the term does not have.
    pub excluded: BTreeSet<i128>,
}

impl Range {
    fn of(int: IntType) -> Self {
        let (least, greatest) = int.range();
        Self { least, greatest, excluded: BTreeSet::new() }
    }

    fn between(least: i128, greatest: i128) -> Self {
        Self { least, greatest, excluded: BTreeSet::new() }
    }

    fn meet(&mut self, other: &Self) {
        self.least = self.least.max(other.least);
        self.greatest = self.greatest.min(other.greatest);
        self.excluded.extend(&other.excluded);
        self.trim();
    }

    fn trim(&mut self) {
        while self.least <= self.greatest && self.excluded.contains(&self.least) {
            self.least += 1;
        }
        while self.least <= self.greatest && self.excluded.contains(&self.greatest) {
            self.greatest -= 1;
        }
        let (least, greatest) = (self.least, self.greatest);
        self.excluded.retain(|value| (least..=greatest).contains(value));
    }

    /// Returns true if the range has no values.
    pub fn is_empty(&self) -> bool {
        self.least > self.greatest
    }

    fn has(&self, value: i128) -> bool {
        (self.least..=self.greatest).contains(&value) && !self.excluded.contains(&value)
    }

    /// Returns all values of the range, if there are at most `most`.
    pub fn values(&self, most: i128) -> Option<Vec<i128>> {
        let few = self.greatest.checked_sub(self.least)? < most;
        few.then(|| (self.least..=self.greatest).filter(|value| self.has(*value)).collect())
    }
}

/// The ranges to which conditions restrict terms.
pub type Facts = BTreeMap<Rc<Term>, Range>;

impl Term {
    fn size(&self) -> usize {
        let of = |value: &Val| if let Val::Term(term) = value { term.size() } else { 0 };
        match self {
            Self::Input(..) => 1,
            Self::Unary(_, value, _) | Self::Cast(value, _) => 1 + of(value),
            Self::Binary(_, left, right, _) => 1 + of(left) + of(right),
        }
    }

    /// Returns the term with one undecided value replaced by another.
    pub fn renamed(self: &Rc<Self>, from: Input, to: Input) -> Rc<Self> {
        let of = |value: &Val| match value {
            Val::Term(term) => Val::Term(term.renamed(from, to)),
            other => other.clone(),
        };
        match &**self {
            Self::Input(own, int) if *own == from => Rc::new(Self::Input(to, *int)),
            Self::Input(..) => Rc::clone(self),
            Self::Unary(operator, value, int) => Rc::new(Self::Unary(*operator, of(value), *int)),
            Self::Cast(value, int) => Rc::new(Self::Cast(of(value), *int)),
            Self::Binary(operator, left, right, int) => {
                Rc::new(Self::Binary(*operator, of(left), of(right), *int))
            }
        }
    }

    /// Returns true if the term contains an undecided value.
    pub fn has(&self, input: Input) -> bool {
        let mut found = false;
        self.inputs(&mut |own| found |= own == input);
        found
    }

    /// Calls a function for each undecided value in the term.
    pub fn inputs(&self, visit: &mut impl FnMut(Input)) {
        let mut of = |value: &Val| {
            if let Val::Term(term) = value {
                term.inputs(visit);
            }
        };
        match self {
            Self::Input(input, _) => visit(*input),
            Self::Unary(_, value, _) | Self::Cast(value, _) => of(value),
            Self::Binary(_, left, right, _) => {
                of(left);
                of(right);
            }
        }
    }

    /// Returns the upper bits of a term with a number of bits; `None` if it is not a C integer.
    pub fn part(term: &Rc<Self>, bits: i64, from: i64) -> Option<Val> {
        let int = match bits {
            8 => IntType::BYTE,
            16 => IntType { rank: IntRank::Short, signed: false },
            32 => IntType::UNSIGNED,
            64 => IntType::SIZE,
            _ => return None,
        };
        let whole = convert(Val::Term(Rc::clone(term)), int, &Facts::new());
        match from {
            0 => Some(whole),
            _ => Some(binary(Binary::ShiftRight, whole, Val::Int(from.into()), int, &Facts::new())),
        }
    }

    fn value(self) -> Val {
        if self.size() > TERM { Val::Any } else { Val::Term(Rc::new(self)) }
    }
}

/// The range of a term.
pub fn range(term: &Rc<Term>, facts: &Facts) -> Range {
    let mut range = match &**term {
        Term::Input(_, int) | Term::Cast(_, int) | Term::Unary(_, _, int) => Range::of(*int),
        Term::Binary(operator, ..) if operator.is_comparison() => Range::between(0, 1),
        Term::Binary(Binary::And, left, right, int) => match (left, right) {
            (_, Val::Int(mask)) | (Val::Int(mask), _) if *mask >= 0 => Range::between(0, *mask),
            _ => Range::of(*int),
        },
        Term::Binary(Binary::Remainder, left, Val::Int(by), int) if *by > 0 => {
            let is_positive = match left {
                Val::Term(left) => self::range(left, facts).least >= 0,
                _ => !int.signed,
            };
            Range::between(if is_positive { 0 } else { 1 - by }, by - 1)
        }
        Term::Binary(operator, left, right, int) => {
            arithmetic(*operator, left, right, *int, facts).unwrap_or_else(|| Range::of(*int))
        }
    };
    if let Term::Unary(Unary::Not, ..) = &**term {
        range = Range::between(0, 1);
    }
    if let Some(known) = facts.get(term) {
        range.meet(known);
    }
    range
}

/// Returns the range of a sum, a difference or a product from the ranges of its operands; `None` if it may exceed the
/// type.
fn arithmetic(
    operator: Binary,
    left: &Val,
    right: &Val,
    int: IntType,
    facts: &Facts,
) -> Option<Range> {
    let ends = |value: &Val| match value {
        Val::Int(value) => Some([*value; 2]),
        Val::Term(term) => {
            let range = range(term, facts);
            Some([range.least, range.greatest])
        }
        _ => None,
    };
    let apply = match operator {
        Binary::Add => i128::checked_add,
        Binary::Subtract => i128::checked_sub,
        Binary::Multiply => i128::checked_mul,
        _ => return None,
    };
    let (left, right) = (ends(left)?, ends(right)?);
    let corners = left.into_iter().flat_map(|a| right.map(|b| apply(a, b)));
    let corners: Vec<i128> = corners.collect::<Option<_>>()?;
    let (least, greatest) = (*corners.iter().min()?, *corners.iter().max()?);
    (int.contains(least) && int.contains(greatest)).then(|| Range::between(least, greatest))
}

/// Returns a value; a constant if the facts leave only one value.
pub fn settled(value: Val, facts: &Facts) -> Val {
    if let Val::Term(term) = &value {
        let range = range(term, facts);
        if range.least == range.greatest {
            return Val::Int(range.least);
        }
    }
    value
}

/// A value converted to an integer type.
pub fn convert(value: Val, int: IntType, facts: &Facts) -> Val {
    match value {
        Val::Int(value) => Val::Int(int.convert(value)),
        Val::Term(term) => {
            let range = range(&term, facts);
            if int.contains(range.least) && int.contains(range.greatest) {
                return Val::Term(term);
            }
            if int == IntType::BOOL {
                return binary(Binary::NotEqual, Val::Term(term), Val::Int(0), int, facts);
            }
            Term::Cast(Val::Term(term), int).value()
        }
        // A pointer that was converted to an integer is the same pointer when it is converted back.
        Val::Pointer(..) | Val::Within(..) | Val::Function(_) if int.bits() == 64 => value,
        Val::Pointer(..) | Val::Function(_) if int == IntType::BOOL => Val::Int(1),
        Val::Any => Val::Any,
        _ => Val::Lost,
    }
}

/// The value of an operator on unknown operands.
pub fn unknown(left: &Val, right: &Val) -> Val {
    let is_open = |value: &Val| matches!(value, Val::Any | Val::Term(_) | Val::Within(_, false));
    if is_open(left) || is_open(right) { Val::Any } else { Val::Lost }
}

/// The value of an operator on two integers of a type.
pub fn binary(operator: Binary, left: Val, right: Val, int: IntType, facts: &Facts) -> Val {
    match (&left, &right) {
        (Val::Int(a), Val::Int(b)) => {
            if operator.is_comparison() {
                return Val::Int(i128::from(fold::compare(operator, a, b)));
            }
            fold::integers(operator, *a, *b, int).map_or(Val::Lost, Val::Int)
        }
        (Val::Int(0), _) | (_, Val::Int(0)) if operator == Binary::And => Val::Int(0),
        (Val::Term(a), Val::Term(b)) if a == b && operator.is_comparison() => {
            Val::Int(i128::from(fold::compare(operator, &0, &0)))
        }
        (Val::Term(_) | Val::Int(_), Val::Term(_) | Val::Int(_)) => {
            if operator.is_comparison()
                && let Some(truth) = compare(operator, &left, &right, facts)
            {
                return Val::Int(i128::from(truth));
            }
            settled(Term::Binary(operator, left, right, int).value(), facts)
        }
        _ => unknown(&left, &right),
    }
}

/// The truth of a comparison by the ranges of its operands.
fn compare(operator: Binary, left: &Val, right: &Val, facts: &Facts) -> Option<bool> {
    let of = |value: &Val| match value {
        Val::Int(value) => Some(Range::between(*value, *value)),
        Val::Term(term) => Some(range(term, facts)),
        _ => None,
    };
    let (a, b) = (of(left)?, of(right)?);
    let always = |yes: bool, no: bool| match (yes, no) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    let is_single = |range: &Range| range.least == range.greatest;
    let apart = a.greatest < b.least
        || b.greatest < a.least
        || is_single(&b) && a.excluded.contains(&b.least)
        || is_single(&a) && b.excluded.contains(&a.least);
    let same = is_single(&a) && is_single(&b) && a.least == b.least;
    match operator {
        Binary::Less => always(a.greatest < b.least, a.least >= b.greatest),
        Binary::LessEqual => always(a.greatest <= b.least, a.least > b.greatest),
        Binary::Greater => always(a.least > b.greatest, a.greatest <= b.least),
        Binary::GreaterEqual => always(a.least >= b.greatest, a.greatest < b.least),
        Binary::Equal => always(same, apart),
        Binary::NotEqual => always(apart, same),
        _ => None,
    }
}

/// The value of an operator on an integer.
pub fn unary(operator: Unary, value: Val, int: IntType, facts: &Facts) -> Val {
    match value {
        Val::Int(value) => fold::integer(operator, value, int).map_or(Val::Lost, Val::Int),
        Val::Term(_) if operator == Unary::Not => {
            binary(Binary::Equal, value, Val::Int(0), int, facts)
        }
        Val::Term(_) => settled(Term::Unary(operator, value, int).value(), facts),
        Val::Pointer(..) | Val::Function(_) if operator == Unary::Not => Val::Int(0),
        Val::Any | Val::Within(_, false) => Val::Any,
        _ => Val::Lost,
    }
}

/// The truth of a condition.
pub fn truth(value: &Val, facts: &Facts) -> Option<bool> {
    match value {
        Val::Int(value) => Some(*value != 0),
        Val::Pointer(..) | Val::Within(..) | Val::Function(_) => Some(true),
        Val::Term(term) => {
            let range = range(term, facts);
            match (range.has(0), range.least == range.greatest) {
                (false, _) => Some(true),
                (true, true) => Some(false),
                (true, false) => None,
            }
        }
        _ => None,
    }
}

/// Adds the fact that a condition holds or does not hold; returns false if that is impossible.
pub fn assume(value: &Val, holds: bool, facts: &mut Facts) -> bool {
    let Val::Term(term) = value else { return true };
    // Both sides of a conjunction hold, as in "none of these cases".
    if let Term::Binary(Binary::And, left, right, _) = &**term
        && holds
        && is_truth(left)
        && is_truth(right)
        && !(assume(left, true, facts) && assume(right, true, facts))
    {
        return false;
    }
    if let Term::Binary(operator, left, right, _) = &**term
        && operator.is_comparison()
    {
        let narrowed = match (left, right) {
            (Val::Term(own), Val::Int(c)) => narrow(own, *operator, *c, holds, facts),
            (Val::Int(c), Val::Term(own)) => narrow(own, operator.mirrored(), *c, holds, facts),
            _ => true,
        };
        if !narrowed {
            return false;
        }
    }
    let operator = if holds { Binary::NotEqual } else { Binary::Equal };
    narrow(term, operator, 0, true, facts)
}

/// Returns true for a condition, which is 0 or 1.
fn is_truth(value: &Val) -> bool {
    match value {
        Val::Term(term) => match &**term {
            Term::Binary(Binary::And, left, right, _) => is_truth(left) && is_truth(right),
            Term::Binary(operator, ..) => operator.is_comparison(),
            Term::Unary(operator, ..) => *operator == Unary::Not,
            _ => false,
        },
        _ => false,
    }
}

fn narrow(term: &Rc<Term>, operator: Binary, c: i128, holds: bool, facts: &mut Facts) -> bool {
    let mut range = range(term, facts);
    match (operator, holds) {
        (Binary::Equal, true) | (Binary::NotEqual, false) => {
            if !range.has(c) {
                return false;
            }
            range = Range::between(c, c);
        }
        (Binary::Equal, false) | (Binary::NotEqual, true) => {
            if range.excluded.len() < EXCLUDED || c == range.least || c == range.greatest {
                range.excluded.insert(c);
            }
        }
        (Binary::Less, true) | (Binary::GreaterEqual, false) => {
            range.greatest = range.greatest.min(c.saturating_sub(1));
        }
        (Binary::LessEqual, true) | (Binary::Greater, false) => {
            range.greatest = range.greatest.min(c);
        }
        (Binary::Greater, true) | (Binary::LessEqual, false) => {
            range.least = range.least.max(c.saturating_add(1));
        }
        (Binary::GreaterEqual, true) | (Binary::Less, false) => {
            range.least = range.least.max(c);
        }
        _ => return true,
    }
    range.trim();
    if range.is_empty() {
        return false;
    }
    let single = (range.least == range.greatest).then_some(range.least);
    facts.insert(Rc::clone(term), range);
    // The value of the operand follows from the value of the sum.
    match (&**term, single) {
        (Term::Binary(Binary::Add, Val::Term(own), Val::Int(k), int), Some(sum))
        | (Term::Binary(Binary::Add, Val::Int(k), Val::Term(own), int), Some(sum))
            if sum.checked_sub(*k).is_some_and(|value| int.contains(value)) =>
        {
            narrow(own, Binary::Equal, sum - k, true, facts)
        }
        (Term::Binary(Binary::Subtract, Val::Term(own), Val::Int(k), int), Some(rest))
            if rest.checked_add(*k).is_some_and(|value| int.contains(value)) =>
        {
            narrow(own, Binary::Equal, rest + k, true, facts)
        }
        _ => true,
    }
}
