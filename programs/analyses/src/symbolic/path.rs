//! The state of one path: memory with terms, conditions, and inputs that satisfy them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use canonical::{EdgeId, FunctionId, IntType, NodeId, StringId, VariableId};

use super::term::{Condition, Term};

/// The reason why a path does not continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// The runs of the path end: by themselves, or by undefined behaviour.
    Ends,
    /// The path reaches something that cannot be executed here, and is abandoned.
    Abandoned,
}

/// A scalar.
#[derive(Debug, Clone)]
pub enum Value {
    /// An integer.
    Int(Arc<Term>),
    /// An address, or null.
    Pointer(Option<usize>, Arc<Term>),
    /// The address of a function.
    Function(FunctionId),
    /// A floating-point number, which is unknown.
    Other,
}

/// A block of memory.
#[derive(Debug, Clone)]
pub struct Object {
    /// Its size in bytes.
    pub size: i128,
    /// True if bytes that were not written are zero.
    pub zero: bool,
    /// False after the end of its lifetime.
    pub alive: bool,
    /// Values by offset, with their sizes; they do not overlap.
    pub cells: BTreeMap<i128, (i128, Value)>,
}

impl Object {
    /// A block to which nothing was written.
    pub fn new(size: i128, zero: bool) -> Self {
        Self { size, zero, alive: true, cells: BTreeMap::new() }
    }

    /// Returns true if a part overlaps a value other than one at exactly the same place.
    pub fn overlaps(&self, offset: i128, size: i128) -> bool {
        let before = self.cells.range(..offset).next_back();
        let reaches = before.is_some_and(|(at, (length, _))| at + length > offset);
        let inside = self.cells.range(offset..offset + size);
        reaches || inside.into_iter().any(|(at, (length, _))| (*at, *length) != (offset, size))
    }
}

/// An activation of a function.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// Its place.
    pub node: NodeId,
    /// Objects of its variables.
    pub variables: HashMap<VariableId, usize>,
    /// The call that it waits for.
    pub waiting: Option<EdgeId>,
}

/// An input.
#[derive(Debug, Clone, Copy)]
pub struct Input {
    /// The type.
    pub ty: IntType,
    /// False if it is an unknown number that is not an input of the program.
    pub real: bool,
}

/// A path.
#[derive(Debug, Clone)]
pub struct Path {
    /// Active functions, the first one first.
    pub frames: Vec<Frame>,
    /// Memory.
    pub objects: Vec<Arc<Object>>,
    /// Objects of variables with static storage.
    pub statics: Arc<HashMap<VariableId, usize>>,
    /// Objects of string literals that were used.
    pub literals: BTreeMap<StringId, usize>,
    /// The conditions under which the path is taken.
    pub conditions: Vec<Condition>,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// Values of inputs, which satisfy the conditions if `fits` is true.
    pub model: Vec<i128>,
    /// True if the values satisfy the conditions.
    pub fits: bool,
    /// The number of edges since the last fork.
    pub edges: u64,
}

impl Path {
    /// Returns an unknown number.
    pub fn unknown(&mut self, ty: IntType, real: bool) -> Arc<Term> {
        let number = self.inputs.len();
        self.inputs.push(Input { ty, real });
        self.model.resize(number + 1, 0);
        Term::input(number, ty)
    }

    /// Adds a condition.
    pub fn require(&mut self, condition: Condition) {
        self.fits = self.fits && condition.holds(&self.model);
        self.conditions.push(condition);
    }

    /// The types of the inputs.
    pub fn types(&self) -> Vec<IntType> {
        self.inputs.iter().map(|input| input.ty).collect()
    }

    /// The values of the inputs that are inputs of the program.
    pub fn real_inputs(&self) -> Vec<i128> {
        let values = self.inputs.iter().zip(self.model.iter().chain(std::iter::repeat(&0)));
        values.filter(|(input, _)| input.real).map(|(_, value)| *value).collect()
    }

    /// Returns a block of memory for modification.
    pub fn object(&mut self, id: usize) -> &mut Object {
        Arc::make_mut(&mut self.objects[id])
    }

    /// Returns true for the object of a string literal.
    pub fn is_literal(&self, object: Option<usize>) -> bool {
        object.is_some_and(|object| self.literals.values().any(|known| *known == object))
    }

    /// Adds a block.
    pub fn allocate(&mut self, object: Object) -> usize {
        self.objects.push(Arc::new(object));
        self.objects.len() - 1
    }
}
