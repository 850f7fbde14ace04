//! Rows from the bottom: differences and products in an index.
//@ proved
struct In { height: u16, width: u16, stride: u32, rows: [u8; height * stride] }
struct Out { height: u16, width: u16, v: [[u8; width]; height] }

fn normalize(x: &In, y: &mut Out) {
    assume(x.width <= x.stride);
    y.height = x.height;
    y.width = x.width;
    for r in 0..x.height {
        for b in 0..x.width {
            y.v[r][b] = x.rows[(x.height - 1 - r) * x.stride + b];
        }
    }
}
