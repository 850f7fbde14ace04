//! Files without a name that processes hold: they take up disk space or memory, but are in no folder.

use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::usage;

/// The space of files without a name, in bytes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Deleted {
    /// On disks: files that were deleted and are still open or mapped.
    pub disk: u64,
    /// In memory: files from `memfd_create`, and deleted ones below `/dev/shm`.
    pub memory: u64,
}

/// Measures the files without a name that these processes have open or mapped, and a file that repfuzz holds open
/// `for_them`; each file counts once. A file that only a message in a socket holds is not found.
pub(super) fn of(pids: &[u32], for_them: Option<&File>) -> Deleted {
    let mut sum = Sum::default();
    if let Some(meta) = for_them.and_then(|file| file.metadata().ok()) {
        sum.add("", &meta);
    }
    for pid in pids.iter().copied().map(usage::living) {
        let process = Path::new("/proc").join(pid.to_string());
        for entry in fs::read_dir(process.join("fd")).into_iter().flatten().flatten() {
            // This is a link of the kernel, which leads to the file whatever its name is.
            let path = entry.path();
            if let Ok(meta) = fs::metadata(&path)
                && meta.is_file()
                && meta.nlink() == 0
                && let Ok(name) = fs::read_link(&path)
            {
                sum.add(&name.to_string_lossy(), &meta);
            }
        }
        let maps = fs::read_to_string(process.join("maps")).unwrap_or_default();
        for mapping in maps.lines().filter_map(Mapping::of) {
            match fs::metadata(process.join("map_files").join(mapping.range)) {
                Ok(meta) if meta.nlink() == 0 => sum.add(mapping.name, &meta),
                Ok(_) => {}
                // Only root may follow these links.
                Err(_) => sum.add_mapping(&mapping),
            }
        }
    }
    sum.deleted
}

/// The files that were counted.
#[derive(Default)]
struct Sum {
    seen: HashSet<(u64, u64)>,
    deleted: Deleted,
}

impl Sum {
    fn add(&mut self, name: &str, meta: &Metadata) {
        if self.seen.insert((meta.dev(), meta.ino())) {
            let bytes = meta.blocks() * 512;
            match is_memory(name) {
                true => self.deleted.memory += bytes,
                false => self.deleted.disk += bytes,
            }
        }
    }

    /// Counts a file that is only known to be mapped. Mapped parts of an in-memory file count as resident memory.
    fn add_mapping(&mut self, mapping: &Mapping<'_>) {
        if !is_memory(mapping.name) && self.seen.insert((mapping.device, mapping.inode)) {
            self.deleted.disk += mapping.end;
        }
    }
}

fn is_memory(name: &str) -> bool {
    name.starts_with("/memfd:") || name.starts_with("/dev/shm/")
}

/// A mapping of a deleted file.
#[derive(Debug, PartialEq, Eq)]
struct Mapping<'a> {
    range: &'a str,
    device: u64,
    inode: u64,
    /// The end of the mapped part of the file.
    end: u64,
    name: &'a str,
}

impl<'a> Mapping<'a> {
    /// Parses a line of `/proc/PID/maps`; `None` for mappings of other kinds.
    fn of(line: &'a str) -> Option<Self> {
        let line = line.strip_suffix(" (deleted)")?;
        let mut rest = line;
        let mut next = || {
            let (word, after) = rest.split_once(' ')?;
            rest = after.trim_start();
            Some(word)
        };
        let (range, _, offset, device, inode) = (next()?, next()?, next()?, next()?, next()?);
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        let (start, stop) = range.split_once('-')?;
        let (major, minor) = device.split_once(':')?;
        let device =
            rustix::fs::makedev(hex(major)?.try_into().ok()?, hex(minor)?.try_into().ok()?);
        let end = hex(offset)?.checked_add(hex(stop)?.checked_sub(hex(start)?)?)?;
        // Memory that is shared without a file also has names.
        let file = !rest.starts_with("/dev/zero") && !rest.starts_with("/SYSV");
        let inode = inode.parse().ok()?;
        file.then_some(Self { range, device, inode, end, name: rest })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn mappings() {
        let line = "7f00-9f00 rw-s 00001000 fd:0a 42                     /tmp/a b (deleted)";
        let device = rustix::fs::makedev(0xfd, 10);
        let expected =
            Mapping { range: "7f00-9f00", device, inode: 42, end: 0x3000, name: "/tmp/a b" };
        assert_eq!(Mapping::of(line), Some(expected));
        for other in [
            "7f00-9f00 rw-s 00001000 fd:0a 42      /tmp/a",
            "7f00-9f00 rw-s 00000000 00:01 42      /dev/zero (deleted)",
            "(deleted)",
            "",
        ] {
            assert_eq!(Mapping::of(other), None, "{other}");
        }
    }

    #[test]
    fn deleted_files_and_memory_are_counted_once() {
        let me = [std::process::id()];
        let before = of(&me, None);
        let mut file = tempfile::tempfile_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        file.write_all(&vec![1; 3 << 20]).unwrap();
        file.sync_all().unwrap();
        let flags = rustix::fs::MemfdFlags::CLOEXEC;
        let mut memory = File::from(rustix::fs::memfd_create(c"test", flags).unwrap());
        memory.write_all(&vec![1; 5 << 20]).unwrap();
        let twice = (file.try_clone().unwrap(), memory.try_clone().unwrap());
        let after = of(&me, Some(&file));
        // Other tests may also hold files.
        assert!(after.disk >= before.disk + (3 << 20), "{before:?} {after:?}");
        assert!(after.memory >= before.memory + (5 << 20), "{before:?} {after:?}");
        assert!(after.memory < before.memory + (10 << 20), "{before:?} {after:?}");
        drop(twice);
    }
}
