//! Results of calls: a status, and the text of the last error of each thread.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use equivalents::{NotRead, NotReplayed, RestrictionError};

/// The result of a call.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It is done.
    RepfuzzOk = 0,
    /// There is no such object, or no further one. It is no error.
    RepfuzzEnd = 1,
    /// An argument is NULL, too long, or no UTF-8.
    RepfuzzBadArgument = 2,
    /// There is no such format, or its spec has errors.
    RepfuzzBadSpec = 3,
    /// A file is not of the format, or has a feature that is not supported.
    RepfuzzBadFile = 4,
    /// Choices are no JSON, or no file that means what the seed means has them.
    RepfuzzBadChoices = 5,
    /// A restriction does not fit the seed.
    RepfuzzBadRestriction = 6,
    /// An error of this library.
    RepfuzzInternal = 7,
}

/// An error: its status, and one line.
#[derive(Debug)]
pub struct Failure {
    status: Status,
    text: String,
}

impl Failure {
    /// Creates an error with this text.
    pub fn new(status: Status, text: impl ToString) -> Self {
        Self { status, text: text.to_string() }
    }
}

impl From<NotRead> for Failure {
    fn from(why: NotRead) -> Self {
        let status = match why {
            NotRead::Spec(_) => Status::RepfuzzBadSpec,
            NotRead::File(_) | NotRead::TooLarge(_) => Status::RepfuzzBadFile,
        };
        Self::new(status, why)
    }
}

impl From<NotReplayed> for Failure {
    fn from(why: NotReplayed) -> Self {
        Self::new(Status::RepfuzzBadChoices, why)
    }
}

impl From<RestrictionError> for Failure {
    fn from(why: RestrictionError) -> Self {
        Self::new(Status::RepfuzzBadRestriction, why)
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Keeps the text of an error for [`repfuzz_error`].
pub fn keep(text: &str) {
    let text = CString::new(text.replace(['\0', '\n'], " ")).unwrap_or_default();
    // Nobody calls while the thread ends.
    let _ = LAST.try_with(|last| last.replace(text));
}

/// Runs `work`. Returns `Err` with a status, and keeps the text, if it fails or panics.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Status> {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(done)) => return Ok(done),
        Ok(Err(failure)) => failure,
        Err(payload) => {
            let text = format!("internal error: {}", text_of(&*payload));
            // A payload may panic when it is dropped.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(payload)));
            Failure::new(Status::RepfuzzInternal, text)
        }
    };
    keep(&failure.text);
    Err(failure.status)
}

/// Returns the message of a panic.
fn text_of(payload: &(dyn Any + Send)) -> &str {
    let owned = || payload.downcast_ref::<String>().map(String::as_str);
    payload.downcast_ref::<&str>().copied().or_else(owned).unwrap_or("a panic")
}

/// Returns one line on the last error in this thread; "" if there was none. It is valid until the next error in this
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn repfuzz_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// The version, with a zero at its end.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");

/// Returns the version of this library: "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn repfuzz_version() -> *const c_char {
    CStr::from_bytes_with_nul(VERSION.as_bytes()).unwrap_or_default().as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last() -> String {
        // SAFETY: it is a text of this thread, in which nothing fails meanwhile.
        unsafe { CStr::from_ptr(repfuzz_error()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_panic_is_an_internal_error() {
        assert_eq!(guarded::<()>(|| panic!("of\na kind")), Err(Status::RepfuzzInternal));
        assert_eq!(last(), "internal error: of a kind");
        let number = 7;
        assert_eq!(guarded::<()>(|| panic!("number {number}")), Err(Status::RepfuzzInternal));
        assert_eq!(last(), "internal error: number 7");
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("again");
            }
        }
        assert_eq!(guarded::<()>(|| std::panic::panic_any(Bomb)), Err(Status::RepfuzzInternal));
        assert_eq!(last(), "internal error: a panic");
    }

    #[test]
    fn the_last_error_is_that_of_the_thread() {
        assert_eq!(last(), "");
        let failure = || Failure::new(Status::RepfuzzBadFile, "no\0file");
        assert_eq!(guarded::<()>(|| Err(failure())), Err(Status::RepfuzzBadFile));
        assert_eq!(guarded(|| Ok(1)), Ok(1));
        assert_eq!(last(), "no file");
        std::thread::spawn(|| assert_eq!(last(), "")).join().unwrap();
    }
}
