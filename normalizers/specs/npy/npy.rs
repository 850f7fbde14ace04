//! NumPy's npy: an array of plain numbers of up to two dimensions.
//!
//! Source: the format specification in `numpy.lib.format`, versions 1.0 to 3.0. The primitive
//! `npy_header` decodes the dictionary in the header; byte order and order of the elements are
//! stages here. Not covered: structured, complex, string and object types, and more dimensions.

use super::file::{Chunks, File};

/// An array: its type, its shape, and its elements.
struct Array {
    /// `b`, `i`, `u` or `f`.
    kind: u8,
    /// The bytes of an element.
    size: u8,
    /// The number of dimensions. A missing one has the size 1.
    dims: u8,
    rows: u32,
    columns: u32,
    /// Row by row, the least significant byte of each element first.
    values: [u8; rows * columns * size],
}

/// See the primitive `npy_header`.
fn header(x: &File, y: &mut Chunks) {
    y.data = npy_header(x.file);
}

fn elements(x: &Chunks, y: &mut Array) {
    let kind = u8(x.data, 0);
    let size = u8(x.data, 1);
    let big = u8(x.data, 2);
    let fortran = u8(x.data, 3);
    let dims = u8(x.data, 4);
    let rows = u32le(x.data, 5);
    let columns = u32le(x.data, 9);
    y.kind = kind;
    y.size = size;
    y.dims = dims;
    y.rows = rows;
    y.columns = columns;
    assume(kind == b'b' || kind == b'i' || kind == b'u' || kind == b'f');
    assume(size == 1 || size == 2 || size == 4 || size == 8);
    assume(big == 0 || big == 1 && size >= 2);
    assume(fortran <= 1);
    assume(dims <= 2);
    assume(dims == 2 || columns == 1);
    assume(dims >= 1 || rows == 1);
    assume(x.count == 13 + rows * columns * size);
    if big == 0 {
        if fortran == 0 {
            for i in 0..rows * columns * size {
                y.values[i] = x.data[13 + i];
            }
        } else {
            for r in 0..rows {
                for c in 0..columns {
                    for b in 0..size {
                        y.values[(r * columns + c) * size + b] = x.data[13 + (c * rows + r) * size + b];
                    }
                }
            }
        }
    } else {
        if fortran == 0 {
            for k in 0..rows * columns {
                for b in 0..size {
                    y.values[k * size + b] = x.data[13 + k * size + size - 1 - b];
                }
            }
        } else {
            for r in 0..rows {
                for c in 0..columns {
                    for b in 0..size {
                        y.values[(r * columns + c) * size + b] = x.data[13 + (c * rows + r) * size + size - 1 - b];
                    }
                }
            }
        }
    }
}
