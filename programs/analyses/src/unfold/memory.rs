//! Models memory as cells, which are the scalar parts of variables.
//!
//! A variable of a function has an object in each context. All elements of an array are one cell, whose value may be
//! that of any element. Unions, bit-fields and floating numbers have no cell and may have any value.

use std::ops::Range;

use canonical::{CompositeKind, IntType, Program, Type, VariableId};

/// An object: a variable in a context, or the result of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// A scalar part of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u32);

/// A step from an object to a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A field, by its position.
    Field(u32),
    /// Any element of an array.
    Element,
}

/// An object.
#[derive(Debug, Clone)]
pub struct Object {
    /// The variable; `None` for the result of a function.
    pub variable: Option<VariableId>,
    /// The type.
    pub ty: Type,
    /// True if pointers may point to it.
    pub address_taken: bool,
    /// True if external code can name it.
    pub global: bool,
    /// Its cells.
    pub cells: Range<u32>,
}

/// A cell.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The object.
    pub object: ObjectId,
    /// The path from the object to the cell.
    pub path: Vec<Part>,
    /// The type, if it is an integer; otherwise the cell is a pointer.
    pub int: Option<IntType>,
    /// True if the cell represents several elements, so a stored value becomes one of its values.
    pub weak: bool,
    /// The offset in bytes, unless the cell is weak.
    pub offset: u64,
}

/// All objects and cells.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// Objects by number.
    pub objects: Vec<Object>,
    /// Cells by number.
    pub cells: Vec<Cell>,
}

/// The maximum number of cells of an object. An object with more scalar parts has no cells.
const MOST: usize = 512;

impl Memory {
    /// Adds an object.
    pub fn add(
        &mut self,
        program: &Program,
        variable: Option<VariableId>,
        ty: &Type,
        global: bool,
    ) -> ObjectId {
        let id = ObjectId(u32::try_from(self.objects.len()).unwrap_or(u32::MAX));
        let first = self.cells.len();
        let mut path = Vec::new();
        if self.flatten(program, id, ty, &mut path, 0).is_none() {
            self.cells.truncate(first);
        }
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        self.objects.push(Object {
            variable,
            ty: ty.clone(),
            address_taken: variable.is_some_and(|v| program.variable(v).address_taken),
            global,
            cells: number(first)..number(self.cells.len()),
        });
        id
    }

    /// Adds the cells of a part; returns `None` if there are too many.
    fn flatten(
        &mut self,
        program: &Program,
        object: ObjectId,
        ty: &Type,
        path: &mut Vec<Part>,
        offset: u64,
    ) -> Option<()> {
        let first = self.objects.last().map_or(0, |object| object.cells.end as usize);
        match ty {
            Type::Int(_) | Type::Pointer(_) => {
                if self.cells.len() - first >= MOST {
                    return None;
                }
                let weak = path.contains(&Part::Element);
                self.cells.push(Cell { object, path: path.clone(), int: ty.int(), weak, offset });
            }
            Type::Array(element, _) => {
                path.push(Part::Element);
                self.flatten(program, object, element, path, offset)?;
                path.pop();
            }
            Type::Composite(id) => {
                let composite = program.composite(*id);
                if composite.kind == CompositeKind::Union {
                    return Some(());
                }
                for (k, field) in (0..).zip(&composite.fields) {
                    if field.bits.is_none() {
                        path.push(Part::Field(k));
                        self.flatten(program, object, &field.ty, path, offset + field.offset)?;
                        path.pop();
                    }
                }
            }
            Type::Void | Type::Float(_) | Type::Function(_) => {}
        }
        Some(())
    }

    /// An object.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// A cell.
    pub fn cell(&self, id: CellId) -> &Cell {
        &self.cells[id.0 as usize]
    }

    /// The cells of a part of an object.
    pub fn part(&self, object: ObjectId, path: &[Part]) -> impl Iterator<Item = CellId> {
        let cells = self.object(object).cells.clone();
        cells.map(CellId).filter(move |cell| self.cell(*cell).path.starts_with(path))
    }

    /// The cell that is a part of an object.
    pub fn scalar(&self, object: ObjectId, path: &[Part]) -> Option<CellId> {
        self.part(object, path).find(|cell| self.cell(*cell).path.len() == path.len())
    }

    /// The type of a part of an object.
    pub fn type_of<'a>(
        &'a self,
        program: &'a Program,
        object: ObjectId,
        path: &[Part],
    ) -> Option<&'a Type> {
        let mut ty = &self.object(object).ty;
        for part in path {
            ty = match (part, ty) {
                (Part::Element, Type::Array(element, _)) => element,
                (Part::Field(k), Type::Composite(id)) => {
                    &program.composite(*id).fields.get(*k as usize)?.ty
                }
                _ => return None,
            };
        }
        Some(ty)
    }

    /// The cells into which a pointer with an unknown value may point.
    pub fn escaped(&self) -> impl Iterator<Item = CellId> {
        self.objects
            .iter()
            .filter(|object| object.address_taken)
            .flat_map(|object| object.cells.clone().map(CellId))
    }
}
