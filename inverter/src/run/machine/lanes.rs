//! Arrays whose element type is known only at run time.

use super::element::Element;
use super::elements::Lane;
use super::nest::{AffineIndex, Nest};
use super::output::Output;

/// Calls a generic function with the element type of an array.
macro_rules! typed {
    ($int:expr, $T:ident => $body:expr) => {
        match $int {
            $crate::program::IntType::U8 => {
                type $T = u8;
                $body
            }
            $crate::program::IntType::U16 => {
                type $T = u16;
                $body
            }
            $crate::program::IntType::U32 => {
                type $T = u32;
                $body
            }
            $crate::program::IntType::U64 => {
                type $T = u64;
                $body
            }
            $crate::program::IntType::I8 => {
                type $T = i8;
                $body
            }
            $crate::program::IntType::I16 => {
                type $T = i16;
                $body
            }
            $crate::program::IntType::I32 => {
                type $T = i32;
                $body
            }
            $crate::program::IntType::I64 => {
                type $T = i64;
                $body
            }
        }
    };
}
pub(super) use typed;

/// An element type on which kernels compute.
pub(super) trait Cell: Element + 'static {
    /// The least and the greatest value.
    const RANGE: (i128, i128);

    /// Returns the lane as one of any type.
    fn any(lane: Lane<'_, Self>) -> AnyLane<'_>;

    /// Returns the output as one of any type.
    fn wrap(output: Output<'_, Self>) -> AnyOutput<'_>;

    /// Returns the output, if it has elements of this type.
    fn output<'o, 'a>(any: &'o mut AnyOutput<'a>) -> Option<&'o mut Output<'a, Self>>;

    /// Returns a number that is in the range as an element.
    fn of_i32(n: i32) -> Self;
    /// As [`of_i32`](Self::of_i32).
    fn of_i64(n: i64) -> Self;
    /// As [`of_i32`](Self::of_i32).
    fn of_i128(n: i128) -> Self;
}

macro_rules! cells {
    ($($int:ident $name:ident),*) => {
        /// Elements to read, one a round.
        #[derive(Debug, Clone, Copy)]
        pub(super) enum AnyLane<'a> {
            $($name(Lane<'a, $int>)),*
        }

        /// Elements in memory.
        #[derive(Debug, Clone, Copy)]
        pub(super) enum AnyCells<'a> {
            $($name(&'a [$int])),*
        }

        /// An array of the canonical value under construction.
        #[derive(Debug)]
        pub(super) enum AnyOutput<'a> {
            $($name(Output<'a, $int>)),*
        }

        impl<'a> AnyLane<'a> {
            /// Returns the elements in memory, and the positions that the nest reads.
            pub fn resolved(&self, nest: &Nest) -> (AnyCells<'a>, AffineIndex) {
                match self {
                    $(Self::$name(lane) => {
                        let lane = lane.resolved(nest);
                        (AnyCells::$name(lane.cells), lane.place)
                    })*
                }
            }
        }

        $(impl Cell for $int {
            const RANGE: (i128, i128) = ($int::MIN as i128, $int::MAX as i128);

            fn any(lane: Lane<'_, Self>) -> AnyLane<'_> {
                AnyLane::$name(lane)
            }

            fn wrap(output: Output<'_, Self>) -> AnyOutput<'_> {
                AnyOutput::$name(output)
            }

            fn output<'o, 'a>(any: &'o mut AnyOutput<'a>) -> Option<&'o mut Output<'a, Self>> {
                match any {
                    AnyOutput::$name(output) => Some(output),
                    _ => None,
                }
            }

            #[inline]
            fn of_i32(n: i32) -> Self {
                n as $int
            }

            #[inline]
            fn of_i64(n: i64) -> Self {
                n as $int
            }

            #[inline]
            fn of_i128(n: i128) -> Self {
                n as $int
            }
        })*
    };
}

cells!(u8 U8, u16 U16, u32 U32, u64 U64, i8 I8, i16 I16, i32 I32, i64 I64);

/// Calls a function of an output of any type.
macro_rules! each_output {
    ($any:expr, $output:ident => $body:expr) => {
        match $any {
            $crate::run::machine::lanes::AnyOutput::U8($output) => $body,
            $crate::run::machine::lanes::AnyOutput::U16($output) => $body,
            $crate::run::machine::lanes::AnyOutput::U32($output) => $body,
            $crate::run::machine::lanes::AnyOutput::U64($output) => $body,
            $crate::run::machine::lanes::AnyOutput::I8($output) => $body,
            $crate::run::machine::lanes::AnyOutput::I16($output) => $body,
            $crate::run::machine::lanes::AnyOutput::I32($output) => $body,
            $crate::run::machine::lanes::AnyOutput::I64($output) => $body,
        }
    };
}
pub(super) use each_output;

/// Calls a function of elements of any type.
macro_rules! each_cells {
    ($any:expr, $cells:ident => $body:expr) => {
        match $any {
            $crate::run::machine::lanes::AnyCells::U8($cells) => $body,
            $crate::run::machine::lanes::AnyCells::U16($cells) => $body,
            $crate::run::machine::lanes::AnyCells::U32($cells) => $body,
            $crate::run::machine::lanes::AnyCells::U64($cells) => $body,
            $crate::run::machine::lanes::AnyCells::I8($cells) => $body,
            $crate::run::machine::lanes::AnyCells::I16($cells) => $body,
            $crate::run::machine::lanes::AnyCells::I32($cells) => $body,
            $crate::run::machine::lanes::AnyCells::I64($cells) => $body,
        }
    };
}
pub(super) use each_cells;
