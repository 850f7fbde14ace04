//! A custom mutator for AFL++, as a shared library: every mutation of a file means the same.
//!
//! The functions are those of AFL++'s `docs/custom_mutators.md`. Two environment variables configure
//! them:
//!
//! | variable           | content                                                                    |
//! |--------------------|----------------------------------------------------------------------------|
//! | `EQUIVALENTS_SPEC` | the format: a spec, or a pipeline; without it, files are TIFF               |
//! | `EQUIVALENTS_SEED` | a file: files that mean something else are not passed to the target, and files are trimmed towards this one. Without it all files are passed, and none is trimmed |
//!
//! Bytes that cannot be read are left to AFL++'s own mutators, unless `AFL_CUSTOM_MUTATOR_ONLY` is set.
//!
//! This is the only file of the crate that contains `unsafe`. AFL++ calls from one thread, and passes the pointer that
//! [`afl_custom_init`] returned to each function.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// The functions take pointers from C.
#![allow(unsafe_code)]

#[deny(unsafe_code)]
mod state;

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::io::Write;
use std::ptr;

pub use state::State;

/// Returns the state to which AFL++ holds a pointer.
///
/// # Safety
///
/// `data` was returned by [`afl_custom_init`], has not been passed to [`afl_custom_deinit`], and nothing else refers to
/// it while the result lives.
unsafe fn state<'s>(data: *mut c_void) -> Option<&'s mut State> {
    // SAFETY: it is a `State` on the heap, by the caller's condition; `as_mut` handles null.
    unsafe { data.cast::<State>().as_mut() }
}

/// Returns the bytes that AFL++ passes.
///
/// # Safety
///
/// If `buf` is not null, `size` bytes there can be read and do not change while the result lives.
unsafe fn bytes<'b>(buf: *const u8, size: usize) -> &'b [u8] {
    match buf.is_null() {
        true => &[],
        // SAFETY: by the caller's condition.
        false => unsafe { std::slice::from_raw_parts(buf, size) },
    }
}

/// Creates the state. Returns null, after a line on standard error, if the format or the seed cannot be
/// read.
#[unsafe(no_mangle)]
pub extern "C" fn afl_custom_init(_afl: *mut c_void, seed: c_uint) -> *mut c_void {
    match State::from_env(seed.into()) {
        Ok(state) => Box::into_raw(Box::new(state)).cast(),
        Err(why) => {
            // Nothing may panic here, as `eprintln!` would if standard error is closed.
            let _ = writeln!(std::io::stderr(), "error: {why}");
            ptr::null_mut()
        }
    }
}

/// Points `out_buf` to another file that means the same as the one in `buf`, of at most `max_size` bytes, and returns
/// its size. Returns 0, with `buf` itself, if there is none. The file lives until the next call.
///
/// # Safety
///
/// As AFL++ calls it: `data` is the state, `buf` has `buf_size` bytes, `out_buf` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_fuzz(
    data: *mut c_void,
    buf: *mut u8,
    buf_size: usize,
    out_buf: *mut *mut u8,
    _add_buf: *mut u8,
    _add_buf_size: usize,
    max_size: usize,
) -> usize {
    // SAFETY: `data` and `buf` fulfil the conditions of both functions, by this function's own conditions.
    let (state, file) = unsafe { (state(data), bytes(buf, buf_size)) };
    let (made, size) = match state.and_then(|state| state.fuzz(file, max_size)) {
        // AFL++ only reads this file.
        Some(made) => (made.as_ptr().cast_mut(), made.len()),
        None => (buf, 0),
    };
    // SAFETY: `out_buf` can be written, by this function's condition.
    unsafe { *out_buf = made };
    size
}

/// Describes the differences of the last mutation from its original, for the names of crashes.
///
/// # Safety
///
/// `data` is the state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_describe(
    data: *mut c_void,
    max_description_len: usize,
) -> *const c_char {
    // SAFETY: by this function's condition.
    match unsafe { state(data) } {
        Some(state) => state.describe(max_description_len).as_ptr(),
        None => c"".as_ptr(),
    }
}

/// Passes the file in `buf` to the target unchanged, if it means the same as the seed or there is no seed. Otherwise
/// passes null and 0, and the target does not run.
///
/// # Safety
///
/// As AFL++ calls it: `data` is the state, `buf` has `buf_size` bytes, `out_buf` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_post_process(
    data: *mut c_void,
    buf: *mut u8,
    buf_size: usize,
    out_buf: *mut *mut u8,
) -> usize {
    // SAFETY: `data` and `buf` fulfil both conditions, by this function's own.
    let (state, file) = unsafe { (state(data), bytes(buf, buf_size)) };
    let (given, size) = match state.is_some_and(|state| state.is_given(file)) {
        true => (buf, buf_size),
        false => (ptr::null_mut(), 0),
    };
    // SAFETY: `out_buf` can be written, by this function's condition.
    unsafe { *out_buf = given };
    size
}

/// Starts to trim the file in `buf` towards the seed. Returns 1 if there is a file to try, otherwise 0.
///
/// # Safety
///
/// As AFL++ calls it: `data` is the state, `buf` has `buf_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_init_trim(
    data: *mut c_void,
    buf: *mut u8,
    buf_size: usize,
) -> c_int {
    // SAFETY: `data` and `buf` fulfil both conditions, by this function's own.
    let (state, file) = unsafe { (state(data), bytes(buf, buf_size)) };
    state.is_some_and(|state| state.init_trim(file)).into()
}

/// Points `out_buf` to the file to try, and returns its size, which never exceeds that of the file being trimmed.
///
/// # Safety
///
/// As AFL++ calls it: `data` is the state, `out_buf` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_trim(data: *mut c_void, out_buf: *mut *mut u8) -> usize {
    // SAFETY: by this function's condition.
    let trimmed = unsafe { state(data) }.map_or(&[][..], |state| state.trim());
    // SAFETY: `out_buf` can be written, by this function's condition.
    unsafe { *out_buf = trimmed.as_ptr().cast_mut() };
    trimmed.len()
}

/// Takes the target's result on that file: `success` if it behaved the same. Returns 0 if there is another file to try,
/// otherwise 1.
///
/// # Safety
///
/// `data` is the state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_post_trim(data: *mut c_void, success: u8) -> c_int {
    // SAFETY: by this function's condition.
    let more = unsafe { state(data) }.is_some_and(|state| state.post_trim(success != 0));
    (!more).into()
}

/// Frees the state.
///
/// # Safety
///
/// `data` is the state, and is passed to no function afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_deinit(data: *mut c_void) {
    if !data.is_null() {
        // SAFETY: it was made by `Box::into_raw` in `afl_custom_init`, and is not used again.
        drop(unsafe { Box::from_raw(data.cast::<State>()) });
    }
}
