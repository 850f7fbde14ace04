//! Memory-mapped files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use inverter::run::Bytes;
use inverter::run::bytes::{LARGE, Memory};
use memmap2::Mmap;

/// The number of bytes that are read in passing before the pages of a map are released.
const RESIDENT: usize = 4 << 20;

/// Returns the content of a file. A large file is mapped, which takes memory only for the pages in use. Nobody may
/// change or shorten the file while it is mapped.
///
/// # Errors
///
/// Errors of the file system.
pub fn read(path: &Path) -> io::Result<Bytes> {
    read_within(path, u64::MAX)
}

/// Like [`read`], for a file of at most `most` bytes, because a device or a pipe may have no end.
///
/// # Errors
///
/// Errors of the file system, and one for a longer file.
pub fn read_within(path: &Path, most: u64) -> io::Result<Bytes> {
    let file = File::open(path)?;
    let data = file.metadata()?;
    let longer = |has: &str| {
        let why = format!("it has {has} bytes, and at most {most} are read");
        io::Error::new(io::ErrorKind::FileTooLarge, why)
    };
    if data.is_file() && data.len() > most {
        return Err(longer(&data.len().to_string()));
    }
    if !data.is_file() || data.len() < LARGE as u64 {
        let mut bytes = Vec::new();
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        return match bytes.len() as u64 > most {
            true => Err(longer("more")),
            false => Ok(bytes.into()),
        };
    }
    let memory: Arc<dyn Memory> =
        Arc::new(Mapped { map: map(&file)?, passed: AtomicUsize::new(0) });
    Ok(memory.into())
}

// Only this function maps files.
#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is private and only read. The user must ensure that nobody changes or shortens the file, as for
    // every mapped file.
    unsafe { Mmap::map(file) }
}

#[derive(Debug)]
struct Mapped {
    map: Mmap,
    /// The number of bytes read in passing since pages were last released.
    passed: AtomicUsize,
}

impl Memory for Mapped {
    fn bytes(&self) -> &[u8] {
        &self.map
    }

    fn passed(&self, count: usize) {
        if self.passed.fetch_add(count, Ordering::Relaxed).saturating_add(count) >= RESIDENT {
            self.passed.store(0, Ordering::Relaxed);
            self.give_back();
        }
    }
}

impl Mapped {
    /// Releases all pages; the next access to a page reads it from the file again.
    #[cfg(unix)]
    #[allow(unsafe_code)]
    fn give_back(&self) {
        use memmap2::UncheckedAdvice;
        // SAFETY: the pages are those of a file and were not written to, so they are the same when they are read again.
        let given = unsafe { self.map.unchecked_advise(UncheckedAdvice::DontNeed) };
        // If this fails, the pages only stay in memory longer.
        let _ = given;
    }

    #[cfg(not(unix))]
    fn give_back(&self) {}
}
