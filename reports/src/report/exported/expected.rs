//! The values that a test expects: the size, and the pixels or bytes.

use tiff_harness::Picture;

use crate::report::example::Example;

/// For pictures with at most this number of pixels, all pixels are expected.
const ALL: usize = 36;

/// The maximum number of pixels (or of bytes of other content) that a test checks in a larger picture.
const MARKED: usize = 24;

/// The expected values.
pub enum Values {
    /// The values of a picture.
    Pixels {
        width: u32,
        height: u32,
        /// Column, row, and red, green, blue, alpha.
        pixels: Vec<(u32, u32, [u16; 4])>,
        /// True if these are all pixels of the picture.
        all: bool,
    },
    /// The values of other content.
    Bytes {
        length: usize,
        /// Offset and value.
        bytes: Vec<(usize, u8)>,
    },
}

/// Returns the values of the example, whose files contain the picture `canonical`; `None` if it has no pixels. Content
/// that is not a picture is passed in `bytes`.
pub fn values(example: &Example<'_>, canonical: &Picture, bytes: bool) -> Option<Values> {
    let expected = example.expected?;
    if bytes {
        let content = expected.bytes()?;
        let got = example.got.and_then(Picture::bytes);
        let differs = |at: &usize| got.as_ref().is_none_or(|got| got.get(*at) != content.get(*at));
        let places = spread((0..content.len()).filter(differs).collect(), MARKED);
        let bytes = places.into_iter().map(|at| (at, content[at])).collect();
        return Some(Values::Bytes { length: content.len(), bytes });
    }
    let (width, height) = (expected.width(), expected.height());
    let count = width as usize * height as usize;
    let pixel = |picture: &Picture, at: usize| -> [u16; 4] {
        let samples = picture.rgba().get(4 * at..4 * at + 4);
        samples.and_then(|samples| samples.try_into().ok()).unwrap_or_default()
    };
    let got = example.got.filter(|got| (got.width(), got.height()) == (width, height));
    let differs = |at: &usize| got.is_none_or(|got| pixel(got, *at) != pixel(expected, *at));
    // Colours that were multiplied by alpha may be rounded up or down.
    let partial = |[.., alpha]: [u16; 4]| alpha != 0 && alpha != u16::MAX;
    let blended = (0..canonical.rgba().len() / 4).any(|at| partial(pixel(canonical, at)))
        && !(0..count).any(|at| partial(pixel(expected, at)));
    let is_sure = |at: &usize| !blended && !partial(pixel(expected, *at));
    let sure: Vec<usize> = (0..count).filter(is_sure).collect();
    let differing: Vec<usize> = sure.iter().copied().filter(differs).collect();
    let places = match (differing.is_empty(), count <= ALL) {
        // Nothing else may differ.
        (true, _) => spread((0..count).filter(differs).collect(), MARKED),
        (false, true) => sure,
        (false, false) => spread(differing, MARKED),
    };
    let all = places.len() == count;
    let at = |at: usize| {
        let (x, y) = (at % width as usize, at / width as usize);
        (x as u32, y as u32, pixel(expected, at))
    };
    (count > 0).then(|| Values::Pixels {
        width,
        height,
        pixels: places.into_iter().map(at).collect(),
        all,
    })
}

/// Returns at most `most` of `places` at even distances, including the first.
fn spread(places: Vec<usize>, most: usize) -> Vec<usize> {
    let count = places.len();
    match count <= most {
        true => places,
        false => (0..most).map(|k| places[k * count / most]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_spread_evenly() {
        assert_eq!(spread(vec![3, 5], 4), [3, 5]);
        assert_eq!(spread((0..100).collect(), 4), [0, 25, 50, 75]);
    }
}
