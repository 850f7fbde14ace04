//! A decoder of sprites (`spec/sprite.rs` describes them) with a fault: it reads the offset of the pixels
//! as one byte, where the format has two. Every sprite that it was tried on had its pixels right behind
//! the header.
//!
//! `tests/equivalent.rs` finds the fault with `proptest`, `fuzz/` with libFuzzer, and `afl/` with AFL++, on
//! the same decoder in C.

/// A gray picture, rows from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sprite {
    /// Pixels in a row.
    pub width: usize,
    /// One byte a pixel, row after row.
    pub gray: Vec<u8>,
}

/// Reads a sprite. Returns `None` for other files.
pub fn decode(file: &[u8]) -> Option<Sprite> {
    let number =
        |at: usize| Some(usize::from(*file.get(at)?) | usize::from(*file.get(at + 1)?) << 8);
    if !file.starts_with(b"SPR1") {
        return None;
    }
    let (width, height) = (number(4)?, number(6)?);
    let pixels = usize::from(*file.get(8)?); // The fault: `number(8)?` would be right.
    let upward = *file.get(10)? == 1;
    let mut gray = Vec::new();
    for row in 0..height {
        let stored = if upward { height - 1 - row } else { row };
        let start = pixels + stored * width;
        gray.extend_from_slice(file.get(start..start + width)?);
    }
    (width > 0 && height > 0).then_some(Sprite { width, gray })
}
