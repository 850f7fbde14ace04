//! Equivalent files inside fuzz targets in C and C++, as a static library with the functions of
//! `include/equivalents_libfuzzer.h`: a mutation that keeps the meaning of a file, and an oracle.
//!
//! This is the only file of the crate that contains `unsafe`. libFuzzer calls from one thread.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// The functions take pointers from C.
#![allow(unsafe_code)]

#[deny(unsafe_code)]
mod target;

use std::cell::RefCell;
use std::ffi::{CStr, OsStr, c_char, c_int, c_uint, c_void};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::slice;

pub use target::Target;

thread_local! {
    static TARGET: RefCell<Option<Target>> = const { RefCell::new(None) };
}

/// The result of a decoder: `equivalents_result` of the header.
#[derive(Debug, Default)]
pub struct Decoded(Vec<u8>);

/// A decoder: sets its result and returns 1, or returns 0 if it refuses the file.
pub type Decoder = unsafe extern "C" fn(*const u8, usize, *mut Decoded) -> c_int;

/// Prints a line. Nothing may panic here, as `eprintln!` would if standard error is closed.
fn print(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Returns the bytes that C passes.
///
/// # Safety
///
/// If `data` is not null, `size` bytes there can be read and do not change while the result lives.
unsafe fn bytes<'b>(data: *const u8, size: usize) -> &'b [u8] {
    match data.is_null() {
        true => &[],
        // SAFETY: by the caller's condition.
        false => unsafe { slice::from_raw_parts(data, size) },
    }
}

/// Reads the format and the seeds. Returns 0, or 1 after a line on standard error.
///
/// # Safety
///
/// Both arguments are C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn equivalents_init(format: *const c_char, program: *const c_char) -> c_int {
    // SAFETY: by this function's condition.
    let (format, program) = unsafe { (CStr::from_ptr(format), CStr::from_ptr(program)) };
    let program = Path::new(OsStr::from_bytes(program.to_bytes()));
    match Target::of_program(&format.to_string_lossy(), program) {
        Ok(target) => {
            TARGET.set(Some(target));
            0
        }
        Err(why) => {
            print(&format!("error: {why}"));
            1
        }
    }
}

/// Excludes files from the comparison that differ from their seed in a dimension.
///
/// # Safety
///
/// The argument is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn equivalents_keep(dimension: *const c_char) {
    // SAFETY: by this function's condition.
    let dimension = unsafe { CStr::from_ptr(dimension) }.to_string_lossy().into_owned();
    TARGET.with_borrow_mut(|target| {
        if let Some(target) = target {
            target.keep(dimension);
        }
    });
}

/// Replaces a file by another one that means the same, and returns its size. Returns 0 if the file cannot be read or
/// nothing fits.
///
/// # Safety
///
/// `data` has room for `max_size` bytes, and nothing else refers to them. The file is the first `size`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn equivalents_mutate(
    data: *mut u8,
    size: usize,
    max_size: usize,
    seed: c_uint,
) -> usize {
    if data.is_null() || size > max_size {
        return 0;
    }
    // SAFETY: by this function's condition.
    let data = unsafe { slice::from_raw_parts_mut(data, max_size) };
    TARGET.with_borrow_mut(|target| target.as_mut()?.mutate(data, size, seed)).unwrap_or(0)
}

/// Appends bytes to a result.
///
/// # Safety
///
/// `result` is the one that the decoder was given, and `size` bytes can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn equivalents_put(result: *mut Decoded, data: *const c_void, size: usize) {
    // SAFETY: by this function's condition; `as_mut` handles null.
    if let (Some(result), more) = unsafe { (result.as_mut(), bytes(data.cast(), size)) } {
        result.0.extend_from_slice(more);
    }
}

/// Decodes a file. If it means the same as a seed but is decoded to another result, prints the difference between the
/// files and aborts.
///
/// # Safety
///
/// `file` has `size` bytes, and `decoder` may be called with any file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn equivalents_check(file: *const u8, size: usize, decoder: Decoder) {
    let decode = |file: &[u8]| {
        let mut result = Decoded::default();
        // SAFETY: by this function's condition; the result outlives the call.
        let read = unsafe { decoder(file.as_ptr(), file.len(), &raw mut result) };
        (read != 0).then_some(result.0)
    };
    // SAFETY: by this function's condition.
    let file = unsafe { bytes(file, size) };
    let checked = TARGET.with_borrow_mut(|target| match target {
        Some(target) => target.check(file, decode),
        None => Err("equivalents_init was not called, or failed".to_owned()),
    });
    if let Err(why) = checked {
        print(&format!("equivalents: {why}"));
        std::process::abort();
    }
}
