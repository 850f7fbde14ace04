//! Faults.

/// Undefined behaviour of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Signed arithmetic exceeded its type, or a floating number does not fit into an integer.
    Overflow,
    /// Division by zero.
    DivisionByZero,
    /// A shift by a negative count or by too many bits.
    Shift,
    /// An access through a null pointer.
    NullPointer,
    /// An access through a pointer that points to no object.
    WildPointer,
    /// An access outside of an object.
    OutOfBounds,
    /// An access to an object that was freed or whose function has returned.
    UseAfterEnd,
    /// A `free` of something that was not allocated.
    BadFree,
    /// A call of something that is not a function.
    BadCall,
    /// The memory exceeds the limit. This is not undefined behaviour, but also ends the run.
    OutOfMemory,
}
