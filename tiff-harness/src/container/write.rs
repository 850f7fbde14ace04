//! Writes a plan as bytes (TIFF 6.0, section 2).
//!
//! The caller provides the bytes between the parts (strips and filler), and decides the places of all parts. A plan
//! that does not fit or overlaps itself is refused before anything is written. Offsets should be even, because section
//! 2 requires directories and values on word boundaries; odd ones are written as planned.

use std::fmt;

use inverter::run::Bytes;
use inverter::solve::Fill;
use rand::seq::SliceRandom;

use super::{ByteOrder, Format, Span, Tag, Values};
use crate::error::PlanError;

/// An entry to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedEntry {
    /// The tag.
    pub tag: Tag,
    /// Its values.
    pub values: Values,
    /// The offset of its values, if the entry does not hold them ([`needs_block`]).
    pub value_at: Option<u64>,
}

/// The content of the bytes of a value field that a short value does not use: a SHORT takes the first two of four (TIFF
/// 6.0, section 2, value/offset: left-justified). No reader may interpret them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Spare {
    /// Zeros, as ordinary writers leave them.
    Zeros,
    /// The previous content of the file's buffer.
    Filler,
}

/// The order of the first directory's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryOrder {
    /// By tag, as TIFF 6.0, section 2, demands.
    Ascending,
    /// The random order of this seed, which the standard forbids.
    Shuffled(u64),
}

/// A directory to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedIfd {
    /// Its offset.
    pub at: u64,
    /// Its entries, in any order. The entries of the first directory are written in the plan's order, those of further
    /// directories by tag.
    pub entries: Vec<PlannedEntry>,
    /// The offset of the next directory, 0 for none.
    pub next: u64,
}

/// Bytes to which a further directory points: its strip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedData {
    /// The offset of the bytes.
    pub at: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl PlannedData {
    fn span(&self) -> Span {
        Span { at: self.at, len: self.bytes.len() as u64 }
    }
}

/// A part of a file to be written, which has its own place. It is displayed as its name in errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlannedPart {
    /// The header.
    Header,
    /// A directory.
    Directory {
        /// The number of the directory, if it is not the first.
        further: Option<usize>,
    },
    /// Values that do not fit into their entry.
    Values {
        /// The tag of the values.
        tag: Tag,
        /// The number of the directory, if it is not the first.
        further: Option<usize>,
    },
    /// The data with this number.
    Data(usize),
}

impl fmt::Display for PlannedPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let further = match self {
            PlannedPart::Header => return f.write_str("the header"),
            PlannedPart::Data(k) => return write!(f, "further data {k}"),
            PlannedPart::Directory { further } => {
                f.write_str("the directory")?;
                further
            }
            PlannedPart::Values { tag, further } => {
                write!(f, "the values of {tag}")?;
                further
            }
        };
        match further {
            Some(k) => write!(f, " of further directory {k}"),
            None => Ok(()),
        }
    }
}

/// The structure of a file to be written: a header, the first directory, and everything to which it points. Every
/// pointer has its value, filled in by [`ContainerLayout::plan`](super::choices::ContainerLayout::plan).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The byte order of every number.
    pub order: ByteOrder,
    /// Classic TIFF or BigTIFF.
    pub format: Format,
    /// The bytes that short values leave over.
    pub spare: Spare,
    /// The order of the entries of the first directory.
    pub entry_order: EntryOrder,
    /// The first directory.
    pub ifd: PlannedIfd,
    /// Every other directory: pages, SubIFDs, and those to which private tags point.
    pub further: Vec<PlannedIfd>,
    /// The data of the further directories.
    pub data: Vec<PlannedData>,
}

/// Returns the size of a directory of `entries` entries.
pub fn ifd_size(format: Format, entries: usize) -> u64 {
    (entries as u64)
        .saturating_mul(format.entry_size())
        .saturating_add(format.entry_count_size() + format.offset_size())
}

/// Returns the length of an entry's values, in the entry or in a block.
pub fn value_size(values: &Values) -> u64 {
    values.size()
}

/// Returns true if the values do not fit in the entry: more than 4 bytes, 8 in BigTIFF.
pub fn needs_block(format: Format, values: &Values) -> bool {
    values.size() > format.offset_size()
}

impl PlannedIfd {
    /// Returns the spans of the directory and of its blocks; `further` is the number of a further directory.
    fn spans(
        &self,
        format: Format,
        further: Option<usize>,
    ) -> impl Iterator<Item = (PlannedPart, Span)> {
        let table = Span { at: self.at, len: ifd_size(format, self.entries.len()) };
        let blocks =
            self.entries.iter().filter_map(move |PlannedEntry { tag, values, value_at }| {
                let span = Span { at: (*value_at)?, len: values.size() };
                Some((PlannedPart::Values { tag: *tag, further }, span))
            });
        std::iter::once((PlannedPart::Directory { further }, table)).chain(blocks)
    }

    /// Checks that each entry, and the number of entries, can be written.
    fn check(&self, format: Format) -> Result<(), PlanError> {
        if self.entries.is_empty() {
            return Err(PlanError::NoEntries);
        }
        if self.entries.len() as u64 > format.max_entries() {
            return Err(PlanError::TooManyEntries(self.entries.len()));
        }
        let mut tags: Vec<Tag> = self.entries.iter().map(|entry| entry.tag).collect();
        tags.sort_unstable();
        if let Some(pair) = tags.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(PlanError::Twice(pair[0]));
        }
        for PlannedEntry { tag, values, value_at } in &self.entries {
            let (tag, size) = (*tag, values.size());
            // Values of an unknown type have no more bytes than the field holds.
            if values.kind().size().is_none() && needs_block(format, values) {
                return Err(PlanError::UnknownType { tag, kind: values.kind() });
            }
            fits(|| format!("the count of {tag}"), values.count(), format)?;
            match (needs_block(format, values), *value_at) {
                (true, None) => return Err(PlanError::NoPlace { tag, size }),
                (false, Some(at)) => return Err(PlanError::NeedlessPlace { tag, size, at }),
                (_, at) => fits(|| format!("the offset of {tag}"), at.unwrap_or(0), format)?,
            }
        }
        fits(|| "the offset of the directory".to_owned(), self.at, format)?;
        fits(|| "the offset of the next directory".to_owned(), self.next, format)
    }
}

fn fits(what: impl FnOnce() -> String, value: u64, format: Format) -> Result<(), PlanError> {
    match format.max_offset() {
        most if value > most => Err(PlanError::TooLarge { what: what(), value, most }),
        _ => Ok(()),
    }
}

impl Plan {
    /// Returns a plan of one directory, in ascending order.
    pub fn new(order: ByteOrder, format: Format, spare: Spare, ifd: PlannedIfd) -> Self {
        let entry_order = EntryOrder::Ascending;
        Self { order, format, spare, entry_order, ifd, further: Vec::new(), data: Vec::new() }
    }

    /// Returns the spans of header, directories, blocks and data.
    pub fn spans(&self) -> Vec<(PlannedPart, Span)> {
        let header = Span { at: 0, len: self.format.header_size() };
        let mut spans = vec![(PlannedPart::Header, header)];
        spans.extend(self.ifd.spans(self.format, None));
        for (k, ifd) in self.further.iter().enumerate() {
            spans.extend(ifd.spans(self.format, Some(k)));
        }
        let data = self.data.iter().enumerate();
        spans.extend(data.map(|(k, data)| (PlannedPart::Data(k), data.span())));
        spans
    }

    /// Checks that the plan can be written into a file of `len` bytes.
    ///
    /// # Errors
    ///
    /// The first part that does not fit, overlaps another one or cannot be written.
    pub fn check(&self, len: u64) -> Result<(), PlanError> {
        for ifd in std::iter::once(&self.ifd).chain(&self.further) {
            ifd.check(self.format)?;
        }
        disjoint(self.spans(), len)
    }
}

/// Refuses spans that are outside a file of `len` bytes, or that overlap.
fn disjoint(mut spans: Vec<(PlannedPart, Span)>, len: u64) -> Result<(), PlanError> {
    for (what, span) in &spans {
        if span.end().is_none_or(|end| end > len) {
            let (what, at, needs) = (what.to_string(), span.at, span.len);
            return Err(PlanError::Outside { what, at, needs, has: len });
        }
    }
    spans.sort_by_key(|(_, span)| *span);
    match spans.windows(2).find(|pair| pair[0].1.end() > Some(pair[1].1.at)) {
        Some([(a, _), (b, second)]) => {
            Err(PlanError::Overlap { a: a.to_string(), b: b.to_string(), at: second.at })
        }
        _ => Ok(()),
    }
}

/// A file whose parts can be changed.
trait Editable {
    /// Returns its length in bytes.
    fn length(&self) -> u64;

    /// Returns the bytes of a span for modification; `None` if it is not inside.
    fn edit(&mut self, span: Span) -> Option<&mut [u8]>;
}

impl Editable for [u8] {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn edit(&mut self, span: Span) -> Option<&mut [u8]> {
        span.of_mut(self)
    }
}

impl Editable for Bytes {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn edit(&mut self, span: Span) -> Option<&mut [u8]> {
        let (start, end) = (usize::try_from(span.at).ok()?, usize::try_from(span.end()?).ok()?);
        self.edit(start..end)
    }
}

/// Writes header, directories, blocks and data into `file`, which has its full length and already
/// holds all other parts.
///
/// # Errors
///
/// The errors of [`Plan::check`]; nothing is written then.
pub fn write(plan: &Plan, file: &mut [u8]) -> Result<(), PlanError> {
    write_parts(plan, file)
}

/// As [`write()`], into a file that may consist of pieces.
///
/// # Errors
///
/// As [`write()`].
pub fn write_bytes(plan: &Plan, file: &mut Bytes) -> Result<(), PlanError> {
    write_parts(plan, file)
}

fn write_parts(plan: &Plan, file: &mut (impl Editable + ?Sized)) -> Result<(), PlanError> {
    plan.check(file.length())?;
    write_head(plan.order, plan.format, plan.ifd.at, file)?;
    write_entries(plan, &plan.ifd, plan.entry_order, file)?;
    for ifd in &plan.further {
        write_entries(plan, ifd, EntryOrder::Ascending, file)?;
    }
    for data in &plan.data {
        place(file, data.span(), "further data")?.copy_from_slice(&data.bytes);
    }
    Ok(())
}

/// Writes the header (TIFF 6.0, section 2) of a file whose first directory is at `first`.
///
/// # Errors
///
/// Returns an error if the file is too short or the offset too large.
pub fn write_header(
    order: ByteOrder,
    format: Format,
    first: u64,
    file: &mut [u8],
) -> Result<(), PlanError> {
    write_head(order, format, first, file)
}

fn write_head(
    order: ByteOrder,
    format: Format,
    first: u64,
    file: &mut (impl Editable + ?Sized),
) -> Result<(), PlanError> {
    fits(|| "the offset of the directory".to_owned(), first, format)?;
    let header = place(file, Span { at: 0, len: format.header_size() }, "the header")?;
    let (start, offset) = header.split_at_mut(header.len() - format.offset_size() as usize);
    start[..2].copy_from_slice(order.mark().as_bytes());
    order.put(format.version().into(), &mut start[2..4]);
    if format == Format::Big {
        order.put(8, &mut start[4..6]);
        order.put(0, &mut start[6..8]);
    }
    order.put(first, offset);
    Ok(())
}

/// Writes one directory and its blocks. The plan has been checked.
fn write_entries(
    plan: &Plan,
    ifd: &PlannedIfd,
    entry_order: EntryOrder,
    file: &mut (impl Editable + ?Sized),
) -> Result<(), PlanError> {
    let Plan { order, format, spare, .. } = *plan;
    let mut entries: Vec<&PlannedEntry> = ifd.entries.iter().collect();
    entries.sort_by_key(|entry| entry.tag);
    if let EntryOrder::Shuffled(seed) = entry_order {
        entries.shuffle(&mut Fill::rng(seed));
    }

    let span = Span { at: ifd.at, len: ifd_size(format, entries.len()) };
    let table = place(file, span, "the directory")?;
    let (head, rest) = table.split_at_mut(format.entry_count_size() as usize);
    let (rows, next) = rest.split_at_mut(rest.len() - format.offset_size() as usize);
    order.put(entries.len() as u64, head);
    order.put(ifd.next, next);
    for (row, entry) in rows.chunks_exact_mut(format.entry_size() as usize).zip(&entries) {
        let (head, field) = row.split_at_mut(row.len() - format.offset_size() as usize);
        order.put(entry.tag.0.into(), &mut head[..2]);
        order.put(entry.values.kind().code().into(), &mut head[2..4]);
        order.put(entry.values.count(), &mut head[4..]);
        match entry.value_at {
            Some(at) => order.put(at, field),
            None => {
                let bytes = entry.values.encode(order);
                let (value, left) = field.split_at_mut(bytes.len());
                value.copy_from_slice(&bytes);
                if spare == Spare::Zeros {
                    left.fill(0);
                }
            }
        }
    }
    for entry in entries {
        if let Some(at) = entry.value_at {
            let span = Span { at, len: entry.values.size() };
            place(file, span, "a value")?.copy_from_slice(&entry.values.encode(order));
        }
    }
    Ok(())
}

fn place<'f>(
    file: &'f mut (impl Editable + ?Sized),
    span: Span,
    what: &str,
) -> Result<&'f mut [u8], PlanError> {
    let has = file.length();
    file.edit(span).ok_or_else(|| PlanError::Outside {
        what: what.to_owned(),
        at: span.at,
        needs: span.len,
        has,
    })
}
