//! Index types of an inverse: its ensures, and the conjuncts of each.

use crate::program::index_type;

index_type! {
    /// An ensure, by its position in [`Inverse::ensures`](super::Inverse::ensures).
    EnsureId
}

index_type! {
    /// A conjunct, by its position among those of its ensure.
    ConjunctId
}
