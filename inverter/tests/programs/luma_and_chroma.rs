//! Video planes: luma in full, chroma in half of both extents, each plane with its pitch.
//@ incomplete: with one row any pitch would do
//@ y {"half": 1, "luma": [[1, 2], [3, 4]], "blue": [[5]], "red": [[6]]}

pub struct Frame {
    half: u8,
    luma_pitch: u8,
    chroma_pitch: u8,
    luma: [u8],
    chroma: [u8],
}

pub struct Planes {
    half: u8,
    luma: [[u8; 2 * half]; 2 * half],
    blue: [[u8; half]; half],
    red: [[u8; half]; half],
}

pub fn normalize(x: &Frame, y: &mut Planes) {
    y.half = x.half;
    for i in 0..2 * x.half {
        for j in 0..2 * x.half {
            y.luma[i][j] = x.luma[i * x.luma_pitch + j];
        }
    }
    for i in 0..x.half {
        for j in 0..x.half {
            y.blue[i][j] = x.chroma[i * x.chroma_pitch + 2 * j];
            y.red[i][j] = x.chroma[i * x.chroma_pitch + 2 * j + 1];
        }
    }
}
