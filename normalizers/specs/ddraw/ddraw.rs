//! A DirectDraw surface in memory, with rows from the top, as `Lock` returns it.
//!
//! Source: the documentation of DDSURFACEDESC2. `lpSurface` points to the first row, and each row starts
//! `lPitch` bytes after the one before. The bytes between a row's end and the next row are undefined, and
//! so are those after the last row. A pixel is `bytes_per_pixel` bytes of any meaning.

struct Surface {
    dw_height: u32,
    dw_width: u32,
    /// 1 to 4: `dwRGBBitCount` / 8.
    bytes_per_pixel: u32,
    /// Bytes from one row to the next.
    l_pitch: u32,
    #[element("surface")]
    lp_surface: [u8],
}

struct Picture {
    height: u32,
    width: u32,
    bytes_per_pixel: u32,
    pixels: [[u8; width * bytes_per_pixel]; height],
}

fn lock(x: &Surface, y: &mut Picture) {
    assume(x.bytes_per_pixel >= 1 && x.bytes_per_pixel <= 4);
    y.height = x.dw_height;
    y.width = x.dw_width;
    y.bytes_per_pixel = x.bytes_per_pixel;
    for row in 0..x.dw_height {
        for byte in 0..x.dw_width * x.bytes_per_pixel {
            y.pixels[row][byte] = x.lp_surface[row * x.l_pitch + byte];
        }
    }
}
