//! The library for C and C++: equivalent files, and what they mean.
//!
//! `include/repfuzz.h` is made from this crate by cbindgen, and says in its head who owns what. The functions
//! here convert pointers, and turn errors and panics into a [`Status`]; `equivalents` does the work.
//! The conditions of all of them are those of the header: pointers are null, or to what their types say, and objects
//! come from these functions and have not been freed.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// The functions take pointers from C.
#![allow(unsafe_code)]
// It is in the crate's header, and in that of C, once for all of them.
#![allow(clippy::missing_safety_doc)]

mod error;
mod file;
mod mutator;
mod pointer;
mod seed;
mod value;
mod variants;

pub use error::{Status, repfuzz_error, repfuzz_version};
pub use file::{
    Variant, repfuzz_variant_choices, repfuzz_variant_data, repfuzz_variant_free,
    repfuzz_variant_legality,
};
pub use mutator::{FileMutator, repfuzz_mutate, repfuzz_mutator_free, repfuzz_mutator_new};
pub use seed::{
    Fails, Seed, repfuzz_equal, repfuzz_seed_dimension, repfuzz_seed_equals, repfuzz_seed_free,
    repfuzz_seed_open, repfuzz_seed_open_within, repfuzz_seed_replay, repfuzz_seed_shrink,
    repfuzz_seed_shrink_file,
};
pub use value::{
    Value, repfuzz_canonical_free, repfuzz_canonical_samples, repfuzz_canonical_text,
    repfuzz_normalize, repfuzz_seed_normalize,
};
pub use variants::{
    Limits, Variants, repfuzz_variants_free, repfuzz_variants_new, repfuzz_variants_next,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_may_go_from_thread_to_thread() {
        fn used_by_several<T: Send + Sync>() {}
        fn used_by_one<T: Send>() {}
        used_by_several::<(Seed, Variant, Value)>();
        used_by_one::<(Variants, FileMutator)>();
    }
}
