//! The memory that reading a file takes.

// An allocator is unsafe to write.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use tiff_harness::image::Grid;
use tiff_harness::{ImageFile, Seed, TiffError};

/// Counts the bytes that a thread has allocated, and their maximum.
struct Counting;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.get().wrapping_add_unsigned(layout.size());
        NOW.set(now);
        PEAK.set(PEAK.get().max(now));
        // SAFETY: as required of the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.set(NOW.get().wrapping_sub_unsigned(layout.size()));
        // SAFETY: as required of the caller.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

pub const MIB: usize = 1 << 20;

/// Runs `work`. Returns its result, and the most bytes that it had allocated at once, including the
/// result. A block that grows counts at its old and its new place.
pub fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.get();
    PEAK.set(before);
    let result = work();
    (result, usize::try_from(PEAK.get() - before).unwrap_or(0))
}

/// Checks that an error message is one short line.
pub fn assert_one_line(error: &TiffError) {
    let line = error.to_string();
    assert!(!line.is_empty() && line.len() < 300, "{line:?}");
    assert!(!line.chars().any(char::is_control), "{line:?}");
}

/// Returns the length of all decoded segments of a picture, with a byte or more for each sample.
fn decoded(grid: &Grid) -> u64 {
    let samples = |k| grid.row_samples() * u64::from(grid.rows(k));
    let samples: u64 = (0..grid.segments()).map(samples).sum();
    samples * u64::from(grid.bits.div_ceil(8))
}

/// Opens `file` under a memory limit. All allocations count, including the seed that is returned, but
/// not the bytes of the file. The limit is 64 MiB, and
///
/// - 8 times the file (the interpreter records for each byte whether it was read),
/// - 4 times the picture at 8 bytes a pixel (each stage has its input and its output), and
///   4 times the decoded segments, if the directory is fine.
pub fn opened(file: &[u8]) -> Result<Seed, TiffError> {
    let most = match ImageFile::read(file) {
        Ok(image) => {
            let picture = 8 * u64::from(image.width) * u64::from(image.height);
            4 * (picture + decoded(&image.grid()))
        }
        Err(_) => 0,
    };
    let bytes = file.to_vec();
    let (result, used) = peak(|| Seed::open(bytes));
    let most = 64 * MIB + 8 * file.len() + most as usize;
    assert!(used < most, "{used} bytes, the most is {most}, for a file of {}", file.len());
    if let Err(error) = &result {
        assert_one_line(error);
    }
    result
}
