//@ incomplete: an array that an ensure gives is drawn, not enumerated
//@ y {"n": 2, "v": [3, 4]}
//! One branch could write the array, the other needs it from an ensure.

pub struct X {
    n: u8,
    d: [u8; n],
}

pub struct Y {
    n: u8,
    v: [i16; n],
}

pub fn normalize(x: &X, y: &mut Y) {
    y.n = x.n;
    for i in 0..x.n {
        if i == 1 {
            y.v[i] = x.d[x.n - 1 - i] + 1;
        } else {
            y.v[i] = min(x.d[i], 47);
        }
    }
}
