//! Planes of samples, each a fixed distance after the one before.
//@ incomplete: with one plane any stride would do
//@ y {"planes": 2, "size": 2, "data": [[1, 2], [3, 4]]}
//@ y {"planes": 1, "size": 1, "data": [[1]]}
//@ x {"planes": 2, "size": 2, "plane_stride": 3, "samples": [1, 3, 0, 2, 4]}

pub struct Planar {
    planes: u8,
    size: u8,
    plane_stride: u16,
    samples: [u8],
}

pub struct Samples {
    planes: u8,
    size: u8,
    data: [[u8; planes]; size],
}

pub fn normalize(x: &Planar, y: &mut Samples) {
    y.planes = x.planes;
    y.size = x.size;
    for p in 0..x.planes {
        for k in 0..x.size {
            y.data[k][p] = x.samples[p * x.plane_stride + k];
        }
    }
}
