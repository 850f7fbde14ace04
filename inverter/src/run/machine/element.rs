//! The types of elements.

use crate::run::bytes::{Bytes, zeros};
use crate::run::store::Cells;

/// The type of an array's elements.
pub trait Element: Copy + Default + PartialEq + Into<i128> + TryFrom<i128> {
    /// The elements, if they are of this type.
    fn slice(cells: &Cells) -> Option<&[Self]>;
    /// As [`slice`](Self::slice), mutable.
    fn slice_mut(cells: &mut Cells) -> Option<&mut [Self]>;
    /// The elements of an array.
    fn cells(elements: Vec<Self>) -> Cells;

    /// An array of zeros.
    fn zeros(len: usize) -> Cells {
        Self::cells(zeros(len))
    }

    /// The bytes, if these are the elements and other arrays can refer to them.
    fn shared(cells: &Cells) -> Option<&Bytes> {
        let _ = cells;
        None
    }

    /// Bytes as elements, if these are bytes.
    fn of_bytes(bytes: &[u8]) -> Option<&[Self]> {
        let _ = bytes;
        None
    }

    /// A byte as an element, if it is one.
    fn of_byte(byte: u8) -> Option<Self> {
        Self::try_from(byte.into()).ok()
    }

    /// As [`of_bytes`](Self::of_bytes), mutable.
    fn of_bytes_mut(bytes: &mut [u8]) -> Option<&mut [Self]> {
        let _ = bytes;
        None
    }

    /// The bytes, if these are the elements and form a list of pieces without other references.
    fn recorded(cells: &mut Cells) -> Option<&mut Bytes> {
        let _ = cells;
        None
    }
}

macro_rules! more {
    (U8) => {
        fn zeros(len: usize) -> Cells {
            Cells::U8(Bytes::zeros(len))
        }
        fn shared(cells: &Cells) -> Option<&Bytes> {
            match cells {
                Cells::U8(bytes) if bytes.can_be_shared() => Some(bytes),
                _ => None,
            }
        }
        fn of_bytes(bytes: &[u8]) -> Option<&[Self]> {
            Some(bytes)
        }
        fn of_bytes_mut(bytes: &mut [u8]) -> Option<&mut [Self]> {
            Some(bytes)
        }
        fn recorded(cells: &mut Cells) -> Option<&mut Bytes> {
            match cells {
                Cells::U8(bytes) if bytes.is_recording() => Some(bytes),
                _ => None,
            }
        }
    };
    ($other:ident) => {};
}

macro_rules! elements {
    ($($int:ident $cells:ident),*) => {$(
        impl Element for $int {
            fn slice(cells: &Cells) -> Option<&[Self]> {
                match cells {
                    Cells::$cells(v) => Some(v),
                    _ => None,
                }
            }
            fn slice_mut(cells: &mut Cells) -> Option<&mut [Self]> {
                match cells {
                    Cells::$cells(v) => Some(v),
                    _ => None,
                }
            }
            fn cells(elements: Vec<Self>) -> Cells {
                Cells::$cells(elements.into())
            }
            more!($cells);
        }
    )*};
}

elements!(u8 U8, u16 U16, u32 U32, u64 U64, i8 I8, i16 I16, i32 I32, i64 I64);
