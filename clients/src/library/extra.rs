//! Extra reads of the linked-in crates.

use std::io::Cursor;

use image::{ImageDecoder, ImageFormat};
use tiff::tags::Tag;

use super::failure::Failure;
use super::{image_crate, tiff_crate};
use crate::ExtraRead;
use crate::digest;
use crate::extra::Answer;

/// The extra reads of the crate `image`. Those by several threads are done by the client itself.
pub(super) const IMAGE: &[ExtraRead] =
    &[ExtraRead::Threads, ExtraRead::Rewrite, ExtraRead::Metadata];

/// The extra reads of the crate `tiff`.
pub(super) const TIFF: &[ExtraRead] = &[ExtraRead::Threads, ExtraRead::Pages, ExtraRead::Metadata];

/// Does an extra read by the crate `image`.
pub(super) fn image(read: ExtraRead, file: &[u8]) -> Result<Answer, Failure> {
    match read {
        ExtraRead::Rewrite => {
            let picture = image_crate::read(file, "tif")?;
            let mut out = Cursor::new(Vec::new());
            picture.write_to(&mut out, ImageFormat::Tiff).map_err(image_crate::failure)?;
            Ok(Answer::File(out.into_inner()))
        }
        _ => {
            let mut decoder = image_crate::decoder(file, "tif")?;
            let orientation = decoder.orientation().map_err(image_crate::failure)?.to_exif();
            let profile = decoder.icc_profile().map_err(image_crate::failure)?;
            let profile = profile.map_or("none".to_owned(), |bytes| digest::hex(&bytes));
            Ok(Answer::Text(format!("orientation {orientation}\nprofile {profile}\n")))
        }
    }
}

/// Does an extra read by the crate `tiff`.
pub(super) fn tiff(read: ExtraRead, file: &[u8]) -> Result<Answer, Failure> {
    let mut decoder = tiff_crate::decoder(file)?;
    if read == ExtraRead::Pages {
        let mut pages = vec![tiff_crate::picture(&mut decoder)?];
        while decoder.more_images() {
            decoder.next_image().map_err(tiff_crate::failure)?;
            pages.push(tiff_crate::picture(&mut decoder)?);
        }
        return Ok(Answer::Pictures(pages));
    }
    let mut text = String::new();
    for tag in [
        Tag::ImageDescription,
        Tag::Orientation,
        Tag::XResolution,
        Tag::YResolution,
        Tag::ResolutionUnit,
        Tag::IccProfile,
    ] {
        let value = decoder.find_tag(tag).map_err(tiff_crate::failure)?;
        text.push_str(&format!("{tag:?} {value:?}\n"));
    }
    Ok(Answer::Text(text))
}
