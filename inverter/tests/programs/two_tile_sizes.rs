//! A picture of which each half is stored with a pitch of its own: two loops fill one array.
//@ incomplete: a half of one row could have any pitch
//@ y {"half": 1, "width": 2, "data": [[1, 2], [3, 4]]}

pub struct Halves {
    half: u8,
    width: u8,
    upper_pitch: u8,
    lower_pitch: u8,
    upper: [u8],
    lower: [u8],
}

pub struct Image {
    half: u8,
    width: u8,
    data: [[u8; width]; 2 * half],
}

pub fn normalize(x: &Halves, y: &mut Image) {
    y.half = x.half;
    y.width = x.width;
    for j in 0..x.width {
        for i in 0..x.half {
            y.data[i][j] = x.upper[i * x.upper_pitch + j];
            y.data[x.half + i][j] = x.lower[i * x.lower_pitch + j];
        }
    }
}
