//! Reads the first page of a file, and limits the memory that all pages may take.

use crate::container::Container;
use crate::error::TiffError;
use crate::image::{ImageFile, read_image, read_large_image};

/// The way in which a file is read.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// True if the first page may have more pixels than can be computed.
    pub large: bool,
    /// The number of bytes that the pages of the file may take once they are decoded.
    pub size: u64,
}

impl Reading {
    /// Reads the first page of a file, however large it is.
    ///
    /// # Errors
    ///
    /// As [`read_image`].
    pub fn image(self, container: &Container, file: &[u8]) -> Result<ImageFile, TiffError> {
        match self.large {
            true => read_large_image(container, file),
            false => read_image(container, file),
        }
    }

    /// Reads the first page of a file. A page that is too large is refused before anything is decoded.
    ///
    /// # Errors
    ///
    /// As [`read_image`], and [`TiffError::TooLarge`].
    pub fn bounded(self, container: &Container, file: &[u8]) -> Result<ImageFile, TiffError> {
        let page = self.image(container, file)?;
        let length = file.len() as u64;
        let bytes = match self.large {
            true => page.decoded_segments(length),
            false => page.decoded_size(length),
        };
        match bytes > self.size {
            false => Ok(page),
            true => {
                let what = format!("{} x {} pixels", page.width, page.height);
                Err(TiffError::TooLarge { what, bytes, most: self.size })
            }
        }
    }
}
