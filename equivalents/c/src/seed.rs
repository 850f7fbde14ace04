//! Seeds: files that were read once, whose equivalents are wanted many times.

use std::ffi::{CString, c_char, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use equivalents::{Choices, Equivalents, Format, MAX_SIZE, Shrinking};

use crate::error::{Failure, Status, guarded};
use crate::file::Variant;
use crate::pointer::{bad, bytes, free, give, object, read_format, tell, text};

/// A file that was read, whose equivalents can be made.
pub struct Seed {
    /// A number that no other seed of this process has.
    pub number: u64,
    /// The sequence of its equivalents, from the beginning.
    pub files: Equivalents,
    format: Format,
    /// The most bytes that a file may take once it is decoded.
    max_size: u64,
    dimensions: OnceLock<Vec<CString>>,
}

impl Seed {
    /// Reads a file.
    pub fn read(format: Format, data: &[u8]) -> Result<Self, Failure> {
        Self::read_within(format, data, MAX_SIZE)
    }

    /// Reads a file that may take `max_size` bytes once it is decoded.
    fn read_within(format: Format, data: &[u8], max_size: u64) -> Result<Self, Failure> {
        static READ: AtomicU64 = AtomicU64::new(0);
        let files = format.equivalents_within(data, max_size)?;
        let number = READ.fetch_add(1, Ordering::Relaxed);
        Ok(Self { number, files, format, max_size, dimensions: OnceLock::new() })
    }

    fn means(&self, data: &[u8]) -> Result<bool, Failure> {
        Ok(self.format.is_equivalent_within(data, &self.files, self.max_size)?)
    }

    /// Begins to shrink a file that was not made of this seed. Returns `None` if that cannot be.
    fn shrinking(&self, data: &[u8]) -> Result<Option<Shrinking>, Failure> {
        Ok(Shrinking::of(&self.format, self.files.seed(), data)?)
    }

    /// Finds the file that differs least and still fails. Returns `None` if the first does not fail.
    fn shrunk(
        &self,
        mut search: Shrinking,
        mut fails: impl FnMut(&[u8]) -> bool,
    ) -> Result<Option<Variant>, Failure> {
        if !fails(search.best()) {
            return Ok(None);
        }
        while let Some(file) = search.next() {
            let answer = fails(file);
            search.answer(answer);
        }
        Variant::new(self.number, search.best().clone()).map(Some)
    }
}

/// Reads a file whose equivalents are wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_seed_open(
    format: *const c_char,
    data: *const u8,
    size: usize,
    seed: *mut *mut Seed,
) -> Status {
    // SAFETY: by the conditions in the header.
    unsafe { give(seed, || Seed::read(read_format(format)?, bytes(data, size)?).map(Some)) }
}

/// Reads a file whose equivalents are wanted, and that may take `max_size` bytes once it is decoded: 8 for each pixel of a
/// picture. Elsewhere the limit is 256 MiB.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_seed_open_within(
    format: *const c_char,
    data: *const u8,
    size: usize,
    max_size: u64,
    seed: *mut *mut Seed,
) -> Status {
    let read = || {
        // SAFETY: by the conditions in the header.
        let (format, data) = unsafe { (read_format(format)?, bytes(data, size)?) };
        Seed::read_within(format, data, max_size).map(Some)
    };
    // SAFETY: as above.
    unsafe { give(seed, read) }
}

/// Frees a seed. Its variants and sequences remain.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_seed_free(seed: *mut Seed) {
    // SAFETY: by the conditions in the header.
    unsafe { free(seed) }
}

/// Returns the name of a dimension in which files that mean what the seed means differ; NULL after the last. The first
/// call for a format that a spec describes makes some hundred files.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_seed_dimension(seed: *const Seed, index: usize) -> *const c_char {
    let name = guarded(|| {
        // SAFETY: by the conditions in the header.
        let seed = unsafe { object("seed", seed) }?;
        let names = seed.dimensions.get_or_init(|| {
            let names = seed.files.dimensions().iter();
            names.map(|name| CString::new(name.as_str()).unwrap_or_default()).collect()
        });
        Ok(names.get(index).map_or(ptr::null(), |name| name.as_ptr()))
    });
    name.unwrap_or(ptr::null())
}

/// Builds the file that differs from the seed in these choices only, and means the same. They are an object of JSON, as
/// `repfuzz_variant_choices` returns it and the program repfuzz prints it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_seed_replay(
    seed: *const Seed,
    choices: *const c_char,
    variant: *mut *mut Variant,
) -> Status {
    let make = || {
        // SAFETY: by the conditions in the header.
        let (seed, choices) = unsafe { (object("seed", seed)?, text("choices", choices)?) };
        let choices: Choices = serde_json::from_str(choices)
            .map_err(|why| Failure::new(Status::RepfuzzBadChoices, format!("choices: {why}")))?;
        Variant::new(seed.number, seed.files.replay(&choices)?).map(Some)
    };
    // SAFETY: by the conditions in the header.
    unsafe { give(variant, make) }
}

/// Decides whether a file means what the seed means.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_seed_equals(
    seed: *const Seed,
    data: *const u8,
    size: usize,
    equal: *mut bool,
) -> Status {
    // SAFETY: by the conditions in the header.
    unsafe { tell(equal, || object("seed", seed)?.means(bytes(data, size)?)) }
}

/// Decides whether two files mean the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_equal(
    format: *const c_char,
    one: *const u8,
    one_size: usize,
    other: *const u8,
    other_size: usize,
    equal: *mut bool,
) -> Status {
    let decide = || {
        // SAFETY: by the conditions in the header.
        let (one, other) = unsafe { (bytes(one, one_size)?, bytes(other, other_size)?) };
        // SAFETY: as above.
        Seed::read(unsafe { read_format(format) }?, one)?.means(other)
    };
    // SAFETY: by the conditions in the header.
    unsafe { tell(equal, decide) }
}

/// Returns true if the test fails on a file. `context` is what the search was given. It must return: to leave by
/// `longjmp` or an exception is undefined.
pub type Fails =
    Option<unsafe extern "C" fn(data: *const u8, size: usize, context: *mut c_void) -> bool>;

/// Returns a test of C as a test of Rust.
///
/// # Safety
///
/// The function may be called with any bytes and `context`, as long as the result lives.
unsafe fn test_of(fails: Fails, context: *mut c_void) -> Result<impl Fn(&[u8]) -> bool, Failure> {
    let fails = fails.ok_or_else(|| bad("fails", "is NULL"))?;
    // SAFETY: the bytes live during the call; the rest is the caller's condition.
    Ok(move |file: &[u8]| unsafe { fails(file.as_ptr(), file.len(), context) })
}

/// Finds the file that differs least from the seed and still fails, as `variant` does. It is REPFUZZ_END if `variant` does not
/// fail when it is built again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_seed_shrink(
    seed: *const Seed,
    variant: *const Variant,
    fails: Fails,
    context: *mut c_void,
    least: *mut *mut Variant,
) -> Status {
    let make = || {
        // SAFETY: by the conditions in the header.
        let (seed, variant) = unsafe { (object("seed", seed)?, object("variant", variant)?) };
        let search = match variant.seed == seed.number {
            true => Some(seed.files.shrinking(variant.made.clone())),
            false => Shrinking::of_equivalent(&seed.format, &seed.files, variant.made.clone())?,
        };
        // SAFETY: by the conditions in the header.
        let fails = unsafe { test_of(fails, context) }?;
        search.map_or(Ok(None), |search| seed.shrunk(search, fails))
    };
    // SAFETY: by the conditions in the header.
    unsafe { give(least, make) }
}

/// Finds the file that differs least from the seed and still fails, as a file does that was made elsewhere, such as by
/// `repfuzz_mutate`. It is REPFUZZ_END if that means something else, or does not fail when it is built again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repfuzz_seed_shrink_file(
    seed: *const Seed,
    data: *const u8,
    size: usize,
    fails: Fails,
    context: *mut c_void,
    least: *mut *mut Variant,
) -> Status {
    let make = || {
        // SAFETY: by the conditions in the header.
        let (seed, data) = unsafe { (object("seed", seed)?, bytes(data, size)?) };
        // SAFETY: by the conditions in the header.
        let fails = unsafe { test_of(fails, context) }?;
        seed.shrinking(data)?.map_or(Ok(None), |search| seed.shrunk(search, fails))
    };
    // SAFETY: by the conditions in the header.
    unsafe { give(least, make) }
}
