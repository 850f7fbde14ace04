//! An inverse as data: its statements and ensures, and the derived facts about its writes.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::access::Access;
use super::bounds::Extent;
use super::derive::DisjointnessStrategy;
use super::inst::{Conjunct, Inst};
use crate::program::{Diagnostic, FieldId, Program};

/// A normalization program with its inverse.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Inverse {
    /// The program, with the variables that inversion added.
    pub program: Program,
    /// The inverse's statements, ensures in their places.
    pub body: Vec<Inst>,
    /// The ensures, in the order in which they are solved; each may use the values of earlier ones.
    pub ensures: Vec<Ensure>,
    /// The strategy that keeps the writes of each array disjoint.
    pub strategies: BTreeMap<FieldId, DisjointnessStrategy>,
    /// The greatest indices in use of arrays of free length.
    pub extents: Vec<Extent>,
    /// The writes.
    pub accesses: Vec<Access>,
    /// Scalars that a `:= *` of the body assigns.
    pub free_scalars: BTreeSet<FieldId>,
    /// Representations that the inverse cannot make.
    pub losses: Vec<Diagnostic>,
}

impl Inverse {
    /// Returns the inverse of a program with walks. It has no statements; instead, the program itself is run on an
    /// unknown input.
    pub fn of_walks(program: &Program) -> Self {
        Self {
            program: program.clone(),
            body: Vec::new(),
            ensures: Vec::new(),
            strategies: BTreeMap::new(),
            extents: Vec::new(),
            accesses: Vec::new(),
            free_scalars: BTreeSet::new(),
            losses: Vec::new(),
        }
    }
}

/// `ensure xs : p`: values for inputs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ensure {
    /// The inputs that it gives values to.
    pub kind: EnsureKind,
    /// The conditions on the values.
    pub conjuncts: Vec<Conjunct>,
}

/// The inputs that an ensure assigns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum EnsureKind {
    /// Scalars.
    Scalars(Vec<FieldId>),
    /// The elements of an array.
    Elements(FieldId),
    /// The bases of an array's segments, where the base inputs are scalars or arrays.
    Places {
        /// The array that the segments are in.
        array: FieldId,
        /// The inputs that say where they are.
        bases: Vec<FieldId>,
    },
}

impl EnsureKind {
    /// Returns the inputs that it assigns.
    pub fn fields(&self) -> Vec<FieldId> {
        match self {
            EnsureKind::Scalars(fields) | EnsureKind::Places { bases: fields, .. } => {
                fields.clone()
            }
            EnsureKind::Elements(field) => vec![*field],
        }
    }
}
