//! Values of expressions, loads and stores in a state.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use canonical::{
    Binary, Expr, ExprKind, FunctionId, Initial, Lvalue, LvalueBase, Program, Projection, Storage,
    StringId, Type, VariableId,
};

use super::memory::{Cells, Loaded, Memory, block, load, store};
use super::value::{
    Base, Facts, Input, Term, Val, binary, convert, range, settled, unary, unknown,
};

/// The number of bits of an object whose size is not known.
const BITS: i64 = 1 << 40;

/// An activation of a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// The node.
    pub node: usize,
    /// The edge of the caller at which the function was called.
    pub call: usize,
}

/// A state of the program.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// The activations, from the outermost to the innermost.
    pub frames: Vec<Frame>,
    /// The values.
    pub memory: Memory,
    /// The facts that conditions established about undecided values.
    pub facts: Facts,
}

/// A part of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spot {
    /// Bits of an object: the position of the first bit, and the number of bits.
    At(Base, i64, i64),
    /// A part of an object. It is lost if the part was calculated from lost values.
    Within(Base, bool),
    /// The object is unknown.
    Unknown(bool),
}

/// The program, and the parts of it that are followed.
pub struct Machine<'a> {
    /// The program.
    pub source: &'a Program,
    /// The initial values of variables of the program and of files.
    initial: BTreeMap<Base, Rc<Cells>>,
    texts: BTreeMap<StringId, Rc<Cells>>,
    /// Variables that have too many values.
    pub wide: BTreeSet<VariableId>,
    /// For each part of a variable, the numbers that it has had.
    had: RefCell<BTreeMap<(VariableId, i64), BTreeSet<i128>>>,
    /// A variable that has had too many values.
    excess: Cell<Option<VariableId>>,
    /// The maximum number of values of one part of a variable.
    pub values: usize,
}

impl<'a> Machine<'a> {
    /// A machine for a program.
    pub fn new(source: &'a Program) -> Self {
        let bytes = |bytes: &[u8]| {
            let mut cells = Cells::new();
            for (at, byte) in (0..).step_by(8).zip(bytes) {
                cells.insert(at, (8, Val::Int(i128::from(*byte))));
            }
            Rc::new(cells)
        };
        let texts = source.strings.iter().enumerate();
        let texts = texts.map(|(k, text)| (StringId::new(k), bytes(text))).collect();
        let mut machine = Self {
            source,
            initial: BTreeMap::new(),
            texts,
            wide: BTreeSet::new(),
            had: RefCell::default(),
            excess: Cell::new(None),
            values: usize::MAX,
        };
        machine.begin();
        machine
    }

    /// Gives variables of static storage their initial values.
    fn begin(&mut self) {
        let mut state =
            State { frames: Vec::new(), memory: Memory::default(), facts: Facts::new() };
        for (k, variable) in self.source.variables.iter().enumerate() {
            let id = VariableId::new(k);
            let Initial::Values(values) = &variable.initial else { continue };
            let mut cells = Cells::new();
            store(&mut cells, 0, self.bits(&variable.ty), Val::Int(0));
            state.memory.objects.insert(Base::Static(id), Rc::new(cells));
            for (target, value) in values {
                let value = self.value(&mut state, value);
                let spot = self.locate(&mut state, target);
                self.write(&mut state, &spot, value);
            }
        }
        self.initial = state.memory.objects;
    }

    /// Forgets the numbers that variables have had.
    pub fn restart(&self) {
        self.had.borrow_mut().clear();
        self.excess.set(None);
    }

    /// A variable that has had too many values.
    pub fn excess(&self) -> Option<VariableId> {
        self.excess.get()
    }

    /// Counts the numbers that a part of a variable has.
    fn count(&self, id: VariableId, at: i64, number: i128) {
        let mut had = self.had.borrow_mut();
        let values = had.entry((id, at)).or_default();
        values.insert(number);
        if values.len() > self.values {
            self.excess.set(Some(id));
        }
    }

    /// The number of bits of a type.
    pub fn bits(&self, ty: &Type) -> i64 {
        let size = self.source.size(ty).and_then(|size| i64::try_from(size).ok());
        size.and_then(|size| size.checked_mul(8)).unwrap_or(BITS).min(BITS)
    }

    /// Returns the object of a variable in the innermost activation.
    pub fn base(&self, state: &State, id: VariableId) -> Base {
        match self.source.variable(id).storage {
            Storage::Global | Storage::Static => Base::Static(id),
            _ => Base::Local(state.frames.len(), id),
        }
    }

    fn object<'s>(&'s self, state: &'s State, base: Base) -> Option<&'s Rc<Cells>> {
        match base {
            Base::Text(id) => self.texts.get(&id),
            _ => state.memory.objects.get(&base).or_else(|| self.initial.get(&base)),
        }
    }

    /// The byte at an address, as an unsigned value.
    pub fn byte(&self, state: &State, base: Base, at: i64) -> Val {
        match self.object(state, base).map(|cells| load(cells, at * 8, 8)) {
            Some(Loaded::Is(value)) => value,
            _ => Val::Any,
        }
    }

    /// The text at an address, up to its zero.
    pub fn text(&self, state: &State, base: Base, at: i64) -> Option<Vec<u8>> {
        let cells = self.object(state, base)?;
        let mut text = Vec::new();
        for k in (at * 8..).step_by(8).take(100_000) {
            match load(cells, k, 8) {
                Loaded::Is(Val::Int(0)) => return Some(text),
                Loaded::Is(Val::Int(byte)) => text.push(u8::try_from(byte).ok()?),
                _ => return None,
            }
        }
        None
    }

    /// The part of memory that an lvalue denotes.
    pub fn locate(&self, state: &mut State, lvalue: &Lvalue) -> Spot {
        let (base, mut at, mut ty) = match &lvalue.base {
            LvalueBase::Variable(id) => {
                (self.base(state, *id), 0, self.source.variable(*id).ty.clone())
            }
            LvalueBase::Deref(pointer) => {
                let ty = pointer.ty.element().cloned().unwrap_or(Type::Void);
                match self.value(state, pointer) {
                    Val::Pointer(base, at) => (base, at.saturating_mul(8), ty),
                    Val::Within(base, lost) => return Spot::Within(base, lost),
                    Val::Any | Val::Term(_) => return Spot::Unknown(false),
                    _ => return Spot::Unknown(true),
                }
            }
        };
        let mut bits = None;
        for step in &lvalue.path {
            match step {
                Projection::Field(id, field) => {
                    let field = &self.source.composite(*id).fields[*field as usize];
                    at += i64::try_from(field.offset).unwrap_or(0) * 8;
                    bits = field.bits;
                    ty = field.ty.clone();
                }
                Projection::Index(index) => {
                    let element = ty.element().cloned().unwrap_or(Type::Void);
                    match self.value(state, index) {
                        Val::Int(index) => {
                            let index = i64::try_from(index).unwrap_or(0);
                            at = at.saturating_add(index.saturating_mul(self.bits(&element)));
                        }
                        Val::Any | Val::Term(_) => return Spot::Within(base, false),
                        _ => return Spot::Within(base, true),
                    }
                    ty = element;
                }
            }
        }
        match bits {
            Some(bits) => Spot::At(base, at + i64::from(bits.start), i64::from(bits.width)),
            None => Spot::At(base, at, self.bits(&lvalue.ty)),
        }
    }

    /// Reads a value of a type.
    pub fn read(&self, state: &mut State, spot: &Spot, ty: &Type) -> Val {
        let (base, at, bits) = match spot {
            Spot::At(base, at, bits) => (*base, *at, *bits),
            Spot::Within(_, true) | Spot::Unknown(true) => return Val::Lost,
            Spot::Within(base, false) => {
                // If the object has known values, not every value is possible here, so the value is lost.
                let has = |cells: &Rc<Cells>| cells.values().any(|(_, value)| *value != Val::Any);
                let is_known = self.object(state, *base).is_some_and(has);
                return if is_known { Val::Lost } else { Val::Any };
            }
            Spot::Unknown(false) => return Val::Any,
        };
        if !ty.is_scalar() {
            let cells = self.object(state, base).cloned().unwrap_or_default();
            return block(&cells, at, bits);
        }
        let found = self.object(state, base).map_or(Loaded::Missing, |c| load(c, at, bits));
        match (found, ty) {
            (Loaded::Is(Val::Int(raw)), Type::Int(int)) => {
                let sign = int.signed && bits < 127 && raw >> (bits - 1) != 0;
                Val::Int(if sign { raw - (1 << bits) } else { raw })
            }
            (Loaded::Is(Val::Int(_)), Type::Float(_)) => Val::Lost,
            (Loaded::Missing | Loaded::Is(Val::Any), Type::Int(int))
                if !matches!(base, Base::Text(_)) =>
            {
                if bits != i64::from(int.bits()) {
                    return Val::Lost;
                }
                // The value is undecided, and stays the same until it is assigned again.
                let input = Input::Cell(base, at);
                forget(state, input);
                let value = Val::Term(Rc::new(Term::Input(input, *int)));
                self.write(state, spot, value.clone());
                value
            }
            (Loaded::Is(value), Type::Int(int)) => convert(value, *int, &state.facts),
            (Loaded::Is(value), _) => value,
            (Loaded::Missing, _) => Val::Any,
        }
    }

    /// Writes a value.
    pub fn write(&self, state: &mut State, spot: &Spot, mut value: Val) {
        match *spot {
            Spot::At(Base::Text(_), ..) => {}
            Spot::At(base, at, bits) => {
                if let Base::Static(id) | Base::Local(_, id) = base {
                    if self.wide.contains(&id) && value != Val::Any {
                        value = match value {
                            Val::Pointer(base, _) => Val::Within(base, true),
                            _ => Val::Lost,
                        };
                    }
                    match value {
                        Val::Int(number) => self.count(id, at, number),
                        Val::Pointer(_, to) => self.count(id, at, to.into()),
                        _ => {}
                    }
                }
                if let Val::Term(term) = &value {
                    let range = range(term, &state.facts);
                    let fits =
                        |bits: i64| range.least >= -(1 << (bits - 1)) && range.greatest < 1 << bits;
                    if !matches!(bits, 8 | 16 | 32 | 64) || !fits(bits) {
                        value = Val::Any;
                    }
                }
                let mut object = self.object(state, base).cloned().unwrap_or_default();
                store(Rc::make_mut(&mut object), at, bits, value);
                state.memory.objects.insert(base, object);
            }
            // Other parts do not change, because undecided values in them would cause too many states.
            Spot::Within(base, _) => self.smash(state, base, true),
            Spot::Unknown(_) => self.smash_all(state, true, false),
        }
    }

    /// Forgets everything about an object.
    pub fn smash(&self, state: &mut State, base: Base, lost: bool) {
        if matches!(base, Base::Text(_)) {
            return;
        }
        let value = if lost { Val::Lost } else { Val::Any };
        let cells = Cells::from([(0, (BITS, value))]);
        state.memory.objects.insert(base, Rc::new(cells));
    }

    /// Forgets everything about objects to which a pointer may point, and if `named` is true, also about objects that
    /// other files can access.
    pub fn smash_all(&self, state: &mut State, lost: bool, named: bool) {
        let all: BTreeSet<Base> =
            state.memory.objects.keys().chain(self.initial.keys()).copied().collect();
        for base in all {
            let is_reached = match base {
                Base::Static(id) | Base::Local(_, id) => {
                    let variable = self.source.variable(id);
                    variable.address_taken || named && variable.storage == Storage::Global
                }
                Base::Heap(..) => true,
                Base::Text(_) => false,
            };
            if is_reached {
                self.smash(state, base, lost);
            }
        }
    }

    /// The value of an expression.
    pub fn value(&self, state: &mut State, expr: &Expr) -> Val {
        match &expr.kind {
            ExprKind::Int(value) => Val::Int(*value),
            ExprKind::Float(_) => Val::Lost,
            ExprKind::String(id) => Val::Pointer(Base::Text(*id), 0),
            ExprKind::Bytes(id) => {
                let bits = self.bits(&expr.ty);
                let mut cells = Cells::from([(0, (bits, Val::Int(0)))]);
                let bytes = self.source.string(*id);
                for (at, byte) in (0..bits).step_by(8).zip(bytes) {
                    store(&mut cells, at, 8, Val::Int(i128::from(*byte)));
                }
                Val::Block(Rc::new(cells))
            }
            ExprKind::Zero => match &expr.ty {
                Type::Float(_) => Val::Lost,
                ty if ty.is_scalar() => Val::Int(0),
                ty => Val::Block(Rc::new(Cells::from([(0, (self.bits(ty), Val::Int(0)))]))),
            },
            ExprKind::Function(id) => Val::Function(*id),
            ExprKind::Load(lvalue) => {
                let spot = self.locate(state, lvalue);
                let value = self.read(state, &spot, &lvalue.ty);
                settled(value, &state.facts)
            }
            ExprKind::AddressOf(lvalue) => match self.locate(state, lvalue) {
                Spot::At(base, at, _) => Val::Pointer(base, at / 8),
                Spot::Within(base, lost) => Val::Within(base, lost),
                Spot::Unknown(false) => Val::Any,
                Spot::Unknown(true) => Val::Lost,
            },
            ExprKind::Unary(operator, operand) => {
                let value = self.value(state, operand);
                match &operand.ty {
                    Type::Int(int) => unary(*operator, value, *int, &state.facts),
                    Type::Pointer(_) => {
                        unary(*operator, value, canonical::IntType::SIZE, &state.facts)
                    }
                    _ => unknown(&value, &value),
                }
            }
            ExprKind::Binary(operator, left, right) => {
                let (a, b) = (self.value(state, left), self.value(state, right));
                match &left.ty {
                    Type::Int(int) if right.ty.int().is_some() => {
                        binary(*operator, a, b, *int, &state.facts)
                    }
                    Type::Pointer(element) => {
                        let size = self.source.size(element).unwrap_or(1).max(1);
                        pointers(*operator, &a, &b, i64::try_from(size).unwrap_or(1), &state.facts)
                    }
                    _ => unknown(&a, &b),
                }
            }
            ExprKind::Cast(within) => {
                let value = self.value(state, within);
                match (&within.ty, &expr.ty) {
                    (Type::Float(_), _) | (_, Type::Float(_)) => unknown(&value, &value),
                    (_, Type::Int(int)) => convert(value, *int, &state.facts),
                    _ => value,
                }
            }
            ExprKind::Unknown => Val::Any,
        }
    }
}

/// Renames an undecided value that is created again to the name of its copy; without a copy, removes it.
pub fn forget(state: &mut State, input: Input) {
    let name = state.memory.forget(input);
    if let Some(name) = name {
        state.facts.retain(|term, _| !term.has(name));
    }
    if state.facts.keys().any(|term| term.has(input)) {
        let facts = std::mem::take(&mut state.facts).into_iter();
        let renamed = facts.filter_map(|(term, range)| match (term.has(input), name) {
            (false, _) => Some((term, range)),
            (true, Some(name)) => Some((term.renamed(input, name), range)),
            (true, None) => None,
        });
        state.facts = renamed.collect();
    }
}

/// Returns the value of an operator whose left side is a pointer.
fn pointers(operator: Binary, left: &Val, right: &Val, size: i64, facts: &Facts) -> Val {
    use Val::{Function, Int, Pointer, Within};
    let moved = |at: i64, by: i128, sign: i64| {
        let by = i64::try_from(by).unwrap_or(0).saturating_mul(size).saturating_mul(sign);
        at.saturating_add(by)
    };
    let is_open = |value: &Val| matches!(value, Val::Any | Val::Term(_));
    match (operator, left, right) {
        (Binary::Add, Pointer(base, at), Int(by)) => Pointer(*base, moved(*at, *by, 1)),
        (Binary::Subtract, Pointer(base, at), Int(by)) => Pointer(*base, moved(*at, *by, -1)),
        (Binary::Add | Binary::Subtract, Within(base, lost), _) => Within(*base, *lost),
        (Binary::Subtract, Pointer(base, a), Pointer(other, b)) if base == other => {
            Int(i128::from((a - b) / size))
        }
        (Binary::Add | Binary::Subtract, Pointer(base, _), by) => Within(*base, !is_open(by)),
        (_, Pointer(base, a), Pointer(other, b)) if base == other && operator.is_comparison() => {
            binary(operator, Int((*a).into()), Int((*b).into()), canonical::IntType::LONG, facts)
        }
        (Binary::Equal | Binary::NotEqual, Int(_), Int(_)) => {
            binary(operator, left.clone(), right.clone(), canonical::IntType::SIZE, facts)
        }
        (Binary::Equal | Binary::NotEqual, Function(a), Function(b)) => {
            Int(i128::from((a == b) == (operator == Binary::Equal)))
        }
        (Binary::Equal | Binary::NotEqual, Pointer(..) | Function(_) | Within(..), Int(0))
        | (Binary::Equal | Binary::NotEqual, Int(0), Pointer(..) | Function(_) | Within(..)) => {
            Int(i128::from(operator == Binary::NotEqual))
        }
        (Binary::Equal | Binary::NotEqual, Pointer(a, _), Pointer(b, _)) if a != b => {
            Int(i128::from(operator == Binary::NotEqual))
        }
        _ => unknown(left, right),
    }
}
