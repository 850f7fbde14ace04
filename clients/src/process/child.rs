//! Child processes that start without copying the address space of repfuzz.
//!
//! `fork` copies the page tables of the whole process, which costs more than many clients need to read a file. Here the
//! child shares our memory until `exec`, as in `posix_spawn`; but `posix_spawn` cannot set limits.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::ptr;

use rustix::process::Pid;

use super::ended::{Rusage, wait_for};

/// A child process.
pub(super) struct Child {
    pid: Pid,
    status: Option<(ExitStatus, Rusage)>,
}

impl Child {
    /// Wraps the child process `pid`, which no other code waits for.
    pub(super) fn of(pid: Pid) -> Self {
        Self { pid, status: None }
    }

    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Its process id, as a number.
    pub(super) fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// Waits until it has ended and returns its status.
    pub(super) fn wait(&mut self) -> io::Result<ExitStatus> {
        loop {
            match self.waited(0) {
                Ok(Some((status, _))) => return Ok(status),
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns its status if it has ended.
    pub(super) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        Ok(self.waited(libc::WNOHANG)?.map(|(status, _)| status))
    }

    /// Returns the resources that it used, including those of descendants that their parents waited for; all values are
    /// zero until it has been waited for.
    pub(super) fn rusage(&self) -> Rusage {
        self.status.map(|(_, rusage)| rusage).unwrap_or_default()
    }

    fn waited(&mut self, options: libc::c_int) -> io::Result<Option<(ExitStatus, Rusage)>> {
        if self.status.is_none() {
            self.status = wait_for(self.pid, options)?;
        }
        Ok(self.status)
    }
}

/// The work of the child before `exec`: plain system calls that neither allocate nor lock, and change only memory of
/// their own.
pub(super) type Prepare = Box<dyn FnMut() -> io::Result<()> + Send + Sync>;

/// A program to be started.
pub(super) struct Launch {
    /// The program's name or file, and its arguments.
    pub argv: Vec<OsString>,
    /// The complete environment; later entries override earlier ones.
    pub env: Vec<(OsString, OsString)>,
    /// The working directory.
    pub folder: PathBuf,
    /// Standard input, output and error.
    pub stdio: [OwnedFd; 3],
    /// The work of the child before `exec`.
    pub prepare: Prepare,
    /// The system call to use. A process that shares memory cannot create a user namespace.
    pub method: StartMethod,
}

/// The system call by which a child is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StartMethod {
    /// `clone` with shared memory, if the program is named by its path; else `fork`.
    ShareMemory,
    /// `fork`.
    Fork,
}

/// The input of the child, which is in shared memory.
struct ChildTask {
    argv: Vec<*const libc::c_char>,
    env: Vec<*const libc::c_char>,
    folder: CString,
    stdio: [RawFd; 3],
    prepare: Prepare,
    /// The error number if `exec` or the steps before it failed.
    error: libc::c_int,
}

/// The child's stack, in bytes.
const STACK: usize = 64 * 1024;

impl Launch {
    /// Starts the program.
    pub(super) fn start(self) -> io::Result<Child> {
        // A name without a slash has to be looked up in `PATH`, which only `Command` does.
        let has_path = self.argv[0].as_bytes().contains(&b'/');
        match self.method {
            StartMethod::ShareMemory if has_path => self.start_sharing(),
            _ => self.start_by_fork(),
        }
    }

    fn start_by_fork(mut self) -> io::Result<Child> {
        let mut command = Command::new(&self.argv[0]);
        command.args(&self.argv[1..]).env_clear().envs(self.env).current_dir(self.folder);
        let [stdin, stdout, stderr] = self.stdio;
        command.stdin(stdin).stdout(stdout).stderr(stderr);
        // SAFETY: only async-signal-safe calls may happen between fork and exec: see `Prepare`.
        #[allow(unsafe_code)]
        unsafe {
            command.pre_exec(move || (self.prepare)());
        }
        Ok(Child::of(Pid::from_child(&command.spawn()?)))
    }

    fn start_sharing(self) -> io::Result<Child> {
        let argv: Vec<CString> =
            self.argv.iter().map(|word| text(word)).collect::<Result<_, _>>()?;
        let mut env: Vec<(&OsStr, CString)> = Vec::new();
        for (name, value) in &self.env {
            env.retain(|(known, _)| known != name);
            let mut entry = name.clone();
            entry.push("=");
            entry.push(value);
            env.push((name, text(&entry)?));
        }
        let pointers = |words: &mut dyn Iterator<Item = &CString>| {
            words.map(|word| word.as_ptr()).chain([ptr::null()]).collect::<Vec<_>>()
        };
        let mut task = ChildTask {
            argv: pointers(&mut argv.iter()),
            env: pointers(&mut env.iter().map(|(_, entry)| entry)),
            folder: text(self.folder.as_os_str())?,
            stdio: [0, 1, 2].map(|k: usize| self.stdio[k].as_raw_fd()),
            prepare: self.prepare,
            error: 0,
        };
        // SAFETY: `run_child` takes a `ChildTask`.
        #[allow(unsafe_code)]
        let pid = unsafe { clone_sharing_memory(run_child, &mut task, 0) }?;
        let mut child = Child::of(pid);
        if task.error != 0 {
            child.wait()?;
            return Err(io::Error::from_raw_os_error(task.error));
        }
        Ok(child)
    }
}

fn text(word: &OsStr) -> io::Result<CString> {
    Ok(CString::new(word.as_bytes())?)
}

/// Starts a child that shares our memory and runs `main` on `task`, with additional `flags` for `clone`. Returns when
/// the child has called `exec` or has ended.
///
/// # Safety
///
/// `main` must accept `task`, and may only make system calls that are allowed between fork and exec.
#[allow(unsafe_code)]
pub(super) unsafe fn clone_sharing_memory<T>(
    main: extern "C" fn(*mut libc::c_void) -> libc::c_int,
    task: &mut T,
    flags: libc::c_int,
) -> io::Result<Pid> {
    let mut stack = vec![0_u128; STACK / size_of::<u128>()];
    // SAFETY: `clone` gets the upper end of a stack that nothing else uses, and `task`. Both
    // outlive the time in which the child runs in our memory, because CLONE_VFORK suspends this
    // thread until then. Meanwhile no signal may run a handler of ours in the child: all signals
    // are blocked until the child has reset the handlers, or has ended. `all` and `before` are signal sets that
    // are filled before they are read.
    let pid = unsafe {
        let (mut all, mut before) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let flags = flags | libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        let end = stack.as_mut_ptr_range().end.cast();
        let pid = libc::clone(main, end, flags, ptr::from_mut(task).cast());
        let error = io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
        (pid > 0).then(|| Pid::from_raw(pid)).flatten().ok_or(error)
    };
    drop(stack);
    pid
}

/// The child's main function: calls `exec`, or exits.
#[allow(unsafe_code)]
extern "C" fn run_child(task: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `task` is the pointer that `clone_sharing_memory` passed, which waits for us. All calls
    // below are system calls that are allowed between fork and exec.
    unsafe {
        let task = &mut *task.cast::<ChildTask>();
        let error = task.become_program();
        task.error = error.raw_os_error().unwrap_or(libc::EINTR);
        libc::_exit(127)
    }
}

impl ChildTask {
    /// Calls `exec`. Returns only if that fails.
    ///
    /// # Safety
    ///
    /// Must be called in a child that has copies of our file descriptors and signal handlers, and
    /// that exits or calls `exec`.
    #[allow(unsafe_code)]
    unsafe fn become_program(&mut self) -> io::Error {
        // SAFETY: the pointers are to C strings and null-terminated lists; the rest are numbers and
        // signal sets of our own.
        unsafe {
            for signal in 1..=libc::SIGRTMAX() {
                let mut action: libc::sigaction = std::mem::zeroed();
                let known = libc::sigaction(signal, ptr::null(), &mut action) == 0;
                // Ignored signals stay ignored, except SIGPIPE, which Rust itself ignores.
                if known && (action.sa_sigaction != libc::SIG_IGN || signal == libc::SIGPIPE) {
                    action.sa_sigaction = libc::SIG_DFL;
                    libc::sigaction(signal, &action, ptr::null_mut());
                }
            }
            for (target, fd) in self.stdio.iter().enumerate() {
                if libc::dup2(*fd, target as RawFd) < 0 {
                    return io::Error::last_os_error();
                }
            }
            if libc::chdir(self.folder.as_ptr()) < 0 {
                return io::Error::last_os_error();
            }
            if let Err(error) = (self.prepare)() {
                return error;
            }
            let mut none = std::mem::zeroed();
            libc::sigemptyset(&mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &none, ptr::null_mut());
            libc::execve(self.argv[0], self.argv.as_ptr(), self.env.as_ptr());
        }
        io::Error::last_os_error()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Read;
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    /// Starts `argv` in `/`; returns its exit status and standard output.
    fn run(
        argv: &[&str],
        method: StartMethod,
        prepare: Prepare,
    ) -> io::Result<(ExitStatus, String)> {
        let (mut ours, theirs) = io::pipe()?;
        let null = || File::options().read(true).write(true).open("/dev/null");
        let env = [("A", "1"), ("B", "2"), ("A", "3")].map(|(n, v)| (n.into(), v.into()));
        let launch = Launch {
            argv: argv.iter().map(OsString::from).collect(),
            env: env.to_vec(),
            folder: "/".into(),
            stdio: [null()?.into(), theirs.into(), null()?.into()],
            prepare,
            method,
        };
        let mut child = launch.start()?;
        let mut printed = String::new();
        ours.read_to_string(&mut printed)?;
        Ok((child.wait()?, printed))
    }

    #[test]
    fn both_methods_start_a_program_alike() {
        for method in [StartMethod::ShareMemory, StartMethod::Fork] {
            let nothing = || -> Prepare { Box::new(|| Ok(())) };
            let script = "echo $A $B; pwd; trap; grep SigBlk /proc/self/status; exit 7";
            let (status, printed) = run(&["/bin/sh", "-c", script], method, nothing()).unwrap();
            assert_eq!(status.code(), Some(7));
            assert_eq!(printed, "3 2\n/\nSigBlk:\t0000000000000000\n", "{method:?}");
            let (status, _) = run(&["/bin/sh", "-c", "kill -9 $$"], method, nothing()).unwrap();
            assert_eq!(status.signal(), Some(9));
            let error = run(&["/nowhere/program"], method, nothing()).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
            let refused: Prepare = Box::new(|| Err(io::Error::from_raw_os_error(libc::EPERM)));
            let error = run(&["/bin/true"], method, refused).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        }
    }
}
