//! Another reading of a file: an unspecified extra sample as alpha.

use crate::baseline::baseline;
use crate::container::ByteOrder;
use crate::image::ImageFile;
use crate::picture::Picture;
use crate::pipeline::{Content, Stages};

/// ExtraSamples = 2: unassociated alpha (TIFF 6.0, section 8).
const UNASSOCIATED: u16 = 2;

/// Returns the picture of a file whose first extra sample is unspecified, read with that sample as unassociated alpha,
/// as many readers do. If a sample has 32 bits, the upper 16 are used. `None` if the file has no such sample or is not
/// a picture with colors.
pub fn with_unspecified_as_alpha(file: &[u8]) -> Option<Picture> {
    let mut image = ImageFile::read(file).ok()?;
    let first = image.extra_samples.first_mut().filter(|extra| **extra == 0)?;
    *first = UNASSOCIATED;
    let mut content = Content::of_overlapping(&image, file).ok()?;
    if let (32, Content::Samples(data)) = (image.bits, &mut content) {
        let upper = if image.order == ByteOrder::Big { 0..2 } else { 2..4 };
        let halves = data.chunks_exact(4).flat_map(|sample| &sample[upper.clone()]);
        *data = halves.copied().collect::<Vec<u8>>().into();
        image.bits = 16;
    }
    match Stages::of_file(&image, content, &baseline(&image)).ok()? {
        stages @ Stages::Colors(_) => stages.picture().ok(),
        Stages::Samples(_) | Stages::Streams(_) => None,
    }
}
