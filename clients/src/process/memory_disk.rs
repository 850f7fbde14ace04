//! An in-memory file system for one scratch folder. The kernel limits everything in it, including files that were
//! deleted or are in no folder.
//!
//! It is mounted on the folder in a separate mount namespace, which requires no privileges. repfuzz reaches it through
//! a handle, and the programs that run in the folder enter the namespace. It disappears when neither the handle nor the
//! programs exist any more.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use super::child::{self, Child};

/// The namespaces in which a folder is an in-memory file system.
#[derive(Debug)]
pub(crate) struct Namespaces {
    user: OwnedFd,
    mounts: OwnedFd,
}

impl Namespaces {
    /// Returns the work that a child does before `exec` to enter them. It makes two system calls; afterwards, the
    /// working directory is the root, and the child has all capabilities there.
    pub(crate) fn enter(&self) -> io::Result<impl FnMut() -> io::Result<()> + Send + Sync + use<>> {
        let (user, mounts) = (self.user.try_clone()?, self.mounts.try_clone()?);
        Ok(move || {
            move_into_link_name_space(user.as_fd(), Some(LinkNameSpaceType::User))?;
            Ok(move_into_link_name_space(mounts.as_fd(), Some(LinkNameSpaceType::Mount))?)
        })
    }
}

/// Turns a folder into a file system with this number of `bytes` and `files`, in new namespaces; returns a handle on
/// it.
///
/// # Errors
///
/// Returns an error if namespaces are not permitted.
pub(super) fn mount(folder: &Path, bytes: u64, files: u64) -> io::Result<(File, Namespaces)> {
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    let text = |text: String| CString::new(text).map_err(io::Error::from);
    let mut task = Task {
        folder: CString::new(folder.as_os_str().as_bytes())?,
        options: text(format!("size={bytes},nr_inodes={files},mode=700"))?,
        users: text(format!("{0} {0} 1", user.as_raw()))?,
        groups: text(format!("{0} {0} 1", group.as_raw()))?,
        made: [-1; 3],
        error: 0,
    };
    let flags = libc::CLONE_FILES | libc::CLONE_NEWUSER | libc::CLONE_NEWNS;
    // SAFETY: `run` takes a `Task`, and makes system calls only.
    #[allow(unsafe_code)]
    let pid = unsafe { child::clone_sharing_memory(run, &mut task, flags) }?;
    Child::of(pid).wait()?;
    // SAFETY: the child has opened these descriptors in our table of files, and nothing else uses them.
    #[allow(unsafe_code)]
    let owned = |fd: RawFd| (fd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(fd) });
    match task.made.map(owned) {
        [Some(handle), Some(user), Some(mounts)] => {
            Ok((handle.into(), Namespaces { user, mounts }))
        }
        _ => Err(io::Error::from_raw_os_error(task.error)),
    }
}

/// The input and the output of the child that creates the namespaces. It shares our memory and our files.
struct Task {
    folder: CString,
    options: CString,
    users: CString,
    groups: CString,
    /// The folder, the user namespace and the mount namespace; -1 if they could not be opened.
    made: [RawFd; 3],
    /// The error number if anything failed.
    error: libc::c_int,
}

/// The child's main function.
#[allow(unsafe_code)]
extern "C" fn run(task: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `task` is the pointer that `mount` passed, which waits for us.
    unsafe {
        let task = &mut *task.cast::<Task>();
        if let Err(error) = task.make() {
            task.error = error.raw_os_error().unwrap_or(libc::EINVAL);
        }
        libc::_exit(0)
    }
}

impl Task {
    /// Mounts the file system in the child's new namespaces. It neither allocates nor locks.
    fn make(&mut self) -> io::Result<()> {
        put(c"/proc/self/setgroups", c"deny")?;
        put(c"/proc/self/gid_map", &self.groups)?;
        put(c"/proc/self/uid_map", &self.users)?;
        let flags = rustix::mount::MountFlags::NOSUID | rustix::mount::MountFlags::NODEV;
        rustix::mount::mount(c"repfuzz", &*self.folder, c"tmpfs", flags, &*self.options)?;
        self.made[0] = open(&self.folder, libc::O_RDONLY | libc::O_DIRECTORY)?;
        self.made[1] = open(c"/proc/self/ns/user", libc::O_RDONLY)?;
        self.made[2] = open(c"/proc/self/ns/mnt", libc::O_RDONLY)?;
        Ok(())
    }
}

/// Opens a file in the table of files that is shared.
fn open(path: &CStr, flags: libc::c_int) -> io::Result<RawFd> {
    // SAFETY: a system call on a C string.
    #[allow(unsafe_code)]
    let fd = unsafe { libc::open(path.as_ptr(), flags | libc::O_CLOEXEC) };
    if fd < 0 { Err(io::Error::last_os_error()) } else { Ok(fd) }
}

fn put(path: &CStr, text: &CStr) -> io::Result<()> {
    let fd = open(path, libc::O_WRONLY)?;
    // SAFETY: the descriptor is that of the line before; it was opened here, and is closed at the end.
    #[allow(unsafe_code)]
    let file = unsafe { BorrowedFd::borrow_raw(fd) };
    let written = rustix::io::write(file, text.to_bytes());
    // SAFETY: as above.
    #[allow(unsafe_code)]
    unsafe {
        libc::close(fd);
    }
    Ok(written.map(drop)?)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use rustix::fs::{Mode, OFlags, openat};

    use super::*;

    #[test]
    fn all_that_is_in_it_is_limited() {
        let folder = tempfile::tempdir().unwrap();
        let (handle, namespaces) = match mount(folder.path(), 4 << 20, 20) {
            Ok(made) => made,
            Err(error) => return test_support::skipped(format_args!("no namespaces: {error}")),
        };
        let create = |name: &str| -> io::Result<File> {
            let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
            Ok(openat(&handle, name, flags, Mode::RWXU)?.into())
        };
        let mut deleted = create("deleted").unwrap();
        rustix::fs::unlinkat(&handle, "deleted", rustix::fs::AtFlags::empty()).unwrap();
        deleted.write_all(&vec![1; 3 << 20]).unwrap();
        let mut other = create("other").unwrap();
        let error = other.write_all(&vec![1; 3 << 20]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!((0..30).any(|k| create(&format!("{k}")).is_err()), "files are limited");
        // Outside the namespaces, the folder is unchanged.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        drop(namespaces);
        assert!(openat(&handle, "other", OFlags::RDONLY, Mode::empty()).is_ok());
    }
}
