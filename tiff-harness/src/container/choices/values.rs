//! The names of values that several modules use.

use crate::container::ByteOrder;
use crate::container::write::Spare;
/// The name of a default that is absent.
pub(super) use crate::dimension::ABSENT;

/// The byte orders, the simplest first.
pub(super) const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];
/// The bytes that short values leave over.
pub(super) const SPARES: [(Spare, &str); 2] = [(Spare::Zeros, "zeros"), (Spare::Filler, "filler")];
/// The name of a default that is present as an entry.
pub(super) const EXPLICIT: &str = "explicit";
/// Entries in the order of their tags.
pub(super) const ASCENDING: &str = "ascending";
/// One value for each sample.
pub(super) const PER_SAMPLE: &str = "per sample";
/// One value for all samples.
pub(super) const ONE: &str = "one";
