//! Interned names of dimensions: a [`DimensionId`] is `Copy`, and compares and hashes as a number.
//!
//! The interner serves the whole process and only grows. Each thread caches the names that it has resolved, by scope,
//! so that resolving a name again formats and copies nothing and takes no lock. With threads, the numbers differ from
//! run to run. Nothing visible may depend on them, so ids are ordered and shown by name.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{PoisonError, RwLock};

use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The whole name of a dimension.
#[derive(Clone, Copy)]
pub struct DimensionId(&'static Entry);

struct Entry {
    number: u32,
    /// A hash of the name, which is the same in every process.
    hash: u64,
    name: Box<str>,
}

type Names = FxHashMap<&'static str, DimensionId>;

/// All names of this process.
static INTERNED: RwLock<Names> = RwLock::new(Names::with_hasher(FxBuildHasher));

thread_local! {
    /// The short names that this thread has resolved, by the number of their scope.
    static RESOLVED: RefCell<FxHashMap<u32, Names>> = RefCell::default();
}

fn intern(name: &str) -> DimensionId {
    let known = INTERNED.read().unwrap_or_else(PoisonError::into_inner).get(name).copied();
    if let Some(id) = known {
        return id;
    }
    let mut all = INTERNED.write().unwrap_or_else(PoisonError::into_inner);
    // Another thread may have interned it in between.
    if let Some(id) = all.get(name) {
        return *id;
    }
    let number = u32::try_from(all.len()).unwrap_or(u32::MAX);
    let entry: &'static Entry =
        Box::leak(Box::new(Entry { number, hash: hash(name), name: name.into() }));
    all.insert(&entry.name, DimensionId(entry));
    DimensionId(entry)
}

/// Returns the 64-bit FNV-1a hash of a name.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

impl DimensionId {
    /// The id of the dimension with this whole name.
    pub fn new(name: &str) -> Self {
        Scope::root().resolve(name)
    }

    /// The whole name.
    pub fn name(self) -> &'static str {
        &self.0.name
    }

    /// A hash of the whole name, which is the same in every process.
    pub(super) fn hash(self) -> u64 {
        self.0.hash
    }
}

/// The prefix of the names within a part of an inverse.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope(pub(super) Option<DimensionId>);

impl Scope {
    /// The scope without a prefix.
    pub fn root() -> Self {
        Self(None)
    }

    /// The prefix.
    pub fn prefix(self) -> &'static str {
        self.0.map_or("", DimensionId::name)
    }

    /// The scope `prefix` within this one.
    #[must_use]
    pub fn within(self, prefix: &str) -> Self {
        Self(Some(self.resolve(prefix)))
    }

    /// The id of the dimension that is called `short` in this scope.
    pub fn resolve(self, short: &str) -> DimensionId {
        // No interned name has the number `MAX`.
        let scope = self.0.map_or(u32::MAX, |prefix| prefix.0.number);
        RESOLVED.with_borrow_mut(|all| {
            let names = all.entry(scope).or_default();
            if let Some(id) = names.get(short) {
                return *id;
            }
            let id = match self.prefix() {
                "" => intern(short),
                prefix => intern(&format!("{prefix}{short}")),
            };
            names.insert(&id.name()[self.prefix().len()..], id);
            id
        })
    }
}

/// A dimension's name in the form that callers have: a [`DimensionId`], or text.
pub trait IntoDimension {
    /// The dimension. Text is a short name in a scope, and an id is a whole name.
    #[doc(hidden)]
    fn resolve(self, scope: ScopeRef) -> DimensionId;
}

/// A scope, as [`IntoDimension`] takes it.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct ScopeRef(pub(super) Scope);

impl IntoDimension for DimensionId {
    fn resolve(self, _: ScopeRef) -> DimensionId {
        self
    }
}

impl<T: AsRef<str> + ?Sized> IntoDimension for &T {
    fn resolve(self, scope: ScopeRef) -> DimensionId {
        scope.0.resolve(self.as_ref())
    }
}

impl<T: AsRef<str> + ?Sized> From<&T> for DimensionId {
    fn from(name: &T) -> Self {
        Self::new(name.as_ref())
    }
}

impl From<String> for DimensionId {
    fn from(name: String) -> Self {
        Self::new(&name)
    }
}

impl PartialEq for DimensionId {
    fn eq(&self, other: &Self) -> bool {
        self.0.number == other.0.number
    }
}

impl Eq for DimensionId {}

impl Hash for DimensionId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.0.number);
    }
}

impl PartialOrd for DimensionId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for DimensionId {
    fn cmp(&self, other: &Self) -> Ordering {
        if self == other { Ordering::Equal } else { self.name().cmp(other.name()) }
    }
}

impl PartialEq<str> for DimensionId {
    fn eq(&self, other: &str) -> bool {
        self.name() == other
    }
}

impl PartialEq<&str> for DimensionId {
    fn eq(&self, other: &&str) -> bool {
        self.name() == *other
    }
}

impl fmt::Debug for DimensionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.name(), f)
    }
}

impl fmt::Display for DimensionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for DimensionId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for DimensionId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(&String::deserialize(deserializer)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_equal_if_their_ids_are() {
        let scoped = Scope::root().within("a: ").within("b ").resolve("c");
        assert_eq!(scoped, DimensionId::new("a: b c"));
        assert_eq!(scoped.name(), "a: b c");
        let elsewhere = std::thread::spawn(|| DimensionId::new("a: b c")).join().unwrap();
        assert_eq!(scoped, elsewhere);
        assert_ne!(scoped, DimensionId::new("c"));
        assert_eq!(Scope::root().within("").resolve("c"), DimensionId::new("c"));
    }

    #[test]
    fn ids_are_ordered_and_shown_by_name() {
        let mut ids = ["order z", "order a", "order m"].map(DimensionId::new);
        ids.sort();
        assert_eq!(ids.map(DimensionId::name), ["order a", "order m", "order z"]);
        assert_eq!(format!("{} {:?}", ids[0], ids[1]), "order a \"order m\"");
        assert_eq!(serde_json::to_string(&ids[2]).unwrap(), "\"order z\"");
        assert_eq!(serde_json::from_str::<DimensionId>("\"order m\"").unwrap(), ids[1]);
    }
}
