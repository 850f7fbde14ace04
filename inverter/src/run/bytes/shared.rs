//! Memory to which several arrays refer.

use std::fmt;
use std::io;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Copies to places of an array, made when the places are read.
pub trait Copies: fmt::Debug + Send + Sync {
    /// Makes the copies to places in `window`, whose bytes are in `out`.
    fn copy(&self, window: Range<usize>, out: &mut [u8]);
}

/// The maximum number of bytes that are read in passing before this is reported.
pub const PASSING: usize = 1 << 22;

/// Immutable bytes, such as a mapped file.
pub trait Memory: fmt::Debug + Send + Sync {
    /// Returns the bytes.
    fn bytes(&self) -> &[u8];

    /// Called when `count` more bytes have been read in passing: the memory that holds them may drop them, if it can
    /// get them back.
    fn passed(&self, count: usize) {
        let _ = count;
    }
}

#[derive(Clone)]
enum Owner {
    Vec(Arc<Vec<u8>>),
    Memory(Arc<dyn Memory>),
}

impl Owner {
    fn bytes(&self) -> &[u8] {
        match self {
            Owner::Vec(bytes) => bytes,
            Owner::Memory(memory) => memory.bytes(),
        }
    }
}

/// A part of memory that others refer to as well.
#[derive(Clone)]
pub struct Shared {
    owner: Owner,
    range: Range<usize>,
}

impl Shared {
    /// Returns a part of this part.
    ///
    /// # Panics
    ///
    /// Panics if it is not inside.
    pub fn part(&self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.range.len(), "a part outside");
        let range = self.range.start + range.start..self.range.start + range.end;
        Self { owner: self.owner.clone(), range }
    }

    /// Appends `next` if it follows in the same memory; otherwise returns false.
    pub(super) fn extend(&mut self, next: &Self) -> bool {
        let same = std::ptr::eq(self.owner.bytes().as_ptr(), next.owner.bytes().as_ptr());
        let follows = same && self.range.end == next.range.start;
        if follows {
            self.range.end = next.range.end;
        }
        follows
    }

    /// Returns the bytes; without a copy if nothing else refers to them.
    pub(super) fn into_vec(self) -> Vec<u8> {
        match self.owner {
            Owner::Vec(bytes) if self.range == (0..bytes.len()) => {
                Arc::try_unwrap(bytes).unwrap_or_else(|bytes| bytes.to_vec())
            }
            owner => owner.bytes()[self.range].to_vec(),
        }
    }

    /// Calls `visit` on the bytes of `range`, in order, as slices.
    pub(super) fn each(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        for slice in self[range].chunks(PASSING) {
            visit(slice)?;
            self.passed(slice.len());
        }
        Ok(())
    }

    /// Reports to the memory that `count` of its bytes have been read in passing.
    pub(in crate::run) fn passed(&self, count: usize) {
        if let Owner::Memory(memory) = &self.owner {
            memory.passed(count);
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bytes {:?}", self.range)
    }
}

impl From<Vec<u8>> for Shared {
    fn from(bytes: Vec<u8>) -> Self {
        let range = 0..bytes.len();
        Self { owner: Owner::Vec(Arc::new(bytes)), range }
    }
}

impl From<Arc<dyn Memory>> for Shared {
    fn from(memory: Arc<dyn Memory>) -> Self {
        let range = 0..memory.bytes().len();
        Self { owner: Owner::Memory(memory), range }
    }
}

impl Deref for Shared {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.owner.bytes()[self.range.clone()]
    }
}
