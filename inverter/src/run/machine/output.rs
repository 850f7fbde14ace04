//! The outputs of a normalization program under construction, and the reads of its inputs.

use fixedbitset::FixedBitSet;

use super::budget::Budget;
use super::element::Element;
use super::elements::Lane;
use super::frame::{Source, place};
use super::halt::Irregular;
use super::nest::Nest;
use super::target::{Known, Row, Target, To, rows};
use crate::program::FieldId;
use crate::run::MAX_CELLS;
use crate::run::store::{Array, Cells, FieldValue, Store};

/// A scalar of the canonical value under construction.
#[derive(Debug, Default)]
pub struct Scalar(Option<i128>);

impl Scalar {
    /// Assigns its value.
    ///
    /// # Errors
    ///
    /// Returns an error if it has one, or this is outside the range.
    pub fn assign(&mut self, range: (i128, i128), value: i128) -> Result<(), Irregular> {
        if self.0.is_some() || value < range.0 || value > range.1 {
            return Err(Irregular);
        }
        self.0 = Some(value);
        Ok(())
    }

    /// Its value.
    ///
    /// # Errors
    ///
    /// Returns an error if it has no value.
    pub fn get(&self) -> Result<i128, Irregular> {
        self.0.ok_or(Irregular)
    }

    /// Converts to a field's value.
    ///
    /// # Errors
    ///
    /// Returns an error if it has no value.
    pub fn field_value(&self) -> Result<FieldValue, Irregular> {
        self.get().map(FieldValue::Scalar)
    }
}

/// An array of the canonical value in the making.
#[derive(Debug)]
pub struct Output<'a, T> {
    array: Option<(Vec<usize>, Cells)>,
    /// The expected elements, if the array is only compared.
    expected: Option<Source<'a, T>>,
    /// The elements that have been assigned; `None` if each element is proved to be assigned once.
    assigned: Option<FixedBitSet>,
    filled: bool,
}

impl<'a, T: Element> Output<'a, T> {
    /// An array without elements so far. `proved` is true if each element is assigned once for every representation. If
    /// there is an expected value, the array is compared with its array `field`.
    ///
    /// # Errors
    ///
    /// Returns an error if that is not an array of such elements.
    pub fn new(
        proved: bool,
        expected: Option<&'a Store>,
        field: FieldId,
    ) -> Result<Self, Irregular> {
        let expected = expected.map(|store| Source::whole(store, field)).transpose()?;
        let assigned = (!proved).then(FixedBitSet::new);
        Ok(Self { array: None, expected, assigned, filled: false })
    }

    /// Allocates the array, unless it is allocated.
    ///
    /// # Errors
    ///
    /// Returns an error if a length has no value yet, or it would be too large.
    pub fn allocate<L: AsRef<[i128]>>(
        &mut self,
        budget: &mut Budget,
        lengths: impl FnOnce() -> Result<L, Irregular>,
    ) -> Result<(), Irregular> {
        if self.array.is_some() {
            return Ok(());
        }
        let lengths: Vec<usize> =
            lengths()?.as_ref().iter().map(|n| usize::try_from(*n).unwrap_or(0)).collect();
        let cells = lengths.iter().try_fold(1usize, |n, l| n.checked_mul(*l)).ok_or(Irregular)?;
        if self.expected.is_some_and(|expected| expected.lengths != lengths) {
            return Err(Irregular);
        }
        let made = if self.expected.is_some() { 0 } else { cells };
        let room = made
            .checked_mul(size_of::<T>())
            .and_then(|n| n.checked_add(cells / 8))
            .ok_or(Irregular)?;
        let most = if T::of_bytes(&[]).is_some() { budget.most_bytes() } else { MAX_CELLS };
        if cells > most {
            return Err(Irregular);
        }
        budget.take_bytes(made * size_of::<T>())?;
        if Vec::<u8>::new().try_reserve_exact(room).is_err() {
            return Err(Irregular);
        }
        budget.allow(cells);
        if let Some(assigned) = &mut self.assigned {
            *assigned = FixedBitSet::with_capacity(cells);
        }
        self.array = Some((lengths, T::zeros(made)));
        Ok(())
    }

    /// Returns true if it is allocated.
    pub fn is_allocated(&self) -> bool {
        self.array.is_some()
    }

    /// The array, to be written in a nest.
    ///
    /// # Errors
    ///
    /// Returns an error if the array is not allocated.
    pub fn target(&mut self) -> Result<Target<'_, T>, Irregular> {
        let (lengths, cells) = self.array.as_mut().ok_or(Irregular)?;
        self.filled = true;
        let known = match &mut self.assigned {
            Some(assigned) => Known::Once(assigned),
            None => Known::Proved,
        };
        let to = match &self.expected {
            Some(expected) => To::Expected(expected.elements),
            None => To::of(cells, false).ok_or(Irregular)?,
        };
        Ok(Target { lengths, to, known })
    }

    /// Assigns a value to an element.
    ///
    /// # Errors
    ///
    /// Returns an error if the element does not exist, already has a value, or the value does not fit.
    pub fn assign(&mut self, index: &[i128], value: i128) -> Result<(), Irregular> {
        let value = T::try_from(value).map_err(|_| Irregular)?;
        let mut target = self.target()?;
        let at = place(target.lengths, index)?;
        if target.known.write(&mut target.to, at, value) { Ok(()) } else { Err(Irregular) }
    }

    /// Converts to a field's value; without elements if it was compared.
    ///
    /// # Errors
    ///
    /// Returns an error if an element has no value.
    pub fn field_value(self) -> Result<FieldValue, Irregular> {
        let (lengths, mut cells) = self.array.ok_or(Irregular)?;
        let whole = match self.assigned {
            Some(assigned) => assigned.is_full(),
            None => self.filled || lengths.contains(&0),
        };
        if !whole {
            return Err(Irregular);
        }
        if let Cells::U8(bytes) = &mut cells {
            bytes.settle();
        }
        Ok(FieldValue::Array(Array { lengths, cells }))
    }
}

/// The elements of an array that are read, and those that are reserved.
#[derive(Debug, Default)]
pub struct Reads {
    read: Vec<(usize, usize)>,
    reserved: Vec<(i128, i128)>,
}

impl Reads {
    /// Records that elements are read.
    pub fn nest<T>(&mut self, nest: &Nest, lane: &Lane<'_, T>) {
        nest.planes([&lane.place], |p| {
            rows(&p, |row| {
                match row {
                    Row::Dense(start, end) => self.run(start, end),
                    // This includes the elements between them; if one is reserved, the interpreter decides.
                    Row::Sparse(p) => {
                        for r in 0..p.rows {
                            let [first] = p.at(r);
                            let last = first.wrapping_add_signed(p.col[0] * (p.cols as isize - 1));
                            self.run(first.min(last), first.max(last) + 1);
                        }
                    }
                }
                true
            })
        });
    }

    /// Records that an element is read, if it exists.
    pub fn one(&mut self, place: impl FnOnce() -> Result<usize, Irregular>) {
        if let Ok(at) = place() {
            self.run(at, at + 1);
        }
    }

    fn run(&mut self, start: usize, end: usize) {
        match self.read.last_mut() {
            Some(last) if last.1 == start => last.1 = end,
            _ => self.read.push((start, end)),
        }
    }

    /// Records that elements are reserved.
    pub fn reserve(&mut self, start: i128, end: i128) {
        if start < end {
            self.reserved.push((start, end));
        }
    }

    /// Checks that reservations are disjoint, unread and within the `len` elements.
    ///
    /// # Errors
    ///
    /// Returns an error if this does not hold or cannot be shown.
    pub fn check(mut self, len: usize) -> Result<(), Irregular> {
        self.reserved.sort_unstable();
        self.read.sort_unstable();
        let mut end = 0;
        for (from, to) in &self.reserved {
            if *from < end {
                return Err(Irregular);
            }
            end = *to;
        }
        if end > len as i128 {
            return Err(Irregular);
        }
        let mut reads = self.read.iter().peekable();
        for (from, to) in &self.reserved {
            // Reads may overlap, but begin in order: the reads that begin before this reservation ends must all end
            // before it begins.
            while let Some((start, end)) = reads.next_if(|r| (r.0 as i128) < *to) {
                if (*end as i128) > *from && start < end {
                    return Err(Irregular);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reservations_are_those_that_no_read_meets(
            reads in prop::collection::vec((0..20usize, 0..5usize), 0..5),
            reserved in prop::collection::vec((-1..20i128, 0..5i128), 0..4),
        ) {
            let mut noted = Reads::default();
            for (start, len) in &reads {
                if *len > 0 {
                    noted.run(*start, start + len);
                }
            }
            for (start, len) in &reserved {
                noted.reserve(*start, start + len);
            }
            let mut times = [0; 32];
            let mut fine = true;
            for (start, len) in &reserved {
                for k in *start..start + len {
                    match usize::try_from(k) {
                        Ok(k) if k < 22 => times[k] += 1,
                        _ => fine = false,
                    }
                }
            }
            fine &= times.iter().all(|n| *n <= 1);
            for (start, len) in &reads {
                fine &= (*start..start + len).all(|k| times[k] == 0);
            }
            prop_assert_eq!(noted.check(22).is_ok(), fine);
        }
    }
}
