//! Files that mean what a seed means.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use equivalents::Equivalent;

use crate::error::{Failure, Status};
use crate::pointer::{free, put};

/// A file that means what its seed means.
pub struct Variant {
    /// The number of the seed that it was made of.
    pub seed: u64,
    /// The file with its choices.
    pub made: Equivalent,
    choices: CString,
    legality: &'static CStr,
}

impl Variant {
    /// Wraps a file that was made of the seed of this number.
    pub fn new(seed: u64, made: Equivalent) -> Result<Self, Failure> {
        let internal = |why: &dyn ToString| Failure::new(Status::RepfuzzInternal, why.to_string());
        let choices = serde_json::to_string(&made.choices).map_err(|why| internal(&why))?;
        let choices = CString::new(choices).map_err(|why| internal(&why))?;
        let legality = match made.class.word() {
            "baseline" => c"baseline",
            "extension" => c"extension",
            _ => c"questionable",
        };
        Ok(Self { seed, made, choices, legality })
    }
}

/// Returns the bytes of the file, and stores their number at `size`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_variant_data(
    variant: *const Variant,
    size: *mut usize,
) -> *const u8 {
    // SAFETY: by the conditions in the header.
    let bytes = unsafe { variant.as_ref() }.map(|variant| &variant.made.bytes);
    // SAFETY: as above.
    unsafe { put(size, bytes.map_or(0, Vec::len)) };
    bytes.map_or(ptr::null(), |bytes| bytes.as_ptr())
}

/// Returns the choices in which the file differs from its seed, as JSON: `{"byte order":"MM"}`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_variant_choices(variant: *const Variant) -> *const c_char {
    // SAFETY: by the conditions in the header.
    unsafe { variant.as_ref() }.map_or(ptr::null(), |variant| variant.choices.as_ptr())
}

/// Returns the class of the file by the standard: "baseline" if every reader must accept it, "extension", or
/// "questionable".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_variant_legality(variant: *const Variant) -> *const c_char {
    // SAFETY: by the conditions in the header.
    unsafe { variant.as_ref() }.map_or(ptr::null(), |variant| variant.legality.as_ptr())
}

/// Frees a variant.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_variant_free(variant: *mut Variant) {
    // SAFETY: by the conditions in the header.
    unsafe { free(variant) }
}
