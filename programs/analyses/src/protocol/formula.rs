//! Formulas over memory, which are the only information that analyses exchange. They are quantifier-free and in SMT-LIB
//! 2.
//!
//! A value in memory is the application of the name of its type to a segment and an offset, `(i32 3 0)`
//! (arXiv:1511.02415, 2.5 and 2.6). Numbers are mathematical integers.

use std::fmt;

/// The interpretation of bytes (2.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interpretation {
    /// An integer: its number of bits (8, 16, 32, 64 or 128), and true if it is signed.
    Int(u8, bool),
    /// A floating-point number of 32 or 64 bits.
    Float(u8),
    /// The segment of a pointer.
    Segment,
    /// The offset of a pointer.
    Offset,
}

/// A typed value in memory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dereference {
    /// The segment: a number, or the segment of a pointer.
    pub segment: Box<Term>,
    /// The offset in bytes.
    pub offset: Box<Term>,
    /// The interpretation.
    pub ty: Interpretation,
}

/// A term.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// A number.
    Number(i128),
    /// A value in memory.
    Dereference(Dereference),
    /// A sum.
    Add(Vec<Term>),
    /// A difference; with a single term, its negation.
    Subtract(Vec<Term>),
    /// A product.
    Multiply(Vec<Term>),
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// `=`
    Equal,
    /// `<=`
    LessEqual,
    /// `<`
    Less,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
}

/// A formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula {
    /// `true`: nothing is known.
    True,
    /// `false`: no execution is known.
    False,
    /// All of them hold.
    And(Vec<Formula>),
    /// One of them holds.
    Or(Vec<Formula>),
    /// It does not hold.
    Not(Box<Formula>),
    /// Two terms compared.
    Compare(Relation, Term, Term),
}

impl Dereference {
    /// Returns a basic dereference of an identifier's segment at a constant offset.
    pub fn basic(segment: u32, offset: u64, ty: Interpretation) -> Self {
        let number = |n: i128| Box::new(Term::Number(n));
        Self { segment: number(segment.into()), offset: number(offset.into()), ty }
    }

    /// The segment and the offset, if the dereference is basic.
    pub fn as_basic(&self) -> Option<(u32, u64)> {
        match (&*self.segment, &*self.offset) {
            (Term::Number(s), Term::Number(o)) => {
                Some((u32::try_from(*s).ok()?, u64::try_from(*o).ok()?))
            }
            _ => None,
        }
    }
}

impl Relation {
    /// The symbol, in SMT-LIB and for people: `<=`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::LessEqual => "<=",
            Self::Less => "<",
            Self::GreaterEqual => ">=",
            Self::Greater => ">",
        }
    }
}

impl Formula {
    /// The conjunction of formulas.
    pub fn and(parts: Vec<Formula>) -> Self {
        if parts.contains(&Self::False) {
            return Self::False;
        }
        let mut parts: Vec<_> = parts.into_iter().filter(|part| *part != Self::True).collect();
        match parts.len() {
            0 => Self::True,
            1 => parts.remove(0),
            _ => Self::And(parts),
        }
    }

    /// The disjunction of formulas.
    pub fn or(parts: Vec<Formula>) -> Self {
        if parts.contains(&Self::True) {
            return Self::True;
        }
        let mut parts: Vec<_> = parts.into_iter().filter(|part| *part != Self::False).collect();
        match parts.len() {
            0 => Self::False,
            1 => parts.remove(0),
            _ => Self::Or(parts),
        }
    }
}

impl Interpretation {
    /// The name: `i32`, `u8`, `f64`, `seg`, `off`.
    pub fn name(self) -> String {
        match self {
            Self::Int(bits, true) => format!("i{bits}"),
            Self::Int(bits, false) => format!("u{bits}"),
            Self::Float(bits) => format!("f{bits}"),
            Self::Segment => "seg".to_owned(),
            Self::Offset => "off".to_owned(),
        }
    }

    /// The interpretation of a name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "i8" => Self::Int(8, true),
            "i16" => Self::Int(16, true),
            "i32" => Self::Int(32, true),
            "i64" => Self::Int(64, true),
            "i128" => Self::Int(128, true),
            "u8" => Self::Int(8, false),
            "u16" => Self::Int(16, false),
            "u32" => Self::Int(32, false),
            "u64" => Self::Int(64, false),
            "f32" => Self::Float(32),
            "f64" => Self::Float(64),
            "seg" => Self::Segment,
            "off" => Self::Offset,
            _ => return None,
        })
    }
}

/// Writes `(name part part)`.
fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, name: &str, parts: &[T]) -> fmt::Result {
    write!(f, "({name}")?;
    for part in parts {
        write!(f, " {part}")?;
    }
    f.write_str(")")
}

impl fmt::Display for Dereference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({} {} {})", self.ty.name(), self.segment, self.offset)
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(n) if *n < 0 => write!(f, "(- {})", n.unsigned_abs()),
            Self::Number(n) => write!(f, "{n}"),
            Self::Dereference(dereference) => dereference.fmt(f),
            Self::Add(terms) => list(f, "+", terms),
            Self::Subtract(terms) => list(f, "-", terms),
            Self::Multiply(terms) => list(f, "*", terms),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::True => f.write_str("true"),
            Self::False => f.write_str("false"),
            Self::And(parts) => list(f, "and", parts),
            Self::Or(parts) => list(f, "or", parts),
            Self::Not(part) => write!(f, "(not {part})"),
            Self::Compare(relation, a, b) => {
                write!(f, "({} {a} {b})", relation.symbol())
            }
        }
    }
}
