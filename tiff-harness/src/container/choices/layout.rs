//! The layout of a container, from the first choice until every part has a place and can be written.

use std::fmt;

use inverter::solve::{ChoiceError, ChoiceSource};
use rustc_hash::FxHashMap;

use super::directory::Directory;
use super::pages::{PageLayout, Target};
use super::required::DefaultContext;
use super::types::{choose_values, fitting};
use super::values::{ABSENT, EXPLICIT, ONE, PER_SAMPLE};
use crate::alternatives;
use crate::container::rules::{Count, rule_of};
use crate::container::write::{
    EntryOrder, Plan, PlannedData, PlannedEntry, PlannedIfd, Spare, ifd_size, needs_block,
};
use crate::container::{ByteOrder, Class, Format, Profile, Tag, Values};
use crate::dimension;
use crate::error::PlanError;

/// A part of the file that needs its own place, in addition to the header and the first directory. Directories are
/// given by their index in [`ContainerLayout::directories`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Values of the first directory that do not fit in their entry.
    Values(Tag),
    /// Data to which the first directory points, by its index in [`ContainerLayout::data`].
    OwnData(usize),
    /// The directory of a page, by its index in [`ContainerLayout::pages`].
    Page(usize),
    /// Values of the directory of a page that do not fit in their entry.
    ValuesOfPage(usize, Tag),
    /// Data to which the directory of a page points, by its index in [`PageLayout::data`].
    DataOfPage(usize, usize),
    /// A further directory.
    Directory(usize),
    /// Values of a further directory that do not fit in their entry.
    ValuesOf(usize, Tag),
    /// The data of a further directory.
    Data(usize),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Values(tag) => write!(f, "the values of {tag}"),
            Part::OwnData(k) => write!(f, "data block {k}"),
            Part::Page(k) => write!(f, "the directory of page {}", k + 2),
            Part::ValuesOfPage(k, tag) => write!(f, "the values of {tag} of page {}", k + 2),
            Part::DataOfPage(k, n) => write!(f, "data block {n} of page {}", k + 2),
            Part::Directory(k) => write!(f, "further directory {k}"),
            Part::ValuesOf(k, tag) => write!(f, "the values of {tag} of further directory {k}"),
            Part::Data(k) => write!(f, "the data of further directory {k}"),
        }
    }
}

/// The decided layout of a container whose parts have no places yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerLayout {
    /// The byte order.
    pub order: ByteOrder,
    /// Classic TIFF or BigTIFF.
    pub format: Format,
    /// The bytes that short values leave over.
    pub spare: Spare,
    /// The order of the first directory's entries.
    pub entry_order: EntryOrder,
    /// The entries of the first directory, by tag. The caller adds the strips' places once they are chosen.
    pub entries: Vec<(Tag, Values)>,
    /// Data to which entries point; the caller sets their values once the data has a place.
    pub data: Vec<Vec<u8>>,
    /// The pages after the first, in the order of the chain. Pages that the container adds itself come after them.
    pub pages: Vec<PageLayout>,
    pub(super) profile: Profile,
    pub(super) defaults: DefaultContext,
    pub(super) directories: Vec<Directory>,
    /// The directory that follows the pages in the chain.
    pub(super) next: Option<usize>,
    /// Entries of the first directory whose values are the offsets of directories.
    pub(super) pointers: Vec<(Tag, Vec<usize>)>,
}

impl ContainerLayout {
    /// Returns the profile with which the choices were made.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Returns every directory that the container adds itself: added pages, SubIFDs, and those to which private tags
    /// point.
    pub fn directories(&self) -> &[Directory] {
        &self.directories
    }

    /// Returns the added pages: the directories in the chain after the seed's pages.
    fn added(&self) -> impl Iterator<Item = &Directory> {
        let next = |k: &usize| self.directories.get(*k).and_then(|directory| directory.next);
        std::iter::successors(self.next, next).filter_map(|k| self.directories.get(k))
    }

    /// Returns the number of added pages.
    pub(super) fn added_pages(&self) -> usize {
        self.added().count()
    }

    /// Returns NewSubfileType of each added page.
    pub(super) fn added_subfiles(&self) -> impl Iterator<Item = u64> {
        self.added().map(|page| {
            let entry = page.entries.iter().find(|entry| entry.0 == Tag::NEW_SUBFILE_TYPE);
            entry.and_then(|entry| entry.1.as_integers()?.first().copied()).unwrap_or(0)
        })
    }

    /// Returns the size of the first directory with `more` additional entries.
    pub fn ifd_size(&self, more: usize) -> u64 {
        ifd_size(self.format, self.entries.len().saturating_add(more))
    }

    /// Chooses the form in which the integer tag `tag` has `values`, and adds its entry, if it has one.
    ///
    /// # Errors
    ///
    /// Returns an error if a given choice is not possible here, or no type holds the values.
    pub fn add_tag(
        &mut self,
        source: &mut ChoiceSource,
        tag: Tag,
        values: &[u64],
    ) -> Result<(), ChoiceError> {
        if let Some(values) = self.choose_entry(source, tag, values)? {
            self.entries.push((tag, values));
            self.entries.sort_by_key(|entry| entry.0);
        }
        Ok(())
    }

    /// Chooses the form in which an integer tag has `values`; `None` if it has no entry.
    fn choose_entry(
        &self,
        source: &mut ChoiceSource,
        tag: Tag,
        values: &[u64],
    ) -> Result<Option<Values>, ChoiceError> {
        if self.defaults.is_default(tag, values) {
            let most = values.iter().copied().max().unwrap_or(0);
            // MaxSampleValue is a SHORT, but its default may need more bits.
            if fitting(tag, self.format, most).is_empty()
                || source.named(&dimension::default_of(tag), &[EXPLICIT, ABSENT])? == 1
            {
                return Ok(None);
            }
        }
        let values = if has_count(tag, values) {
            let counts =
                [(values, PER_SAMPLE, Class::Baseline), (&values[..1], ONE, Class::Questionable)];
            let dimension = dimension::count_of(tag);
            alternatives::choose(source, self.profile, &dimension, &counts)?.unwrap_or(values)
        } else {
            values
        };
        choose_values(source, self.profile, self.format, tag, values).map(Some)
    }

    /// Returns the parts that need a place, and their sizes: first the values of the first directory in the order of
    /// `entries`, then its data, then the directory of each page with its values and data, then each further directory
    /// with its values and data. The segments of pages are not included.
    pub fn blocks(&self) -> Vec<(Part, u64)> {
        let needs = |values: &Values| needs_block(self.format, values);
        let own = self.entries.iter().filter(|(_, values)| needs(values));
        let mut blocks: Vec<(Part, u64)> =
            own.map(|(tag, values)| (Part::Values(*tag), values.size())).collect();
        let data = self.data.iter().enumerate();
        blocks.extend(data.map(|(k, data)| (Part::OwnData(k), data.len() as u64)));
        for (k, page) in self.pages.iter().enumerate() {
            blocks.push((Part::Page(k), ifd_size(self.format, page.entries.len())));
            let values = page.entries.iter().filter(|(_, values)| needs(values));
            blocks.extend(values.map(|(tag, values)| (Part::ValuesOfPage(k, *tag), values.size())));
            let data = page.data.iter().enumerate();
            blocks.extend(data.map(|(n, data)| (Part::DataOfPage(k, n), data.len() as u64)));
        }
        for (k, directory) in self.directories.iter().enumerate() {
            blocks.push((Part::Directory(k), ifd_size(self.format, directory.entries.len())));
            let values = directory.entries.iter().filter(|(_, values)| needs(values));
            blocks.extend(values.map(|(tag, values)| (Part::ValuesOf(k, *tag), values.size())));
            if !directory.data.is_empty() {
                blocks.push((Part::Data(k), directory.data.len() as u64));
            }
        }
        blocks
    }

    /// Returns the lengths of the segments of all pages after the first.
    pub fn page_segments(&self) -> Vec<u64> {
        let segments = self.pages.iter().flat_map(|page| &page.segments);
        segments.map(|segment| segment.len() as u64).collect()
    }

    /// Returns the plan of a container of one page that has the directory at `ifd_at` and the blocks at `places`, in
    /// the order of [`ContainerLayout::blocks`]. All pointers in it have their values.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too few or too many places, or a pointer's type does not hold its offset.
    pub fn plan(self, ifd_at: u64, places: &[u64]) -> Result<Plan, PlanError> {
        self.plan_pages(ifd_at, places, &[])
    }

    /// Returns the plan of a container with any number of pages; those after the first have their segments at
    /// `page_segments`.
    ///
    /// # Errors
    ///
    /// As [`ContainerLayout::plan`].
    pub fn plan_pages(
        self,
        ifd_at: u64,
        places: &[u64],
        page_segments: &[u64],
    ) -> Result<Plan, PlanError> {
        let blocks = self.blocks();
        for (needs, has) in [
            (blocks.len(), places.len()),
            (self.pages.iter().map(|page| page.segments.len()).sum(), page_segments.len()),
        ] {
            if needs != has {
                return Err(PlanError::Places { needs, has });
            }
        }
        let parts = blocks.iter().map(|block| block.0);
        let by_part: FxHashMap<Part, u64> = parts.zip(places.iter().copied()).collect();
        let at = |part: Part| by_part.get(&part).copied();
        let next = |k: Option<usize>| k.and_then(|k| at(Part::Directory(k))).unwrap_or(0);
        let after = |k: usize| at(Part::Page(k)).unwrap_or_else(|| next(self.next));

        let mut ifd = PlannedIfd { at: ifd_at, entries: Vec::new(), next: after(0) };
        for (tag, values) in self.entries {
            let to = self.pointers.iter().find(|p| p.0 == tag).map(|p| p.1.as_slice());
            let to = to.map(|to| to.iter().filter_map(|k| at(Part::Directory(*k))).collect());
            let values = pointing(tag, values, to)?;
            ifd.entries.push(PlannedEntry { tag, values, value_at: at(Part::Values(tag)) });
        }
        let own = self.data.into_iter().enumerate();
        let own =
            own.filter_map(|(k, bytes)| Some(PlannedData { at: at(Part::OwnData(k))?, bytes }));
        let (mut further, mut data) = (Vec::new(), own.collect::<Vec<_>>());
        let mut page_segments = page_segments.iter().copied();
        for (k, page) in self.pages.into_iter().enumerate() {
            let segments: Vec<u64> = page_segments.by_ref().take(page.segments.len()).collect();
            let place = |target: Target| match target {
                Target::Segment(n) => segments.get(n).copied(),
                Target::Data(n) => at(Part::DataOfPage(k, n)),
            };
            let mut entries = Vec::new();
            for (tag, values) in page.entries {
                let to = page.pointers.iter().find(|pointer| pointer.0 == tag);
                let to = to.map(|(_, to)| {
                    to.iter().filter_map(|(to, at)| Some(place(*to)? + at)).collect::<Vec<u64>>()
                });
                let values = pointing(tag, values, to)?;
                let value_at = at(Part::ValuesOfPage(k, tag));
                entries.push(PlannedEntry { tag, values, value_at });
            }
            let own = at(Part::Page(k)).unwrap_or(0);
            further.push(PlannedIfd { at: own, entries, next: after(k + 1) });
            let places = (0..page.data.len()).map(|n| at(Part::DataOfPage(k, n)).unwrap_or(0));
            let parts = segments.iter().copied().chain(places);
            let bytes = page.segments.into_iter().chain(page.data);
            data.extend(parts.zip(bytes).map(|(at, bytes)| PlannedData { at, bytes }));
        }
        for (k, directory) in self.directories.into_iter().enumerate() {
            let strip = at(Part::Data(k));
            let mut entries = Vec::new();
            for (tag, values) in directory.entries {
                let to = strip.filter(|_| tag == Tag::STRIP_OFFSETS).map(|at| vec![at]);
                let values = pointing(tag, values, to)?;
                let value_at = at(Part::ValuesOf(k, tag));
                entries.push(PlannedEntry { tag, values, value_at });
            }
            further.push(PlannedIfd { at: next(Some(k)), entries, next: next(directory.next) });
            data.extend(strip.map(|at| PlannedData { at, bytes: directory.data }));
        }
        let Self { order, format, spare, entry_order, .. } = self;
        Ok(Plan { order, format, spare, entry_order, ifd, further, data })
    }
}

/// Returns true if one value may represent all of `values` (`count of T`).
pub(super) fn has_count(tag: Tag, values: &[u64]) -> bool {
    rule_of(tag).is_some_and(|rule| rule.count == Count::PerSample)
        && values.len() > 1
        && values.iter().all(|value| *value == values[0])
}

/// Returns `values` or, if there are offsets `to`, these offsets in the type of `values`.
fn pointing(tag: Tag, values: Values, to: Option<Vec<u64>>) -> Result<Values, PlanError> {
    let Some(to) = to else {
        return Ok(values);
    };
    let kind = values.kind();
    let most = kind.size().map_or(0, |size| u64::MAX >> (64 - 8 * size.clamp(1, 8)));
    let value = to.iter().copied().max().unwrap_or(0);
    let what = || format!("an offset in {tag}");
    Values::offsets(kind, &to).ok_or_else(|| PlanError::TooLarge { what: what(), value, most })
}
