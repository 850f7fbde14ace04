//! A line at full and at half resolution in one array, the smaller one behind the larger.
//@ complete
//@ y {"size": 3, "full": [1, 2, 3], "half": [4]}
//@ y {"size": 1, "full": [1], "half": []}

pub struct Levels {
    size: u8,
    texels: [u8; size + size / 2],
}

pub struct Textures {
    size: u8,
    full: [u8; size],
    half: [u8; size / 2],
}

pub fn normalize(x: &Levels, y: &mut Textures) {
    y.size = x.size;
    for k in 0..x.size {
        y.full[k] = x.texels[k];
    }
    for k in 0..x.size / 2 {
        y.half[k] = x.texels[x.size + k];
    }
}
