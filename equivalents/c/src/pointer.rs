//! Pointers of C as values of Rust, and back.

use std::ffi::{CStr, c_char};
use std::ptr;

use equivalents::Format;

use crate::error::{Failure, Status, guarded};

/// Creates the error of an argument.
pub fn bad(argument: &str, why: &str) -> Failure {
    Failure::new(Status::RepfuzzBadArgument, format!("{argument} {why}"))
}

/// Returns the bytes at `data`.
///
/// # Safety
///
/// If `data` is not null, `size` bytes there can be read and do not change while the result lives.
pub unsafe fn bytes<'b>(data: *const u8, size: usize) -> Result<&'b [u8], Failure> {
    match (data.is_null(), size) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(bad("data", "is NULL, and its size is not 0")),
        (false, size) if size > isize::MAX as usize => {
            Err(bad("size", "is greater than PTRDIFF_MAX"))
        }
        // SAFETY: by the caller's condition.
        (false, size) => Ok(unsafe { std::slice::from_raw_parts(data, size) }),
    }
}

/// Returns the text at `text`, which errors call `argument`.
///
/// # Safety
///
/// If it is not null, it ends with a zero, and does not change while the result lives.
pub unsafe fn text<'t>(argument: &str, text: *const c_char) -> Result<&'t str, Failure> {
    if text.is_null() {
        return Err(bad(argument, "is NULL"));
    }
    // SAFETY: by the caller's condition.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|_| bad(argument, "is no UTF-8"))
}

/// Returns the texts of an array that ends with null; none if it is null itself.
///
/// # Safety
///
/// It can be read up to that null, and each text as by [`text`].
pub unsafe fn texts(
    argument: &str,
    mut array: *const *const c_char,
) -> Result<Vec<String>, Failure> {
    let mut all = Vec::new();
    // SAFETY: each element up to null can be read, by the caller's condition.
    while let Some(&one) = unsafe { array.as_ref() }.filter(|one| !one.is_null()) {
        // SAFETY: by the caller's condition.
        all.push(unsafe { text(argument, one) }?.to_owned());
        // SAFETY: the element was not null, so that there is another.
        array = unsafe { array.add(1) };
    }
    Ok(all)
}

/// Reads the format of this name, or that of the spec at this path; null is TIFF.
///
/// # Safety
///
/// As for [`text`].
pub unsafe fn read_format(name: *const c_char) -> Result<Format, Failure> {
    if name.is_null() {
        return Ok(Format::Tiff);
    }
    // SAFETY: by the caller's condition.
    let name = unsafe { text("format", name) }?;
    let read = match name.ends_with(".rs") || name.ends_with(".toml") {
        true => Format::from_file(name),
        false => Format::shipped(name),
    };
    Ok(read?)
}

/// Returns the object at `pointer`, which errors call `argument`.
///
/// # Safety
///
/// If it is not null, it is an object of this type that has not been freed.
pub unsafe fn object<'o, T>(argument: &str, pointer: *const T) -> Result<&'o T, Failure> {
    // SAFETY: by the caller's condition.
    unsafe { pointer.as_ref() }.ok_or_else(|| bad(argument, "is NULL"))
}

/// Stores a value at `place`, unless that is null. C may have left anything there, so that there is no reference to it.
///
/// # Safety
///
/// `place` is null or can be written.
pub unsafe fn put<T: Copy>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: by the caller's condition.
        unsafe { place.write(value) }
    }
}

/// Runs `make`, and stores a new object at `place`; null if it made none.
///
/// # Safety
///
/// `place` is null or can be written.
pub unsafe fn give<T>(
    place: *mut *mut T,
    make: impl FnOnce() -> Result<Option<T>, Failure>,
) -> Status {
    if place.is_null() {
        return failed(bad("the last argument", "is NULL"));
    }
    let (made, status) = match guarded(make) {
        Ok(Some(made)) => (Box::into_raw(Box::new(made)), Status::RepfuzzOk),
        Ok(None) => (ptr::null_mut(), Status::RepfuzzEnd),
        Err(status) => (ptr::null_mut(), status),
    };
    // SAFETY: by the caller's condition.
    unsafe { put(place, made) };
    status
}

/// Runs `decide`, and stores its result at `place`; false if it fails.
///
/// # Safety
///
/// `place` is null or can be written.
pub unsafe fn tell(place: *mut bool, decide: impl FnOnce() -> Result<bool, Failure>) -> Status {
    if place.is_null() {
        return failed(bad("the last argument", "is NULL"));
    }
    let decided = guarded(decide);
    // SAFETY: by the caller's condition.
    unsafe { put(place, decided == Ok(true)) };
    decided.map_or_else(|status| status, |_| Status::RepfuzzOk)
}

/// Keeps the text of a failure, and returns its status.
fn failed(failure: Failure) -> Status {
    guarded::<()>(|| Err(failure)).map_or_else(|status| status, |()| Status::RepfuzzOk)
}

/// Frees an object.
///
/// # Safety
///
/// It is null, or was made by [`give`] and has not been freed.
pub unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: it was made by `Box::into_raw`, by the caller's condition.
        let object = unsafe { Box::from_raw(object) };
        let _ = guarded(|| {
            drop(object);
            Ok(())
        });
    }
}
