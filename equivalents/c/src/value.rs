//! Canonical values: what files mean.

use std::ffi::{CString, c_char};
use std::ptr;

use equivalents::{Canonical, Picture};

use crate::error::{Failure, Status};
use crate::pointer::{bytes, free, give, object, put, read_format};
use crate::seed::Seed;

/// A canonical value: equal for two files if and only if they mean the same.
pub enum Value {
    /// A picture.
    Picture(Picture),
    /// Another value in one line.
    Text(CString),
}

impl Value {
    fn of(seed: &Seed) -> Result<Self, Failure> {
        match seed.files.canonical() {
            Canonical::Picture(picture) => Ok(Self::Picture(picture)),
            Canonical::Value(text) => CString::new(text)
                .map(Self::Text)
                .map_err(|why| Failure::new(Status::RepfuzzInternal, why)),
        }
    }
}

/// Makes the canonical value of a seed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_seed_normalize(
    seed: *const Seed,
    canonical: *mut *mut Value,
) -> Status {
    // SAFETY: by the conditions in the header.
    unsafe { give(canonical, || Value::of(object("seed", seed)?).map(Some)) }
}

/// Makes the canonical value of a file: equal for two files if and only if they mean the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_normalize(
    format: *const c_char,
    data: *const u8,
    size: usize,
    canonical: *mut *mut Value,
) -> Status {
    // SAFETY: by the conditions in the header.
    let make = || unsafe { Value::of(&Seed::read(read_format(format)?, bytes(data, size)?)?) };
    // SAFETY: as above.
    unsafe { give(canonical, || make().map(Some)) }
}

/// Returns the samples of a picture, row after row in display orientation, and stores its size; NULL if the value is no
/// picture. A pixel is red, green, blue and alpha, not premultiplied; a sample `v` of 8 bits is `v * 257`. Of a TIFF file
/// with several pages it is the first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_canonical_samples(
    canonical: *const Value,
    width: *mut u32,
    height: *mut u32,
) -> *const u16 {
    // SAFETY: by the conditions in the header.
    let picture = match unsafe { canonical.as_ref() } {
        Some(Value::Picture(picture)) => Some(picture),
        _ => None,
    };
    // SAFETY: as above.
    unsafe {
        put(width, picture.map_or(0, Picture::width));
        put(height, picture.map_or(0, Picture::height));
    }
    picture.map_or(ptr::null(), |picture| picture.rgba().as_ptr())
}

/// Returns a value that is no picture in one line: as JSON, or of a TIFF file whose samples are no colors a summary
/// with a digest. NULL for a picture.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_canonical_text(canonical: *const Value) -> *const c_char {
    // SAFETY: by the conditions in the header.
    match unsafe { canonical.as_ref() } {
        Some(Value::Text(text)) => text.as_ptr(),
        _ => ptr::null(),
    }
}

/// Frees a canonical value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_canonical_free(canonical: *mut Value) {
    // SAFETY: by the conditions in the header.
    unsafe { free(canonical) }
}
