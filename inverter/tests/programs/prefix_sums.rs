//! Four lengths, told by where each part ends.
//@ complete
//@ y {"ends": [1, 1, 3, 6]}

pub struct Lengths {
    lengths: [u8; 4],
}

pub struct Ends {
    ends: [u16; 4],
}

pub fn normalize(x: &Lengths, y: &mut Ends) {
    y.ends[0] = x.lengths[0];
    y.ends[1] = x.lengths[0] + x.lengths[1];
    y.ends[2] = x.lengths[0] + x.lengths[1] + x.lengths[2];
    y.ends[3] = x.lengths[0] + x.lengths[1] + x.lengths[2] + x.lengths[3];
}
