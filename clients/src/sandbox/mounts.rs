//! A mount namespace in which a process can change only its scratch folder.

use std::ffi::{CStr, CString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::mount::MountPropagationFlags;

use super::hidden;

/// The work that a process with its own mount namespace does between fork and exec.
pub(super) struct ReadOnly {
    scratch: CString,
    hidden: Vec<CString>,
}

impl ReadOnly {
    /// Makes everything except `scratch` read-only, and hides files of repfuzz.
    pub(super) fn but(scratch: &Path) -> io::Result<Self> {
        let text = |path: &Path| CString::new(path.as_os_str().as_bytes());
        let hidden = hidden::existing().iter().map(|file| text(file)).collect::<Result<_, _>>()?;
        Ok(Self { scratch: text(scratch)?, hidden })
    }

    /// Changes the mounts of the calling process. Its working directory is the scratch folder afterwards.
    pub(super) fn enter(&self) -> io::Result<()> {
        let all = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
        rustix::mount::mount_change(c"/", all)?;
        for file in &self.hidden {
            match rustix::mount::mount_bind(c"/dev/null", &**file) {
                // A device that cannot be opened, because the mount has none.
                Ok(()) => set(file, 0, |attr| attr.attr_set = libc::MOUNT_ATTR_NODEV)?,
                // The file has disappeared in the meantime.
                Err(rustix::io::Errno::NOENT) => {}
                Err(error) => return Err(error.into()),
            }
        }
        // The scratch folder gets a separate mount with its own flags.
        rustix::mount::mount_bind(&*self.scratch, &*self.scratch)?;
        set(c"/", libc::AT_RECURSIVE.unsigned_abs(), |attr| {
            attr.attr_set = libc::MOUNT_ATTR_RDONLY
        })?;
        set(&self.scratch, 0, |attr| attr.attr_clr = libc::MOUNT_ATTR_RDONLY)?;
        // The working directory still refers to the mount underneath.
        Ok(rustix::process::chdir(&*self.scratch)?)
    }
}

/// Changes the attributes of the mount at `path`.
fn set(path: &CStr, flags: u32, change: impl FnOnce(&mut libc::mount_attr)) -> io::Result<()> {
    // SAFETY: a structure of numbers.
    #[allow(unsafe_code)]
    let mut attr: libc::mount_attr = unsafe { std::mem::zeroed() };
    change(&mut attr);
    // SAFETY: `path` is a C string and `attr` a structure of the given size; both outlive the call.
    #[allow(unsafe_code)]
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            &raw const attr,
            size_of::<libc::mount_attr>(),
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
