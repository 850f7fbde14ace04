//! Sequences of equivalent files.

use std::ffi::c_char;

use equivalents::{Equivalents, Restriction};

use crate::error::{Failure, Status, keep};
use crate::file::Variant;
use crate::pointer::{bad, free, give, object, texts};
use crate::seed::Seed;

/// A sequence of files that mean what a seed means.
pub struct Variants {
    seed: u64,
    files: Equivalents,
}

/// The dimensions that vary. Each member is NULL, or an array of texts with NULL at its end.
#[repr(C)]
pub struct Limits {
    /// Globs of the dimensions that vary: "orientation", "segment *". All of them vary if there is none.
    pub vary: *const *const c_char,
    /// Globs of dimensions that do not vary.
    pub without: *const *const c_char,
    /// Values that dimensions have in every file: "byte order=MM".
    pub fix: *const *const c_char,
}

impl Limits {
    /// Converts it.
    ///
    /// # Safety
    ///
    /// Its arrays are as it says.
    unsafe fn restriction(&self) -> Result<Restriction, Failure> {
        // SAFETY: by the caller's condition.
        let [vary, without, fix] = unsafe {
            [texts("vary", self.vary)?, texts("without", self.without)?, texts("fix", self.fix)?]
        };
        Ok(Restriction::new().vary(vary).without(without).fix_texts(fix))
    }
}

/// Begins a sequence of files that mean what the seed means. All randomness comes from the number `run`. If
/// `restriction` is NULL, all dimensions vary.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_variants_new(
    seed: *const Seed,
    run: u64,
    restriction: *const Limits,
    variants: *mut *mut Variants,
) -> Status {
    let make = || {
        // SAFETY: by the conditions in the header.
        let (seed, limits) = unsafe { (object("seed", seed)?, restriction.as_ref()) };
        // SAFETY: as above.
        let limits = limits.map(|limits| unsafe { limits.restriction() }).transpose()?;
        let files = seed.files.clone().of_run(run);
        let files = match limits.filter(|limits| !limits.is_empty()) {
            Some(limits) => files.restricted(&limits)?,
            None => files,
        };
        Ok(Some(Variants { seed: seed.number, files }))
    };
    // SAFETY: by the conditions in the header.
    unsafe { give(variants, make) }
}

/// Builds the next file. A sequence has no end, but it is REPFUZZ_END if a hundred attempts in a row give no file:
/// `repfuzz_error` returns the reason of the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_variants_next(
    variants: *mut Variants,
    variant: *mut *mut Variant,
) -> Status {
    let make = || {
        // SAFETY: by the conditions in the header: nobody else uses it meanwhile.
        let variants = unsafe { variants.as_mut() }.ok_or_else(|| bad("variants", "is NULL"))?;
        let made = variants.files.next();
        if made.is_none() {
            variants.files.failure().into_iter().for_each(keep);
        }
        made.map(|made| Variant::new(variants.seed, made)).transpose()
    };
    // SAFETY: by the conditions in the header.
    unsafe { give(variant, make) }
}

/// Frees a sequence. Its files remain.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_variants_free(variants: *mut Variants) {
    // SAFETY: by the conditions in the header.
    unsafe { free(variants) }
}
