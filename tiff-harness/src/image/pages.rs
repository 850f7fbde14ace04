//! The pages of a file after its first one: the directories of its chain, in order.

use std::fmt;

use crate::container::Container;
use crate::container::read::read_ifd;
use crate::error::TiffError;

use super::read::read_directory;
use super::{ImageFile, MAX_PIXELS};

/// The maximum number of pages of a file that are read.
pub const MAX_PAGES: usize = 1 << 10;

/// The number of bytes by which the values of all pages may exceed the file: pages may share values, but not many large
/// ones.
const SHARED_VALUES: u64 = 1 << 20;

/// The pages that are left out of a file's canonical value: the first damaged or unsupported page, and all pages after
/// it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PagesLeftOut {
    /// The number of the first page that is left out; the first page of a file has the number 1.
    pub from: usize,
    /// The number of the last page that is left out; `None` if the chain of directories breaks there, and its end is
    /// unknown.
    pub to: Option<usize>,
    /// The reason.
    pub why: TiffError,
}

impl fmt::Display for PagesLeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, why } = self;
        match to {
            Some(to) if to == from => write!(f, "page {from} is left out: {why}"),
            Some(to) => {
                write!(f, "pages {from} to {to} are left out, because of page {from}: {why}")
            }
            None => write!(f, "pages after page {} are left out: {why}", from.saturating_sub(1)),
        }
    }
}

/// Reads the pages after `first`, the first page of `file`, until there are `most` pages, the first included. Returns
/// the intact ones, and the pages after them if one is not intact. All pages together have at most [`MAX_PIXELS`]
/// pixels, and take at most `size` bytes ([`ImageFile::decoded_size`]).
pub fn read_pages(
    container: &Container,
    first: &ImageFile,
    file: &[u8],
    most: usize,
    size: u64,
) -> (Vec<ImageFile>, Option<PagesLeftOut>) {
    let mut pages: Vec<ImageFile> = Vec::new();
    let mut reader = Reader { container, file, pixels: 0, bytes: 0, size, values: 0 };
    reader.add(first);
    let to = last_page(container);
    for at in container.later_ifds.iter().take(most.saturating_sub(1)) {
        let from = pages.len() + 2;
        match reader.page(from, *at) {
            Ok(page) => pages.push(page),
            Err(why) => return (pages, Some(PagesLeftOut { from, to, why })),
        }
    }
    let from = pages.len() + 2;
    let broken = container.broken_chain.as_ref().filter(|_| from <= most);
    let left = broken.map(|why| PagesLeftOut { from, to: None, why: why.clone() });
    (pages, left)
}

/// Returns the number of the last page of a file; `None` if the chain of its directories has no end.
pub(crate) fn last_page(container: &Container) -> Option<usize> {
    container.broken_chain.is_none().then_some(container.later_ifds.len() + 1)
}

/// Reads pages, within limits for all of them.
struct Reader<'c> {
    container: &'c Container,
    file: &'c [u8],
    /// The number of pixels of all pages, and the number of bytes that the pages take.
    pixels: u64,
    bytes: u64,
    /// The maximum number of bytes that the pages may take.
    size: u64,
    /// The number of bytes of all values.
    values: u64,
}

impl Reader<'_> {
    /// Reads page `number`, whose directory is at `at`.
    fn page(&mut self, number: usize, at: u64) -> Result<ImageFile, TiffError> {
        let too_many = |what: String, hint| TiffError::Unsupported { what, hint: Some(hint) };
        if number > MAX_PAGES {
            return Err(too_many(format!("a page of number {number}"), "at most 1024 are read"));
        }
        let Container { order, format, .. } = *self.container;
        let ifd = read_ifd(self.file, order, format, at)?;
        let values = ifd.entries.iter().map(|entry| entry.values.size());
        self.values = values.fold(self.values, u64::saturating_add);
        let has = self.file.len() as u64;
        if self.values > has.saturating_add(SHARED_VALUES) {
            let what = format!("a page of number {number} that shares the values of others");
            return Err(too_many(what, "values together are much longer than the file"));
        }
        let page = read_directory(self.container, &ifd, self.file, MAX_PIXELS)?;
        self.add(&page);
        let Self { pixels, bytes, size: most, .. } = *self;
        if pixels > MAX_PIXELS {
            let what = format!("a page with which there are {pixels} pixels in all");
            return Err(too_many(what, "all pages together have at most 67108864"));
        }
        if bytes > most {
            let what = format!("pages 1 to {number}");
            return Err(TiffError::TooLarge { what, bytes, most });
        }
        Ok(page)
    }

    fn add(&mut self, page: &ImageFile) {
        let pixels = u64::from(page.width) * u64::from(page.height);
        self.pixels = self.pixels.saturating_add(pixels);
        self.bytes = self.bytes.saturating_add(page.decoded_size(self.file.len() as u64));
    }
}
