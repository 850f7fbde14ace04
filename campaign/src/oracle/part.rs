//! Differences in only a part of a picture.

use tiff_harness::Picture;

use super::samples::{Area, Pixel, pixels};

/// The side length, in pixels, of the cells into which a picture is divided.
const CELL: usize = 8;

/// The minimum number of cells or pixels that must be right.
const FEWEST: usize = 4;

/// Returns true if a part of the picture is right, large enough, and has more than one color: either an eighth of it
/// outside of `area`, which has all differing pixels, or an eighth of its cells of 8 × 8 pixels. A flat background is
/// no evidence, because it may look right by accident.
pub fn is_partly_right(expected: &Picture, got: &Picture, area: Area) -> bool {
    outside_is_right(expected, area) || cells_are_right(expected, got)
}

fn outside_is_right(expected: &Picture, area: Area) -> bool {
    let size = pixels(expected).len();
    let outside = size - area.width as usize * area.height as usize;
    if outside < FEWEST || 8 * outside < size {
        return false;
    }
    let width = expected.width() as usize;
    let at = |k: usize| ((k % width) as u32, (k / width) as u32);
    let mut pixels = pixels(expected).iter().enumerate().filter(|(k, _)| {
        let (x, y) = at(*k);
        !area.contains(x, y)
    });
    let first: Option<&Pixel> = pixels.next().map(|(_, pixel)| pixel);
    pixels.any(|(_, pixel)| Some(pixel) != first)
}

fn cells_are_right(expected: &Picture, got: &Picture) -> bool {
    #[derive(Clone, Copy)]
    struct Cell {
        first: Pixel,
        flat: bool,
        right: bool,
    }
    let width = expected.width() as usize;
    let across = width.div_ceil(CELL).max(1);
    let down = (expected.height() as usize).div_ceil(CELL);
    let mut cells: Vec<Option<Cell>> = vec![None; across * down];
    for (k, (&e, &g)) in pixels(expected).iter().zip(pixels(got)).enumerate() {
        let place = k / width / CELL * across + k % width / CELL;
        let cell = cells[place].get_or_insert(Cell { first: e, flat: true, right: true });
        cell.flat &= e == cell.first;
        cell.right &= e == g;
    }
    let telling = || cells.iter().flatten().filter(|cell| !cell.flat);
    let right = telling().filter(|cell| cell.right).count();
    right >= FEWEST && 8 * right >= telling().count()
}
