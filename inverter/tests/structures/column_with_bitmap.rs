//! A column of strings as three buffers: a bitmap of those that are present, offsets, one more than strings and the
//! first of them 0, and the data. The last offset is read before the loop, as the size of the data.
//@ kind offset tables
//@ y {"n": 3, "total": 12, "valid": [0, 1, 1], "lens": [0, 7, 5], "data": {"cycle": [227, 222, 121, 27, 207], "length": 12}}
//@ y {"n": 0, "total": 0, "valid": [], "lens": [], "data": []}
//@ y {"n": 1000, "total": 3000, "valid": {"cycle": [0, 1, 1], "length": 1000}, "lens": {"cycle": [2, 4], "length": 1000}, "data": {"cycle": [1, 2, 3, 255, 0], "length": 3000}}

struct File {
    file: [u8],
}

struct Column {
    n: u32,
    total: u32,
    valid: [u8; n],
    lens: [u32; n],
    data: [u8; total],
}

fn normalize(x: &File, y: &mut Column) {
    assume(bytes(x.file, 0) == b"COL1");
    let n = u32le(x.file, 4);
    let bitmap = u32le(x.file, 8);
    let offsets = u32le(x.file, 12);
    let data = u32le(x.file, 16);
    assume(bitmap % 8 == 0);
    assume(offsets % 8 == 0);
    assume(data % 8 == 0);
    let total = u32le(x.file, offsets + 4 * n);
    assume(u32le(x.file, offsets) == 0);
    y.n = n;
    y.total = total;
    for g in 0..div_ceil(n, 8) {
        let mask = u8(x.file, bitmap + g);
        if 8 * g < n {
            y.valid[8 * g] = mask & 1;
        }
        if 8 * g + 1 < n {
            y.valid[8 * g + 1] = (mask >> 1) & 1;
        }
        if 8 * g + 2 < n {
            y.valid[8 * g + 2] = (mask >> 2) & 1;
        }
        if 8 * g + 3 < n {
            y.valid[8 * g + 3] = (mask >> 3) & 1;
        }
        if 8 * g + 4 < n {
            y.valid[8 * g + 4] = (mask >> 4) & 1;
        }
        if 8 * g + 5 < n {
            y.valid[8 * g + 5] = (mask >> 5) & 1;
        }
        if 8 * g + 6 < n {
            y.valid[8 * g + 6] = (mask >> 6) & 1;
        }
        if 8 * g + 7 < n {
            y.valid[8 * g + 7] = (mask >> 7) & 1;
        }
    }
    for k in 0..n {
        let start = u32le(x.file, offsets + 4 * k);
        let end = u32le(x.file, offsets + 4 * k + 4);
        assume(start <= end);
        y.lens[k] = end - start;
    }
    for b in 0..total {
        y.data[b] = x.file[data + b];
    }
}
