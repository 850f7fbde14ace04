//! A DirectDraw surface in memory, with rows from the top, as `Lock` shows it.
//!
//! After the documentation of DDSURFACEDESC2: `lpSurface` points to the first row, and each row begins
//! `lPitch` bytes after the one before. Nothing is known of what is between the end of a row and the
//! next one, nor of what is behind the last. Pixels are bytes here: `bytes_per_pixel` of them, whatever
//! they mean.

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
