//! The types of elements.

use crate::run::store::Cells;

/// The type of an array's elements.
pub trait Element: Copy + Default + PartialEq + Into<i128> + TryFrom<i128> {
    /// The elements, if they are of this type.
    fn slice(cells: &Cells) -> Option<&[Self]>;
    /// As [`slice`](Self::slice), mutable.
    fn slice_mut(cells: &mut Cells) -> Option<&mut [Self]>;
    /// The elements of an array.
    fn cells(elements: Vec<Self>) -> Cells;
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
                Cells::$cells(elements)
            }
        }
    )*};
}

elements!(u8 U8, u16 U16, u32 U32, u64 U64, i8 I8, i16 I16, i32 I32, i64 I64);
