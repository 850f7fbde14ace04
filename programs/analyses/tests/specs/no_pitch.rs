//! The surface of `pitch.rs` without the condition.
//@ refuted symbolic x.surface[i*x.pitch + j] is inside: height = 1, width = 1, pitch = 0: x.surface[0] is outside the array, whose length is 0
struct Surface {
    height: u32,
    width: u32,
    pitch: u32,
    surface: [u8; pitch * height],
}

struct Image {
    height: u32,
    width: u32,
    data: [[u8; width]; height],
}

fn normalize(x: &Surface, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        for j in 0..x.width {
            y.data[i][j] = x.surface[i * x.pitch + j];
        }
    }
}
