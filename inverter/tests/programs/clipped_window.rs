//! A window that may reach beyond its picture: it is cut at the picture's edge.
//@ incomplete: an empty window may begin anywhere
//@ values 3
//@ y {"size": 2, "data": [1, 2]}

pub struct Line {
    length: u8,
    first: u8,
    end: u8,
    line: [u8; length],
}

pub struct Window {
    size: u8,
    data: [u8; size],
}

pub fn normalize(x: &Line, y: &mut Window) {
    assume(x.length <= 8);
    let size = max(min(x.end, x.length) - x.first, 0);
    y.size = size;
    for k in 0..size {
        y.data[k] = x.line[x.first + k];
    }
}
