//! The instructions of the machine.

use crate::program::{Cmp, FieldId, IntType, Op};

/// A register: 128 bits.
pub(super) type Register = u32;

/// An instruction's position in the code. During assembly, the number of a label.
pub(super) type Place = usize;

/// A function of the machine. After its last instruction, it returns true.
#[derive(Debug)]
pub struct Code {
    pub(super) instructions: Vec<Instruction>,
    /// The first values of the registers: constants, and zeros.
    pub(super) registers: Vec<i128>,
    /// Scalars of the given side that registers hold initially.
    pub(super) given: Vec<(FieldId, Register)>,
}

/// An array, and the type of its elements.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArrayRef {
    pub field: FieldId,
    pub int: IntType,
    /// True if it belongs to the side that is written.
    pub own: bool,
}

/// The indices of an element, at most three.
#[derive(Debug, Clone, Copy)]
pub(super) struct Index {
    registers: [Register; 3],
    len: u8,
}

impl Index {
    /// The maximum number of dimensions of an array.
    pub const MOST: usize = 3;

    /// Returns the index in these registers; `None` if there are too many.
    pub fn new(registers: &[Register]) -> Option<Self> {
        let mut index = Self { registers: [0; Self::MOST], len: registers.len() as u8 };
        index.registers.get_mut(..registers.len())?.copy_from_slice(registers);
        Some(index)
    }

    /// Returns the registers.
    pub fn registers(&self) -> &[Register] {
        &self.registers[..self.len as usize]
    }
}

#[derive(Debug)]
pub(super) enum Instruction {
    /// `to = op(a, b)`; ends the run if that has no value.
    Binary {
        op: Op,
        to: Register,
        a: Register,
        b: Register,
    },
    /// `to = from`
    Move {
        to: Register,
        from: Register,
    },
    /// Goes to `place` if `cmp(a, b)` is `when`.
    Branch {
        cmp: Cmp,
        a: Register,
        b: Register,
        when: bool,
        place: Place,
    },
    Jump(Place),
    /// Starts a round of a loop, or goes to `end` if there is none left.
    Round {
        var: Register,
        count: Register,
        end: Place,
    },
    /// Ends a round of a loop, which begins at `head`.
    Next {
        var: Register,
        head: Place,
    },
    /// `to =` a scalar of the side that is written.
    Own {
        to: Register,
        field: FieldId,
    },
    Load {
        to: Register,
        array: ArrayRef,
        index: Index,
    },
    /// Assigns a scalar.
    Settle {
        field: FieldId,
        range: (i128, i128),
        value: Register,
    },
    /// Assigns an element.
    Store {
        array: ArrayRef,
        index: Index,
        value: Register,
    },
    /// Goes to `place` if an output array is allocated.
    IfAllocated {
        field: FieldId,
        place: Place,
    },
    Allocate {
        field: FieldId,
        lengths: Index,
    },
    /// Records that an element of an array with reservations is read.
    Note {
        array: ArrayRef,
        index: Index,
    },
    Reserve {
        field: FieldId,
        start: Register,
        end: Register,
    },
    /// Starts a nest, or goes to `end` if it has no rounds.
    Nest {
        counts: Vec<Register>,
        end: Place,
    },
    /// The work of all rounds of the last nest.
    Step(Box<StepCode>),
    /// Ends the run with the result false.
    False,
    /// Ends the run: the interpreter must run the statement.
    Irregular,
}

/// The elements that a reference means in a nest.
#[derive(Debug)]
pub(super) struct LaneCode {
    pub array: ArrayRef,
    pub index: AffineCode,
    /// True if reads are recorded.
    pub noted: bool,
}

/// For each index, the constant and the coefficients of the loops.
pub(super) type AffineCode = Vec<Vec<Register>>;

/// The work of a nest for one statement.
#[derive(Debug)]
pub(super) struct StepCode {
    pub lanes: Vec<LaneCode>,
    pub work: WorkCode,
}

#[derive(Debug)]
pub(super) enum WorkCode {
    /// One value for all elements.
    Fill(ArrayRef, AffineCode, Register),
    /// The only lane.
    Copy(ArrayRef, AffineCode),
    /// A value that is computed of the lanes.
    Map(ArrayRef, AffineCode, Kernel),
    /// Goes to the place unless the predicate holds in all rounds.
    Check(Kernel, Place),
}

/// The number type of a kernel's vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    I32,
    I64,
    /// 128 bits, with each operation checked.
    I128,
}

/// An operand of a vector operation.
#[derive(Debug, Clone, Copy)]
pub(super) enum Operand {
    /// A vector: first the lanes, then the results of the operations.
    Vector(usize),
    /// A register of the machine, the same in all rounds.
    Scalar(Register),
}

/// An operation. The truth of a predicate is 0 or 1.
#[derive(Debug, Clone, Copy)]
pub(super) enum Operator {
    Arithmetic(Op),
    Compare(Cmp),
    And,
    Or,
}

/// The computation of each round of a nest.
#[derive(Debug)]
pub(super) struct Kernel {
    pub width: Width,
    pub operations: Vec<(Operator, Operand, Operand)>,
    pub result: Operand,
}
