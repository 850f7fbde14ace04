//! An index buffer of triangles, and the vertices that it picks.
//@ kind dictionary
//@ y {"n": 2, "corner": [[[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[7, 8, 9], [4, 5, 6], [0, 0, 0]]]}
//@ y {"n": 400, "corner": {"cycle": [[[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[7, 8, 9], [4, 5, 6], [0, 0, 0]]], "length": 400}}

pub struct Mesh {
    n: u16,
    vertices: u16,
    vertex: [[i16; 3]; vertices],
    index: [[u16; 3]; n],
}

pub struct Triangles {
    n: u16,
    corner: [[[i16; 3]; 3]; n],
}

pub fn normalize(x: &Mesh, y: &mut Triangles) {
    y.n = x.n;
    for t in 0..x.n {
        for corner in 0..3 {
            for axis in 0..3 {
                y.corner[t][corner][axis] = x.vertex[x.index[t][corner]][axis];
            }
        }
    }
}
