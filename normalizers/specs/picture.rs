//! Records of pictures that specs share, and the stage that makes one of the other.

/// Pixels as most files store them, with rows from the top and without padding.
struct Pixels {
    width: u32,
    height: u32,
    /// Bits of a pixel.
    bits: u16,
    /// The number of palette entries: 0 unless pixels are indices.
    colors: u16,
    /// The bits of a pixel that hold each level.
    red: u32,
    green: u32,
    blue: u32,
    alpha: u32,
    /// Three bytes for each palette entry, then the rows.
    #[element("pixels")]
    plain: [u8; 3 * colors + height * div_ceil(width * bits, 8)],
}

/// A picture: red, green, blue and alpha of each pixel, a byte each.
struct Picture {
    width: u32,
    height: u32,
    rgba: [u8; 4 * width * height],
}

/// The colours of pixels. A format first assumes what its own pixels look like.
fn shown(x: &Pixels, y: &mut Picture) {
    assume(x.width >= 1);
    assume(x.height >= 1);
    y.width = x.width;
    y.height = x.height;
    // loss: a picture packed to another length has no file, and other fields are drawn
    y.rgba = pixels(x.plain, x.bits, x.width, x.colors, x.red, x.green, x.blue, x.alpha);
}
