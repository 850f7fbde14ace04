//! An array as the list of its writes: ranges of other arrays, copies in another order, computed bytes.

use std::io;
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

use super::shared::Copies;
use super::{Bytes, Shared, WINDOW, zeros};

/// Zeros, for bytes to which nothing was written. There are only a few of them, because an allocator may have to write
/// them.
static ZEROS: LazyLock<Shared> = LazyLock::new(|| vec![0; 1 << 20].into());

/// The minimum length of a range of other bytes that is visited without a copy.
const LONG: usize = 1 << 14;

/// An array made of pieces. Bytes to which nothing was written are zeros; if two writes include the same byte, the
/// later one counts.
#[derive(Debug, Default)]
pub struct Pieces {
    len: usize,
    writes: Vec<Piece>,
    order: OnceLock<Order>,
    flat: OnceLock<Vec<u8>>,
}

#[derive(Debug)]
struct Piece {
    at: Range<usize>,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// A range of memory.
    Range(Shared),
    /// A range of other pieces, starting at this place.
    Part(Arc<Pieces>, usize),
    /// Bytes that were made.
    Own(Vec<u8>),
    /// Copies to places in the range of the piece, but not always to all of them.
    Copies(Box<dyn Copies>),
}

/// The writes by place.
#[derive(Debug)]
struct Order {
    /// The numbers of the writes, sorted by their first bytes.
    by_start: Vec<usize>,
    /// For each position in `by_start`, the greatest end of the writes up to that position.
    ends: Vec<usize>,
}

impl Pieces {
    /// Returns an array of `len` zeros.
    pub fn new(len: usize) -> Self {
        Self { len, ..Self::default() }
    }

    /// Returns the number of bytes.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    fn add(&mut self, at: Range<usize>, content: Content) {
        assert!(at.start <= at.end && at.end <= self.len, "a piece outside of its array");
        self.order = OnceLock::new();
        self.flat = OnceLock::new();
        if !at.is_empty() {
            self.writes.push(Piece { at, content });
        }
    }

    /// Writes the bytes `range` of `from` at `at`.
    ///
    /// # Panics
    ///
    /// Panics if one of the ranges is not inside.
    pub fn push(&mut self, at: usize, from: &Bytes, range: Range<usize>) {
        if let Some((shared, start)) = from.contiguous(&range) {
            return self.push_shared(at, shared.part(range.start - start..range.end - start));
        }
        let Some(pieces) = from.pieces() else {
            return self.add(at..at + range.len(), Content::Own(from.window(range).into_owned()));
        };
        if range.is_empty() {
            return;
        }
        let writes: Vec<&Piece> =
            pieces.meeting(range.clone()).map(|n| &pieces.writes[n]).collect();
        let plain = |piece: &&Piece| !matches!(piece.content, Content::Copies(_));
        let apart = writes.windows(2).all(|pair| pair[0].at.end <= pair[1].at.start);
        if !apart || !writes.iter().all(plain) {
            return self.add(at..at + range.len(), Content::Part(Arc::clone(pieces), range.start));
        }
        let mut end = range.start;
        for piece in writes {
            let inside = piece.at.start.max(range.start)..piece.at.end.min(range.end);
            self.push_zeros(at + (end - range.start), inside.start - end);
            end = inside.end;
            let to = at + (inside.start - range.start);
            let from = inside.start - piece.at.start..inside.end - piece.at.start;
            match &piece.content {
                Content::Range(shared) => self.push_shared(to, shared.part(from)),
                Content::Part(of, start) => {
                    let of = Bytes(super::Repr::Pieces(Arc::clone(of)));
                    self.push(to, &of, start + from.start..start + from.end);
                }
                Content::Own(bytes) => {
                    self.add(to..to + from.len(), Content::Own(bytes[from].to_vec()));
                }
                Content::Copies(_) => {}
            }
        }
        self.push_zeros(at + (end - range.start), range.end - end);
    }

    /// Writes zeros, unless nothing else was written there.
    fn push_zeros(&mut self, at: usize, len: usize) {
        if len > 0 && self.writes.iter().any(|piece| piece.at.start < at + len && at < piece.at.end)
        {
            self.add(at..at + len, Content::Own(vec![0; len]));
        }
    }

    /// Writes a range of memory at `at`.
    fn push_shared(&mut self, at: usize, shared: Shared) {
        if let Some(last) = self.writes.last_mut()
            && last.at.end == at
            && let Content::Range(before) = &mut last.content
            && at + shared.len() <= self.len
            && before.extend(&shared)
        {
            last.at.end += shared.len();
            self.order = OnceLock::new();
            self.flat = OnceLock::new();
            return;
        }
        self.add(at..at + shared.len(), Content::Range(shared));
    }

    /// Writes copies whose targets are all in the range `at`.
    pub(in crate::run) fn push_copies(&mut self, at: Range<usize>, copies: Box<dyn Copies>) {
        self.add(at, Content::Copies(copies));
    }

    /// Returns the bytes of `range`, which are zeros, for the first write.
    pub(super) fn fresh(&mut self, range: Range<usize>) -> &mut [u8] {
        let made = vec![0; range.len()];
        self.write(range, made)
    }

    /// Returns the bytes of `range` for modification.
    pub(super) fn edit(&mut self, range: Range<usize>) -> &mut [u8] {
        let mut made = vec![0; range.len()];
        self.read(range.clone(), &mut made);
        self.write(range, made)
    }

    fn write(&mut self, range: Range<usize>, made: Vec<u8>) -> &mut [u8] {
        if range.is_empty() {
            return &mut [];
        }
        self.add(range, Content::Own(made));
        match self.writes.last_mut().map(|piece| &mut piece.content) {
            Some(Content::Own(made)) => made,
            _ => &mut [],
        }
    }

    fn order(&self) -> &Order {
        self.order.get_or_init(|| {
            let mut by_start: Vec<usize> = (0..self.writes.len()).collect();
            by_start.sort_by_key(|n| self.writes[*n].at.start);
            let mut end = 0;
            let ends = by_start.iter().map(|n| {
                end = end.max(self.writes[*n].at.end);
                end
            });
            let ends = ends.collect();
            Order { by_start, ends }
        })
    }

    /// Returns the numbers of the writes that overlap `range`, sorted by their first bytes.
    fn meeting(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let Order { by_start, ends } = self.order();
        let first = ends.partition_point(|end| *end <= range.start);
        let (start, end) = (range.start, range.end);
        let begun = by_start[first..].iter().take_while(move |n| self.writes[**n].at.start < end);
        begun.copied().filter(move |n| self.writes[*n].at.end > start)
    }

    /// Returns memory that holds all bytes of `range`, and the position of its first byte in this array.
    pub(super) fn contiguous(&self, range: &Range<usize>) -> Option<(&Shared, usize)> {
        let mut writes = self.meeting(range.clone());
        let Some(first) = writes.next() else {
            return (range.len() <= ZEROS.len()).then(|| (&*ZEROS, range.start));
        };
        let Piece { at, content } = &self.writes[first];
        match content {
            Content::Range(shared) if at.start <= range.start && range.end <= at.end => {
                writes.next().is_none().then_some((shared, at.start))
            }
            _ => None,
        }
    }

    /// Reads the bytes of `range` into `out`, which has the same length.
    pub(super) fn read(&self, range: Range<usize>, out: &mut [u8]) {
        if let Some(flat) = self.flat.get() {
            return out.copy_from_slice(&flat[range]);
        }
        let mut writes: Vec<usize> = self.meeting(range.clone()).collect();
        writes.sort_unstable();
        out.fill(0);
        for Piece { at, content } in writes.into_iter().map(|n| &self.writes[n]) {
            let inside = at.start.max(range.start)..at.end.min(range.end);
            let from = inside.start - at.start..inside.end - at.start;
            let out = &mut out[inside.start - range.start..inside.end - range.start];
            match content {
                Content::Range(shared) => {
                    out.copy_from_slice(&shared[from]);
                    shared.passed(out.len());
                }
                Content::Own(bytes) => out.copy_from_slice(&bytes[from]),
                Content::Part(of, start) => of.read(start + from.start..start + from.end, out),
                Content::Copies(copies) => copies.copy(inside, out),
            }
        }
    }

    /// Returns all bytes.
    pub(super) fn flat(&self) -> &[u8] {
        self.flat.get_or_init(|| {
            let mut all = zeros(self.len);
            self.read(0..self.len, &mut all);
            all
        })
    }

    /// Calls `visit` on all bytes of `range`, in order, as slices.
    pub(super) fn each(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut at = range.start;
        let mut window = Vec::new();
        while at < range.end {
            if let Some((piece, until)) = self.plain(at, range.end) {
                let from = at - piece.at.start..until - piece.at.start;
                match &piece.content {
                    Content::Range(shared) => shared.each(from, visit)?,
                    Content::Part(of, start) => {
                        of.each(start + from.start..start + from.end, visit)?;
                    }
                    Content::Own(bytes) => visit(&bytes[from])?,
                    Content::Copies(_) => {}
                }
                at = until;
                continue;
            }
            // Copies up to the next write that need not be copied.
            let most = range.end.min(at + WINDOW);
            let starts = self.meeting(at..most).map(|n| self.writes[n].at.start);
            let mut later = starts.filter(|start| *start > at);
            let end = later.find(|start| self.plain(*start, range.end).is_some()).unwrap_or(most);
            window.resize(end - at, 0);
            self.read(at..end, &mut window);
            visit(&window)?;
            at = end;
        }
        Ok(())
    }

    /// Returns the only write with the bytes from `at` up to some place before `end`, and that place. `None` if there
    /// are several or none, if there are too few bytes, or if the write consists of copies.
    fn plain(&self, at: usize, end: usize) -> Option<(&Piece, usize)> {
        let mut here = self.meeting(at..at + 1).map(|n| &self.writes[n]);
        let piece = here.next().filter(|piece| !matches!(piece.content, Content::Copies(_)))?;
        if here.next().is_some() {
            return None;
        }
        let order = self.order();
        let begun = order.by_start.partition_point(|n| self.writes[*n].at.start <= at);
        let next = order.by_start.get(begun).map_or(end, |n| self.writes[*n].at.start);
        let until = piece.at.end.min(next).min(end);
        (until - at >= LONG.min(end - at)).then_some((piece, until))
    }
}
