//! The bytes of an array: separate memory, part of shared memory, or pieces.
//!
//! A stage that leaves bytes unchanged returns ranges of its input; one that moves them returns a list of copies
//! ([`Pieces`]). Bytes are materialized where they are read, a window at a time; [`Deref`] is for code that needs all
//! of them at once.

mod pieces;
mod shared;

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

pub use pieces::Pieces;
pub use shared::{Copies, Memory, PASSING, Shared};

/// The minimum number of bytes of an array made of pieces. For smaller arrays the lists cost more than copies.
pub const LARGE: usize = 1 << 20;

/// Returns `len` zeros. A large array gets spare capacity: its owner can append without a copy, and
/// its memory, once freed, fits the next array.
pub(super) fn zeros<T: Copy + Default>(len: usize) -> Vec<T> {
    const MANY: usize = 1 << 20;
    if len < MANY {
        return vec![T::default(); len];
    }
    let mut cells = vec![T::default(); len.saturating_add(len / 16)];
    cells.truncate(len);
    cells
}

/// The number of bytes that are materialized at a time.
const WINDOW: usize = 1 << 17;

/// The bytes of an array.
#[derive(Clone)]
pub struct Bytes(Repr);

#[derive(Clone)]
enum Repr {
    Own(Vec<u8>),
    Shared(Shared),
    Pieces(Arc<Pieces>),
}

impl Bytes {
    /// Returns `len` zeros.
    pub fn zeros(len: usize) -> Self {
        match len {
            LARGE.. => Self::from(Pieces::new(len)),
            _ => Self::from(vec![0; len]),
        }
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> usize {
        match &self.0 {
            Repr::Own(bytes) => bytes.len(),
            Repr::Shared(shared) => shared.len(),
            Repr::Pieces(pieces) => pieces.len(),
        }
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the byte at `at`.
    pub fn byte(&self, at: usize) -> Option<u8> {
        match &self.0 {
            Repr::Own(bytes) => bytes.get(at).copied(),
            Repr::Shared(shared) => shared.get(at).copied(),
            Repr::Pieces(pieces) => {
                let mut byte = [0];
                (at < pieces.len()).then(|| pieces.read(at..at + 1, &mut byte))?;
                Some(byte[0])
            }
        }
    }

    /// Returns the bytes of `range`, as far as they exist.
    pub fn window(&self, range: Range<usize>) -> Cow<'_, [u8]> {
        let range = self.clip(range);
        match &self.0 {
            Repr::Own(bytes) => bytes[range].into(),
            Repr::Shared(shared) => shared[range].into(),
            Repr::Pieces(pieces) => match pieces.contiguous(&range) {
                Some((shared, from)) => shared[range.start - from..range.end - from].into(),
                None => {
                    let mut bytes = vec![0; range.len()];
                    pieces.read(range, &mut bytes);
                    bytes.into()
                }
            },
        }
    }

    /// Returns the bytes of `range`, or as many of them as exist: a part of the same memory, unless that is this
    /// array's own.
    pub fn slice(&self, range: Range<usize>) -> Self {
        let range = self.clip(range);
        match &self.0 {
            Repr::Own(bytes) => bytes[range].to_vec().into(),
            Repr::Shared(shared) => Self(Repr::Shared(shared.part(range))),
            Repr::Pieces(_) => {
                let mut pieces = Pieces::new(range.len());
                pieces.push(0, self, range);
                let mut all = Self::from(pieces);
                all.settle();
                all
            }
        }
    }

    /// Returns the concatenated bytes of `parts`, each as far as it exists.
    pub fn joined(self, parts: impl Iterator<Item = Range<usize>>) -> Self {
        let parts = parts.map(|part| self.clip(part));
        if let Repr::Own(_) = &self.0 {
            let parts: Vec<Range<usize>> = parts.collect();
            let mut bytes = self.into_vec();
            return match parts.windows(2).all(|pair| pair[0].end <= pair[1].start) {
                true => {
                    let mut end = 0;
                    for part in parts {
                        let len = part.len();
                        bytes.copy_within(part, end);
                        end += len;
                    }
                    bytes.truncate(end);
                    bytes.into()
                }
                false => parts.into_iter().flat_map(|part| bytes[part].to_vec()).collect(),
            };
        }
        let parts: Vec<Range<usize>> = parts.collect();
        let mut pieces = Pieces::new(parts.iter().map(Range::len).sum());
        let mut at = 0;
        for part in parts {
            let len = part.len();
            pieces.push(at, &self, part);
            at += len;
        }
        let mut all = Self::from(pieces);
        all.settle();
        all
    }

    fn clip(&self, range: Range<usize>) -> Range<usize> {
        let end = range.end.min(self.len());
        range.start.min(end)..end
    }

    /// Returns the bytes of `range`, which are zeros, for the first write.
    ///
    /// # Panics
    ///
    /// Panics if the range is not inside.
    pub fn fresh(&mut self, range: Range<usize>) -> &mut [u8] {
        assert!(range.end <= self.len(), "bytes outside of an array");
        if self.recording().is_none() {
            return &mut self.own()[range];
        }
        self.recording().map_or(&mut [], |pieces| pieces.fresh(range))
    }

    /// Returns the bytes of `range` for modification; `None` if it is not inside.
    pub fn edit(&mut self, range: Range<usize>) -> Option<&mut [u8]> {
        if range.start > range.end || range.end > self.len() {
            return None;
        }
        if self.recording().is_none() {
            return self.own().get_mut(range);
        }
        Some(self.recording()?.edit(range))
    }

    /// Appends a byte.
    pub(super) fn push(&mut self, byte: u8) {
        self.own().push(byte);
    }

    /// Returns the pieces, if the array consists of pieces without other references.
    pub(super) fn recording(&mut self) -> Option<&mut Pieces> {
        match &mut self.0 {
            Repr::Pieces(pieces) => Arc::get_mut(pieces),
            _ => None,
        }
    }

    /// Returns true if the array consists of pieces without other references.
    pub(super) fn is_recording(&self) -> bool {
        self.pieces().is_some_and(|pieces| Arc::strong_count(pieces) == 1)
    }

    /// Returns the pieces, if the bytes are pieces.
    fn pieces(&self) -> Option<&Arc<Pieces>> {
        match &self.0 {
            Repr::Pieces(pieces) => Some(pieces),
            _ => None,
        }
    }

    /// Returns true if other arrays can refer to these bytes without a copy.
    pub(super) fn can_be_shared(&self) -> bool {
        !matches!(self.0, Repr::Own(_))
    }

    /// Returns memory that holds all bytes of `range`, and the position of its first byte in this array.
    pub(super) fn contiguous(&self, range: &Range<usize>) -> Option<(&Shared, usize)> {
        match &self.0 {
            Repr::Shared(shared) => Some((shared, 0)),
            Repr::Pieces(pieces) => pieces.contiguous(range),
            Repr::Own(_) => None,
        }
    }

    /// Reports to the shared memory of these bytes that a [`Bytes::window`] was read in passing.
    fn passed(&self, window: Range<usize>) {
        let window = self.clip(window);
        if let Some((shared, _)) = self.contiguous(&window) {
            shared.passed(window.len());
        }
    }

    /// Moves large owned bytes into memory that can be shared, and turns pieces that form one range into part of that
    /// memory.
    pub fn settle(&mut self) {
        let shared = match &mut self.0 {
            Repr::Own(bytes) if bytes.len() >= LARGE => Some(Shared::from(std::mem::take(bytes))),
            Repr::Pieces(pieces) => pieces
                .contiguous(&(0..pieces.len()))
                .and_then(|(all, from)| (from == 0).then(|| all.part(0..pieces.len()))),
            _ => None,
        };
        if let Some(shared) = shared {
            self.0 = Repr::Shared(shared);
        }
    }

    /// Returns the bytes as owned memory; without a copy if they are owned already.
    fn own(&mut self) -> &mut Vec<u8> {
        if !matches!(self.0, Repr::Own(_)) {
            let whole = std::mem::take(self).into_vec();
            self.0 = Repr::Own(whole);
        }
        match &mut self.0 {
            Repr::Own(bytes) => bytes,
            // The bytes were just made owned.
            Repr::Shared(_) | Repr::Pieces(_) => unreachable!("bytes are their own"),
        }
    }

    /// Returns all bytes; without a copy if the memory is not shared.
    pub fn into_vec(self) -> Vec<u8> {
        match self.0 {
            Repr::Own(bytes) => bytes,
            Repr::Shared(shared) => shared.into_vec(),
            Repr::Pieces(pieces) => {
                let mut whole = zeros(pieces.len());
                pieces.read(0..pieces.len(), &mut whole);
                whole
            }
        }
    }

    /// Calls `visit` on all bytes of `range`, in order, as slices.
    ///
    /// # Errors
    ///
    /// Returns the errors of `visit`.
    pub fn each(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let range = self.clip(range);
        match &self.0 {
            Repr::Own(bytes) => visit(&bytes[range]),
            Repr::Shared(shared) => shared.each(range, visit),
            Repr::Pieces(pieces) => pieces.each(range, visit),
        }
    }

    /// Writes all bytes.
    ///
    /// # Errors
    ///
    /// Returns the errors of `out`.
    pub fn write_to(&self, out: impl Write) -> io::Result<()> {
        // Only small slices go through the buffer.
        let mut out = io::BufWriter::with_capacity(WINDOW, out);
        self.each(0..self.len(), &mut |slice| out.write_all(slice))?;
        out.flush()
    }
}

impl Default for Bytes {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Repr::Own(bytes))
    }
}

impl FromIterator<u8> for Bytes {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        bytes.into_iter().collect::<Vec<u8>>().into()
    }
}

impl From<Pieces> for Bytes {
    fn from(pieces: Pieces) -> Self {
        Self(Repr::Pieces(Arc::new(pieces)))
    }
}

impl From<Shared> for Bytes {
    fn from(shared: Shared) -> Self {
        Self(Repr::Shared(shared))
    }
}

impl From<Arc<dyn Memory>> for Bytes {
    fn from(memory: Arc<dyn Memory>) -> Self {
        Shared::from(memory).into()
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Repr::Own(bytes) => bytes,
            Repr::Shared(shared) => shared,
            Repr::Pieces(pieces) => pieces.flat(),
        }
    }
}

impl DerefMut for Bytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.own()
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Self) -> bool {
        if let (Repr::Own(one), Repr::Own(other)) = (&self.0, &other.0) {
            return one == other;
        }
        self.len() == other.len()
            && (0..self.len()).step_by(WINDOW).all(|at| {
                let window = at..at + WINDOW;
                let same = self.window(window.clone()) == other.window(window.clone());
                // A map of a file need not be in memory as a whole.
                [self, other].into_iter().for_each(|bytes| bytes.passed(window.clone()));
                same
            })
    }
}

impl Eq for Bytes {}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Own(bytes) => bytes.fmt(f),
            _ => write!(f, "{} bytes", self.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LEN: usize = 60;

    /// A write to an array: a kind, a place, the range of a source, and a number.
    type Step = (u8, usize, (usize, usize), u8);

    /// Writes to pieces and to plain bytes with the same expected content; returns both.
    fn written(steps: &[Step]) -> (Bytes, Vec<u8>) {
        let (mut bytes, mut expected) = (Bytes::from(Pieces::new(LEN)), vec![0; LEN]);
        // The arrays that later ones refer to.
        let mut sources =
            vec![(Bytes::from(Shared::from((1..=60).collect::<Vec<u8>>())), (1..=60).collect())];
        for (kind, at, (start, len), n) in steps {
            let len = *len.min(&(LEN - at)).min(&(LEN - start));
            let range = *start..start + len;
            let to = *at..at + len;
            match kind {
                0..4 => {
                    let (source, values): &(Bytes, Vec<u8>) =
                        &sources[usize::from(*n) % sources.len()];
                    bytes.recording().unwrap().push(*at, source, range.clone());
                    expected[to].copy_from_slice(&values[range]);
                }
                4 => {
                    bytes.fresh(to.clone()).fill(*n);
                    expected[to].fill(*n);
                }
                5 => {
                    let part = bytes.edit(to.clone()).unwrap();
                    assert_eq!(part, &expected[to.clone()]);
                    part.iter_mut().for_each(|b| *b = b.wrapping_add(*n));
                    expected[to].iter_mut().for_each(|b| *b = b.wrapping_add(*n));
                }
                6 => {
                    sources.push((bytes, expected));
                    (bytes, expected) = (Bytes::from(Pieces::new(LEN)), vec![0; LEN]);
                }
                _ => sources.push((expected.clone().into(), expected.clone())),
            }
        }
        (bytes, expected)
    }

    fn step() -> impl Strategy<Value = Step> {
        (0..8u8, 0..LEN, (0..LEN, 0..LEN), any::<u8>())
    }

    proptest! {
        #[test]
        fn pieces_are_what_was_written(
            steps in prop::collection::vec(step(), 0..12),
            (start, len) in (0..LEN, 0..LEN),
        ) {
            let (bytes, expected) = written(&steps);
            let range = start..(start + len).min(LEN);
            prop_assert_eq!(&*bytes.window(range.clone()), &expected[range.clone()]);
            prop_assert_eq!(&*bytes.slice(range.clone()).into_vec(), &expected[range.clone()]);
            let mut visited = Vec::new();
            bytes.each(range.clone(), &mut |slice| {
                visited.extend_from_slice(slice);
                Ok(())
            }).unwrap();
            prop_assert_eq!(&visited, &expected[range.clone()]);
            let all: Vec<Option<u8>> = (0..=LEN).map(|at| bytes.byte(at)).collect();
            prop_assert_eq!(all, expected.iter().copied().map(Some).chain([None]).collect::<Vec<_>>());
            prop_assert!(bytes == Bytes::from(expected.clone()));
            let parts = [range.clone(), 0..start];
            let joined = [&expected[range], &expected[..start]].concat();
            prop_assert_eq!(&bytes.clone().joined(parts.clone().into_iter()).into_vec(), &joined);
            let own = Bytes::from(expected.clone());
            prop_assert_eq!(&own.joined(parts.into_iter()).into_vec(), &joined);
            let mut file = Vec::new();
            bytes.write_to(&mut file).unwrap();
            prop_assert_eq!(&file, &expected);
            let mut settled = bytes.clone();
            settled.settle();
            prop_assert!(settled == bytes);
            prop_assert_eq!(&*bytes, &expected[..]);
            prop_assert_eq!(&*bytes.window(0..LEN), &expected[..]);
            prop_assert_eq!(bytes.into_vec(), expected);
        }

        #[test]
        fn bytes_are_equal_if_all_are(
            steps in prop::collection::vec(step(), 0..6), at in 0..LEN,
        ) {
            let (bytes, mut other) = written(&steps);
            other[at] = other[at].wrapping_add(1);
            prop_assert!(bytes != Bytes::from(other));
        }
    }
}
