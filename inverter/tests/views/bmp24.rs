/// A BMP file of 24 bits a pixel with the header of 40 bytes.
struct Bmp {
    file: [u8],
}

struct Picture {
    width: u32,
    height: u32,
    rgb: [[[u8; 3]; width]; height],
}

fn normalize(x: &Bmp, y: &mut Picture) {
    assume(bytes(x.file, 0) == b"BM");
    assume(u32le(x.file, 2) == len(x.file));
    let _reserved = u32le(x.file, 6);
    let offset = u32le(x.file, 10);
    let header = u32le(x.file, 14);
    assume(header == 40);
    let width = u32le(x.file, 18);
    let rows = i32le(x.file, 22);
    let planes = u16le(x.file, 26);
    assume(planes == 1);
    let bits = u16le(x.file, 28);
    assume(bits == 24);
    let compression = u32le(x.file, 30);
    assume(compression == 0);
    let _resolution = u32le(x.file, 38);
    let stride = div_ceil(3 * width, 4) * 4;

    assume(width >= 1);
    y.width = width;
    if rows < 0 {
        y.height = 0 - rows;
        for r in 0..0 - rows {
            for c in 0..width {
                for k in 0..3 {
                    y.rgb[r][c][k] = x.file[offset + r * stride + 3 * c + 2 - k];
                }
            }
        }
    } else {
        y.height = rows;
        for r in 0..rows {
            for c in 0..width {
                for k in 0..3 {
                    y.rgb[rows - 1 - r][c][k] = x.file[offset + r * stride + 3 * c + 2 - k];
                }
            }
        }
    }
}
