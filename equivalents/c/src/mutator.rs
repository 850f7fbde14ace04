//! A custom mutator for fuzz targets in C and C++.

use std::ffi::c_char;

use equivalents::Mutator;

use crate::error::{Status, guarded};
use crate::pointer::{bad, free, give, read_format};

/// A mutator, which builds equivalents of any file that it can read.
pub struct FileMutator(Mutator);

/// Creates a mutator of files of a format.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_mutator_new(
    format: *const c_char,
    mutator: *mut *mut FileMutator,
) -> Status {
    // SAFETY: by the conditions in the header.
    unsafe { give(mutator, || Ok(Some(FileMutator(Mutator::new(read_format(format)?))))) }
}

/// Replaces the file in the first `size` bytes of `data` by another one of at most `max_size` bytes that means the same,
/// from the number `seed`. Returns its size. Returns 0, with `data` unchanged, if the file cannot be read or nothing
/// fits: a fuzzer's own mutator then takes over. The arguments are those of LLVMFuzzerCustomMutator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_mutate(
    mutator: *mut FileMutator,
    data: *mut u8,
    size: usize,
    max_size: usize,
    seed: u32,
) -> usize {
    let made = guarded(|| {
        // SAFETY: by the conditions in the header: nobody else uses it meanwhile.
        let mutator = unsafe { mutator.as_mut() }.ok_or_else(|| bad("mutator", "is NULL"))?;
        if data.is_null() || size > max_size || max_size > isize::MAX as usize {
            return Err(bad("data", "is NULL, or its size is not within max_size"));
        }
        // The bytes after the file may not have been written yet, so that there is no slice of them.
        // SAFETY: `size` bytes can be read, by the conditions in the header.
        let file = unsafe { std::slice::from_raw_parts(data, size) };
        Ok(mutator.0.mutate(file, max_size, seed.into()).map(|made| made.bytes))
    });
    let Ok(Some(made)) = made else { return 0 };
    // SAFETY: `data` has room for `max_size` bytes, and these are no more, and elsewhere.
    unsafe { data.copy_from_nonoverlapping(made.as_ptr(), made.len()) };
    made.len()
}

/// Frees a mutator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_mutator_free(mutator: *mut FileMutator) {
    // SAFETY: by the conditions in the header.
    unsafe { free(mutator) }
}
