//@ kind dictionary
//@ y {"faces": 0}
//@ y {"faces": 1, "corner": "0..9"}
//@ y {"faces": 20, "corner": "-300..300"}
//@ y {"faces": 250, "corner": "-300..300"}
//@ y {"faces": 250, "corner": "0..3"}
struct F { file: [u8] }
struct P { faces: u16, corner: [[[i16; 3]; 3]; faces] }

/// Triangles by the numbers of their vertices: there are enough of these for all that differ.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"TRI");
    let faces = u16le(x.file, 3);
    let vertices = u32le(x.file, 5);
    let numbers_at = u32le(x.file, 9);
    let vertices_at = u32le(x.file, 13);
    assume(vertices <= 65535);
    y.faces = faces;
    for f in 0..faces {
        for c in 0..3 {
            let number = u16le(x.file, numbers_at + 6 * f + 2 * c);
            assume(number < vertices);
            for axis in 0..3 {
                let at = i16le(x.file, vertices_at + 6 * number + 2 * axis);
                y.corner[f][c][axis] = at;
            }
        }
    }
}
