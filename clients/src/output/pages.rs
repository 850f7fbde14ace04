//! Stacks pages vertically into one picture.

use tiff_harness::Picture;

use super::error::{OutputError, check_size};

/// Returns the pages stacked vertically. Narrower pages are padded with transparent black.
///
/// # Errors
///
/// Returns [`OutputError::TooLarge`].
pub fn joined(mut pages: Vec<Picture>) -> Result<Picture, OutputError> {
    if pages.len() == 1 {
        return Ok(pages.remove(0));
    }
    let width = pages.iter().map(Picture::width).max().unwrap_or(0);
    let height = pages.iter().try_fold(0_u32, |sum, page| sum.checked_add(page.height()));
    let height = height.unwrap_or(u32::MAX);
    check_size(width, height)?;
    let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
    for page in pages {
        for row in page.rgba().chunks_exact(4 * page.width() as usize) {
            rgba.extend_from_slice(row);
            rgba.resize(rgba.len() + 4 * (width - page.width()) as usize, 0);
        }
    }
    Ok(Picture::new(width, height, rgba))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture whose pixels are consecutive numbers, starting with `first`.
    fn counted(width: u32, height: u32, first: u16) -> Picture {
        let pixels = (first..).take((width * height) as usize);
        Picture::new(width, height, pixels.flat_map(|n| [n, 0, 0, 9]).collect())
    }

    fn reds(picture: &Picture) -> Vec<u16> {
        picture.rgba().chunks(4).map(|pixel| pixel[0]).collect()
    }

    #[test]
    fn pages_stand_below_one_another() {
        assert_eq!(joined(vec![counted(2, 1, 5)]).unwrap(), counted(2, 1, 5));
        let both = joined(vec![counted(1, 2, 5), counted(2, 1, 8)]).unwrap();
        assert_eq!((both.width(), both.height()), (2, 3));
        assert_eq!(reds(&both), [5, 0, 6, 0, 8, 9]);
        assert_eq!(both.rgba()[4..8], [0; 4]);
        let large = joined(vec![counted(1, 1, 0), counted(1, 40_000, 0), counted(1000, 1, 0)]);
        assert_eq!(large, Err(OutputError::TooLarge(1000, 40_002)));
    }
}
