//! Strips, and samples whose distance may be 0 where all are equal, if a strip is one row: where
//! they are not, the number of strips is chosen anew.
//@ incomplete: strips of equal content meet in part, and a single sample could have any distance
//@ y {"n": 6, "rows": [1, 2, 3, 4, 5, 6], "samples": [0, 0, 0, 0, 0, 1]}
//@ y {"n": 5, "rows": [1, 2, 3, 4, 5], "samples": [7, 7, 7, 7, 7]}

pub struct Stored {
    n: u8,
    strip: u8,
    #[element("place")]
    places: [u16; div_ceil(n, strip)],
    file: [u8],
    distance: u8,
    far: [u8],
    near: [u8; n],
}

pub struct Image {
    n: u8,
    rows: [u8; n],
    samples: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    y.n = x.n;
    for s in 0..div_ceil(x.n, x.strip) {
        for r in 0..min(x.strip, x.n - s * x.strip) {
            y.rows[s * x.strip + r] = x.file[x.places[s] + r];
        }
    }
    for k in 0..x.n {
        if x.strip == 1 {
            y.samples[k] = x.far[k * x.distance];
        } else {
            y.samples[k] = x.near[k];
        }
    }
}
