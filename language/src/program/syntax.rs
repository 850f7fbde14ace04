//! The syntax tree of normalization programs, as in [FSE 2010], section 2, with the extensions that `docs/language.md`
//! describes.
//!
//! [FSE 2010]: https://doi.org/10.1145/1882291.1882332

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::callee::Callee;
use super::id::FieldId;
use super::source::{Source, Span};
use super::views::{Source as ViewSource, StoredLength, View};
use super::walk::Walk;

/// A bounded integer type. Values are mathematical integers inside its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum IntType {
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    I64,
}

impl IntType {
    /// All types, unsigned first.
    pub const ALL: [Self; 8] =
        [Self::U8, Self::U16, Self::U32, Self::U64, Self::I8, Self::I16, Self::I32, Self::I64];

    /// Its name in a spec.
    pub fn name(self) -> &'static str {
        match self {
            IntType::U8 => "u8",
            IntType::U16 => "u16",
            IntType::U32 => "u32",
            IntType::U64 => "u64",
            IntType::I8 => "i8",
            IntType::I16 => "i16",
            IntType::I32 => "i32",
            IntType::I64 => "i64",
        }
    }

    /// Its least and greatest value.
    pub fn range(self) -> (i128, i128) {
        match self {
            IntType::U8 => (0, u8::MAX.into()),
            IntType::U16 => (0, u16::MAX.into()),
            IntType::U32 => (0, u32::MAX.into()),
            IntType::U64 => (0, u64::MAX.into()),
            IntType::I8 => (i8::MIN.into(), i8::MAX.into()),
            IntType::I16 => (i16::MIN.into(), i16::MAX.into()),
            IntType::I32 => (i32::MIN.into(), i32::MAX.into()),
            IntType::I64 => (i64::MIN.into(), i64::MAX.into()),
        }
    }
}

/// The record to which a reference belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    /// The representation.
    Input,
    /// The canonical value.
    Output,
}

/// A record type with the name it is bound to in the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordType {
    /// The struct's name.
    pub type_name: String,
    /// The parameter's name: `x` in `fn normalize(x: &Strips, ..)`.
    pub binder: String,
    /// The fields, in the order written.
    pub fields: Vec<Field>,
}

impl RecordType {
    /// The fields with their identifiers.
    pub fn indexed(&self) -> impl Iterator<Item = (FieldId, &Field)> + Clone {
        self.fields.iter().enumerate().map(|(k, f)| (FieldId(k), f))
    }

    /// The place of the field `name`.
    pub fn field(&self, name: &str) -> Option<FieldId> {
        self.fields.iter().position(|f| f.name == name).map(FieldId)
    }
}

/// A scalar or an array of one to three dimensions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The type of the scalar or of the elements.
    pub int: IntType,
    /// The lengths of an array's dimensions, outermost first; empty for a scalar.
    pub lengths: Vec<Length>,
    /// The name of one element in the names of dimensions (`#[element("strip")]`).
    pub element: Option<String>,
    /// The place of its declaration.
    pub span: Span,
}

impl Field {
    /// Returns true if it is a scalar.
    pub fn is_scalar(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Returns its part of the names of dimensions: the element's name if it has one.
    pub fn dimension(&self) -> &str {
        self.element.as_deref().unwrap_or(&self.name)
    }

    /// Returns the name of the dimension that decides how many elements an array of free length has beyond those in
    /// use, along its `k`-th dimension, counted from 0.
    pub fn tail(&self, k: usize) -> String {
        match self.lengths.len() {
            1 => format!("{} tail", self.dimension()),
            _ => format!("{} tail {k}", self.dimension()),
        }
    }
}

/// The length of an array's dimension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Length {
    /// Not determined by the spec: at least one more than the largest index in use.
    Free,
    /// Given by an expression over the record's scalars.
    Is(Expr),
}

/// A loop variable, by its place in [`Program::vars`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct VarId(pub usize);

/// A scalar, or an element of an array.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ref {
    /// The record.
    pub side: Side,
    /// The field's place in the record.
    pub field: FieldId,
    /// One index for each dimension; empty for a scalar.
    pub index: Vec<Expr>,
    /// Its place in the text.
    pub span: Span,
}

impl PartialEq for Ref {
    // The place in the text is not part of its identity.
    fn eq(&self, other: &Self) -> bool {
        self.side == other.side && self.field == other.field && self.index == other.index
    }
}

impl Eq for Ref {}
impl Hash for Ref {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.side, self.field, &self.index).hash(state);
    }
}

/// The operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Op {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
    /// `div_ceil(a, b)`: the least integer not below `a / b`; `b` at least 1.
    DivCeil,
    /// `a / b`: the greatest integer not above the quotient; `b` at least 1.
    Div,
    /// `a % b`: `a - b * (a / b)`; `b` at least 1.
    Rem,
}

/// An integer expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Expr {
    /// A numeral.
    Int(i128),
    /// A loop variable.
    Var(VarId),
    /// A scalar or an element.
    Ref(Ref),
    /// An operator with its operands.
    Bin(Op, Box<Expr>, Box<Expr>),
}

impl Expr {
    /// `op(a, b)`.
    pub fn bin(op: Op, a: Expr, b: Expr) -> Expr {
        Expr::Bin(op, Box::new(a), Box::new(b))
    }

    /// Returns the number of numerals, variables, references and operators in it.
    pub fn size(&self) -> usize {
        match self {
            Expr::Int(_) | Expr::Var(_) => 1,
            Expr::Ref(r) => 1 + r.index.iter().map(Expr::size).sum::<usize>(),
            Expr::Bin(_, a, b) => 1 + a.size() + b.size(),
        }
    }
}

/// The comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Cmp {
    /// Returns the opposite comparison.
    pub fn negated(self) -> Cmp {
        match self {
            Cmp::Eq => Cmp::Ne,
            Cmp::Ne => Cmp::Eq,
            Cmp::Lt => Cmp::Ge,
            Cmp::Le => Cmp::Gt,
            Cmp::Gt => Cmp::Le,
            Cmp::Ge => Cmp::Lt,
        }
    }

    /// Returns the comparison that holds for exchanged, or negated, operands.
    pub fn mirrored(self) -> Cmp {
        match self {
            Cmp::Lt => Cmp::Gt,
            Cmp::Le => Cmp::Ge,
            Cmp::Gt => Cmp::Lt,
            Cmp::Ge => Cmp::Le,
            Cmp::Eq | Cmp::Ne => self,
        }
    }

    /// Returns true if it holds for two numbers that compare as `order`.
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        match self {
            Cmp::Eq => order == Equal,
            Cmp::Ne => order != Equal,
            Cmp::Lt => order == Less,
            Cmp::Le => order != Greater,
            Cmp::Gt => order == Greater,
            Cmp::Ge => order != Less,
        }
    }
}

/// A predicate.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Pred {
    /// Always, or never.
    Const(bool),
    /// A comparison.
    Cmp(Cmp, Expr, Expr),
    /// All of them.
    And(Vec<Pred>),
    /// At least one of them.
    Or(Vec<Pred>),
    /// For every value of the variable from 0 to below the count. Only inversion creates it; specs have no quantifiers.
    All(VarId, Box<Expr>, Box<Pred>),
}

impl Pred {
    /// `a cmp b`.
    pub fn cmp(cmp: Cmp, a: Expr, b: Expr) -> Pred {
        Pred::Cmp(cmp, a, b)
    }

    /// The conjunction, flattened.
    pub fn and(preds: impl IntoIterator<Item = Pred>) -> Pred {
        let mut all = Vec::new();
        for pred in preds {
            match pred {
                Pred::Const(true) => {}
                Pred::Const(false) => return Pred::Const(false),
                Pred::And(inner) => all.extend(inner),
                other => all.push(other),
            }
        }
        match all.len() {
            0 => Pred::Const(true),
            1 => all.remove(0),
            _ => Pred::And(all),
        }
    }

    /// The disjunction, flattened.
    pub fn or(preds: impl IntoIterator<Item = Pred>) -> Pred {
        let mut any = Vec::new();
        for pred in preds {
            match pred {
                Pred::Const(false) => {}
                Pred::Const(true) => return Pred::Const(true),
                Pred::Or(inner) => any.extend(inner),
                other => any.push(other),
            }
        }
        match any.len() {
            0 => Pred::Const(false),
            1 => any.remove(0),
            _ => Pred::Or(any),
        }
    }

    /// Returns the negation.
    ///
    /// # Panics
    ///
    /// Panics if it contains a quantifier. The predicates of specs have none.
    pub fn negated(&self) -> Pred {
        match self {
            Pred::Const(b) => Pred::Const(!b),
            Pred::Cmp(c, a, b) => Pred::Cmp(c.negated(), a.clone(), b.clone()),
            Pred::And(ps) => Pred::or(ps.iter().map(Pred::negated)),
            Pred::Or(ps) => Pred::and(ps.iter().map(Pred::negated)),
            Pred::All(..) => unreachable!("specs have no quantifier"),
        }
    }
}

/// A statement with its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stmt {
    /// The statement without its place.
    pub kind: StmtKind,
    /// Its place in the text.
    pub span: Span,
}

/// The statements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum StmtKind {
    /// `y.. = e;` Every output location is assigned exactly once, and never read.
    Assign {
        /// The output location.
        target: Ref,
        /// Its value.
        value: Expr,
    },
    /// `assume(p);` An input for which `p` fails is not a representation.
    Assume(Pred),
    /// `if p { .. } else { .. }`
    If {
        /// The guard.
        cond: Pred,
        /// The statements for inputs that satisfy it.
        then: Vec<Stmt>,
        /// The statements for other inputs.
        els: Vec<Stmt>,
    },
    /// `for i in 0..count { .. }`
    For {
        /// The loop variable.
        var: VarId,
        /// The number of iterations; zero if negative.
        count: Expr,
        /// The body.
        body: Vec<Stmt>,
    },
    /// `reserve(x.array[start..end]);` These elements belong to something that this program does not describe. The
    /// program does not read them, and reservations do not overlap.
    Reserve {
        /// The input array (of one dimension).
        field: FieldId,
        /// First index.
        start: Expr,
        /// One past the last index.
        end: Expr,
    },
    /// `y.target = primitive(x.source, args..);` A primitive decodes a whole input array, which no other statement
    /// mentions, into a whole output array.
    Decode {
        /// The output array (of one dimension).
        target: FieldId,
        /// The input array (of one dimension).
        source: FieldId,
        /// The decoder.
        primitive: Callee,
        /// The primitive's other arguments.
        args: Vec<Expr>,
    },
    /// A statement of a program with walks.
    Walk(Walk),
}

/// A normalization program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Program {
    /// The spec's name: the source's name without folders and extension, or the function's if the
    /// spec has several stages.
    pub name: String,
    /// The representation.
    pub input: RecordType,
    /// The canonical value.
    pub output: RecordType,
    /// Names of the loop variables.
    pub vars: Vec<String>,
    /// The statements; the last ones are the equations of the views.
    pub body: Vec<Stmt>,
    /// The number of statements at the end of the body that are equations of views.
    pub equations: usize,
    /// The numbers that are read from bytes, in the order in which they can be read. Their
    /// hidden scalars are the last fields of the input.
    pub views: Vec<View>,
    /// Bytes that contain the length of an array.
    pub stored_lengths: Vec<StoredLength>,
    /// True if there are walks, or variables that change, among the statements.
    pub(super) walks: bool,
    /// The text from which it was read, which is stored separately.
    #[serde(skip)]
    pub source: Arc<Source>,
}

impl Program {
    /// The record of a side.
    pub fn record(&self, side: Side) -> &RecordType {
        match side {
            Side::Input => &self.input,
            Side::Output => &self.output,
        }
    }

    /// Returns the name of an input in messages: `x.field`.
    pub fn input_name(&self, field: FieldId) -> String {
        format!("{}.{}", self.input.binder, self.input.fields[field].name)
    }

    /// Returns true if an input field is a number that is read from bytes, or an array of such numbers.
    pub fn is_hidden(&self, field: FieldId) -> bool {
        field.0 >= self.input.fields.len() - self.views.len()
    }

    /// Returns the hidden scalar that is the number of elements of an input array, if `len` of it is used.
    pub fn length_of(&self, array: FieldId) -> Option<FieldId> {
        let is_length = |v: &&View| matches!(v.source, ViewSource::Length(of) if of == array);
        self.views.iter().find(is_length).map(|view| view.field)
    }

    /// Returns true if an index into an input array may depend on the number of its elements, directly or through
    /// numbers that the spec computes. An index below 0 then means that the array is too short.
    pub fn counts_from_end(&self, r: &Ref) -> bool {
        let Some(length) = self.length_of(r.field) else { return false };
        let computed = |field: FieldId| {
            let own = self.views.iter().find(|view| view.field == field);
            own.is_some_and(|view| !matches!(view.source, ViewSource::Bytes(_)))
        };
        let depends = |r: &Ref| r.side == Side::Input && (r.field == length || computed(r.field));
        r.index.iter().any(|e| e.mentions(depends))
    }

    /// Returns true if an input array may have elements beyond those in use in its `k`-th dimension, counted from 0.
    pub fn has_tail(&self, field: FieldId, k: usize) -> bool {
        let length = self.input.fields[field].lengths.get(k);
        length == Some(&Length::Free) && !self.is_hidden(field)
    }

    /// Returns a loop variable that occurs nowhere in the program.
    pub fn fresh_var(&self) -> VarId {
        VarId(self.vars.len())
    }

    /// The field that a reference denotes.
    pub fn field(&self, r: &Ref) -> &Field {
        &self.record(r.side).fields[r.field]
    }
}
