//! Random bilevel pictures of the kinds that codings care about.

use rand::{Rng, RngExt};

/// Rows of `columns` pixels, a bit each; unused bits are zero.
pub fn picture(rng: &mut dyn Rng, columns: usize, rows: usize) -> Vec<u8> {
    let bytes = columns.div_ceil(8);
    let mut pixels = vec![false; columns * rows];
    match rng.random_range(0..7) {
        0 => {}
        1 => pixels.fill(true),
        2 => noise(rng, &mut pixels),
        3 => runs(rng, &mut pixels),
        4 => text(rng, &mut pixels, columns),
        5 => edges(rng, &mut pixels, columns),
        // Some rows of one kind, some of another.
        _ => {
            text(rng, &mut pixels, columns);
            let from = rng.random_range(0..=rows) * columns;
            runs(rng, &mut pixels[from..]);
        }
    }
    let mut data = vec![0; bytes * rows];
    for (k, _) in pixels.iter().enumerate().filter(|(_, black)| **black) {
        let (row, column) = (k / columns, k % columns);
        data[row * bytes + column / 8] |= 0x80 >> (column % 8);
    }
    data
}

/// Pixels that know nothing of each other.
fn noise(rng: &mut dyn Rng, pixels: &mut [bool]) {
    let density = [0.01, 0.5, 0.9][rng.random_range(0..3)];
    pixels.iter_mut().for_each(|pixel| *pixel = rng.random_bool(density));
}

/// Runs of any length, over the ends of rows.
fn runs(rng: &mut dyn Rng, pixels: &mut [bool]) {
    let mut black = rng.random();
    let mut at = 0;
    while at < pixels.len() {
        let most = 1usize << rng.random_range(0..13);
        let end = pixels.len().min(at + rng.random_range(1..=most));
        pixels[at..end].fill(black);
        black = !black;
        at = end;
    }
}

/// Glyphs of random strokes on lines, much white between them.
fn text(rng: &mut dyn Rng, pixels: &mut [bool], columns: usize) {
    let glyphs: Vec<[u16; 10]> = (0..6).map(|_| std::array::from_fn(|_| rng.random())).collect();
    let glyphs: Vec<[u16; 10]> =
        glyphs.iter().map(|g| std::array::from_fn(|k| g[k / 3 * 3] & (g[k] | g[9]))).collect();
    for (line, rows) in pixels.chunks_mut(14 * columns).enumerate() {
        let mut left = rng.random_range(0..40);
        while left + 12 < columns {
            let glyph = glyphs[rng.random_range(0..glyphs.len())];
            for (row, bits) in rows.chunks_mut(columns).skip(line % 3).zip(glyph) {
                (0..12).for_each(|k| row[left + k] = bits >> k & 1 == 1);
            }
            left += if rng.random_range(0..5) == 0 { 60 } else { 14 };
        }
    }
}

/// Edges that wander a little from row to row, so that rows are much alike.
fn edges(rng: &mut dyn Rng, pixels: &mut [bool], columns: usize) {
    let count = rng.random_range(1..=columns.min(40));
    let mut edges: Vec<usize> = (0..count).map(|_| rng.random_range(0..columns)).collect();
    for row in pixels.chunks_mut(columns) {
        for edge in &mut edges {
            let step = rng.random_range(0..=4usize);
            *edge = (*edge + step).saturating_sub(2).min(columns - 1);
            row[*edge..].iter_mut().for_each(|pixel| *pixel = !*pixel);
        }
        if rng.random_range(0..6) == 0 {
            edges.pop();
        }
        if edges.is_empty() || rng.random_range(0..6) == 0 {
            edges.push(rng.random_range(0..columns));
        }
    }
}

/// A width: small, near where codes change, or any up to 3000.
pub fn columns(rng: &mut dyn Rng) -> usize {
    match rng.random_range(0..5) {
        0 => rng.random_range(1..=33),
        1 => 64 * rng.random_range(1..=46) + rng.random_range(0..3) - 1,
        2 => 2560 + [0, 1, 63, 64, 65][rng.random_range(0..5)] - rng.random_range(0..2),
        _ => rng.random_range(1..=3000),
    }
}
