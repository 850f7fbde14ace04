//! A DirectDraw surface as an array of declared length.
//@ proved
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
    assume(x.pitch >= x.width);
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        for j in 0..x.width {
            y.data[i][j] = x.surface[i * x.pitch + j];
        }
    }
}
