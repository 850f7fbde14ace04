//! The pages of a seed after its first one.
//!
//! The canonical value of a file is the list of its pages, in the order of the chain of directories. Each page has its
//! own stages and choices; byte order, format and places belong to the file.

use std::sync::Arc;

use inverter::solve::{ChoiceSource, Choices};

use crate::baseline::baseline;
use crate::container::{Container, FieldType};
use crate::dimension::{self, VARYING_PAGES};
use crate::error::TiffError;
use crate::image::{ImageFile, PagesLeftOut, last_page, read_pages};
use crate::picture::Picture;
use crate::pipeline::{Budget, Content, Stages};

/// Dimensions of the whole file, or of its first directory alone.
const OF_THE_FILE: [&str; 6] = [
    dimension::FORMAT,
    dimension::BYTE_ORDER,
    dimension::SPARE_BYTES,
    dimension::ENTRY_ORDER,
    dimension::FURTHER_PAGES,
    dimension::SUB_IFDS,
];

/// A page after the first.
#[derive(Debug)]
pub struct Page {
    number: usize,
    file: ImageFile,
    stages: Stages,
    own: Arc<Choices>,
}

impl Page {
    /// Reads the content of page `number`, whose directory is `file`. Caches of its stages share `budget`.
    fn open(
        number: usize,
        file: ImageFile,
        bytes: &[u8],
        budget: &Budget,
    ) -> Result<Self, TiffError> {
        let content = Content::of_overlapping(&file, bytes)?;
        let mut own = baseline(&file);
        let mut stages = Stages::of_file(&file, content, &own)?;
        stages.share(budget);
        stages.remove_fixed(&mut own);
        for name in OF_THE_FILE {
            own.remove(name);
        }
        let sizes = [
            (dimension::OFFSET_BYTES, Some(file.offset_type)),
            (dimension::COUNT_BYTES, file.count_type),
        ];
        for (name, kind) in sizes {
            if let Some(size) = kind.and_then(FieldType::size) {
                own.set(name, i128::from(size));
            }
        }
        Ok(Self { number, file, stages, own: Arc::new(own) })
    }

    /// Returns its number: the first page of a file has the number 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns its directory.
    pub fn file(&self) -> &ImageFile {
        &self.file
    }

    pub(crate) fn stages(&self) -> &Stages {
        &self.stages
    }

    /// Computes its picture or, if its canonical value is not a picture, the picture that represents it.
    ///
    /// # Panics
    ///
    /// Panics if a stage refuses the samples of an opened page, which would be an internal error.
    pub fn picture(&self) -> Picture {
        self.stages.picture().unwrap_or_else(|e| panic!("{e}"))
    }

    /// Returns its canonical value in one line, if that is not a picture.
    pub fn value(&self) -> Option<String> {
        self.stages.summary()
    }

    /// Returns its canonical value in one line: `8x6` and the digest of its picture, or the value if it is not a
    /// picture.
    pub fn summary(&self) -> String {
        self.value().unwrap_or_else(|| {
            let picture = self.picture();
            format!("{}x{} {}", picture.width(), picture.height(), picture.digest())
        })
    }

    /// Returns true if the page varies.
    pub fn varies(&self) -> bool {
        self.number <= VARYING_PAGES
    }

    /// Returns the choices that the page embodies, by the names of their dimensions in the file; empty if it does not
    /// vary.
    pub(crate) fn own_choices(&self) -> Choices {
        if self.varies() { self.named(&self.own) } else { Choices::new() }
    }

    /// Returns choices by the names of their dimensions in the file.
    pub(crate) fn named(&self, choices: &Choices) -> Choices {
        let scope = dimension::page_scope(self.number);
        let named = |(name, value): (&str, &_)| (format!("{scope}{name}"), Clone::clone(value));
        choices.iter().map(named).collect()
    }

    /// Runs `choose` in the scope of this page, or with the seed's choices if the page does not vary.
    pub(crate) fn within<T>(
        &self,
        source: &mut ChoiceSource,
        choose: impl FnOnce(&mut ChoiceSource) -> T,
    ) -> T {
        if self.varies() {
            return source.within(&dimension::page_scope(self.number), choose);
        }
        let own = ChoiceSource::replaying(Choices::new());
        choose(&mut own.with_baseline(Arc::clone(&self.own)))
    }

    /// Returns true if `other`, a page of the file `bytes`, has the canonical value of this page.
    ///
    /// # Errors
    ///
    /// Returns an error if the other page is refused.
    pub(crate) fn shows(&self, other: &ImageFile, bytes: &[u8]) -> Result<bool, TiffError> {
        if other.subfile_type() != self.file.subfile_type() {
            return Ok(false);
        }
        self.stages.shows(other, Content::of_overlapping(other, bytes)?)
    }
}

/// Reads the pages after `first`, the first page of the file `bytes`, until there are `most` pages, the first included.
/// Returns the intact ones, and the pages after them if one is not intact, or if it exceeds `size` bytes together with
/// the earlier ones.
pub(crate) fn open_pages(
    container: &Container,
    first: &ImageFile,
    bytes: &[u8],
    most: usize,
    size: u64,
) -> (Vec<Page>, Option<PagesLeftOut>) {
    let (files, left) = read_pages(container, first, bytes, most, size);
    let budget = Budget::default();
    let mut pages = Vec::with_capacity(files.len());
    for (from, file) in (2..).zip(files) {
        match Page::open(from, file, bytes, &budget) {
            Ok(page) => pages.push(page),
            Err(why) => {
                let to = last_page(container);
                return (pages, Some(PagesLeftOut { from, to, why }));
            }
        }
    }
    (pages, left)
}
