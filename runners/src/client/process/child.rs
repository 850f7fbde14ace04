//! A child process: begun without a copy of our own address space, and waited for.
//!
//! A fork copies the page tables of all our memory, which costs more than many clients need to
//! read a file. Here the child borrows our memory until it becomes the program, as it does in
//! `posix_spawn`, which however cannot set limits.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::ptr;

use rustix::process::{Pid, WaitOptions};

/// A child process.
pub(super) struct Child {
    pid: Pid,
    status: Option<ExitStatus>,
}

impl Child {
    /// The child in process `pid`, which nobody else waits for.
    fn of(pid: Pid) -> Self {
        Self { pid, status: None }
    }

    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Its process id, as a number.
    pub(super) fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// How it ended; waits until it has.
    pub(super) fn wait(&mut self) -> io::Result<ExitStatus> {
        loop {
            match self.waited(WaitOptions::empty()) {
                Ok(Some(status)) => return Ok(status),
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// How it ended, if it has.
    pub(super) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.waited(WaitOptions::NOHANG)
    }

    fn waited(&mut self, options: WaitOptions) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none()
            && let Some((_, status)) = rustix::process::waitpid(Some(self.pid), options)?
        {
            self.status = Some(ExitStatus::from_raw(status.as_raw()));
        }
        Ok(self.status)
    }
}

/// What the child does before it becomes the program: bare system calls, which neither
/// allocate nor lock nor change any memory but what is theirs.
pub(super) type Prepare = Box<dyn FnMut() -> io::Result<()> + Send + Sync>;

/// A program to be started.
pub(super) struct Begin {
    /// Its name or file, and its arguments.
    pub argv: Vec<OsString>,
    /// All of its environment; later entries win.
    pub env: Vec<(OsString, OsString)>,
    /// Where it runs.
    pub folder: PathBuf,
    /// Its standard input, output and error.
    pub stdio: [OwnedFd; 3],
    /// What is done first.
    pub prepare: Prepare,
    /// Whether that may be done in borrowed memory: a process in another's memory can make no
    /// user namespace.
    pub may_borrow: bool,
}

/// What the child works with. It is in our memory.
struct Orders {
    argv: Vec<*const libc::c_char>,
    env: Vec<*const libc::c_char>,
    folder: CString,
    stdio: [RawFd; 3],
    prepare: Prepare,
    /// Why the child did not become the program: an error number.
    error: libc::c_int,
}

/// The child's stack, in bytes.
const STACK: usize = 64 * 1024;

impl Begin {
    /// Starts it.
    pub(super) fn start(self) -> io::Result<Child> {
        // Only a name with a slash is that of a file: others are looked for.
        match self.may_borrow && self.argv[0].as_bytes().contains(&b'/') {
            true => self.start_borrowing(),
            false => self.start_by_fork(),
        }
    }

    fn start_by_fork(mut self) -> io::Result<Child> {
        let mut command = Command::new(&self.argv[0]);
        command.args(&self.argv[1..]).env_clear().envs(self.env).current_dir(self.folder);
        let [stdin, stdout, stderr] = self.stdio;
        command.stdin(stdin).stdout(stdout).stderr(stderr);
        // SAFETY: between fork and exec only async-signal-safe things may happen: see `Prepare`.
        #[allow(unsafe_code)]
        unsafe {
            command.pre_exec(move || (self.prepare)());
        }
        Ok(Child::of(Pid::from_child(&command.spawn()?)))
    }

    fn start_borrowing(self) -> io::Result<Child> {
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
        let mut orders = Orders {
            argv: pointers(&mut argv.iter()),
            env: pointers(&mut env.iter().map(|(_, entry)| entry)),
            folder: text(self.folder.as_os_str())?,
            stdio: [0, 1, 2].map(|k: usize| self.stdio[k].as_raw_fd()),
            prepare: self.prepare,
            error: 0,
        };
        let mut child = Child::of(borrow_memory(&mut orders)?);
        if orders.error != 0 {
            child.wait()?;
            return Err(io::Error::from_raw_os_error(orders.error));
        }
        Ok(child)
    }
}

fn text(word: &OsStr) -> io::Result<CString> {
    Ok(CString::new(word.as_bytes())?)
}

/// Has a child carry out `orders`; comes back when it has become the program, or has ended.
#[allow(unsafe_code)]
fn borrow_memory(orders: &mut Orders) -> io::Result<Pid> {
    let mut stack = vec![0_u128; STACK / size_of::<u128>()];
    // SAFETY: `clone` gets the upper end of a stack that nobody else uses, and `orders`; both
    // outlive the time in which the child runs in our memory, for with CLONE_VFORK this thread
    // stands still until then. Meanwhile no signal may run a handler of ours in the child, which
    // takes the handlers away before it lets signals in again; `all` and `before` are signal
    // sets that are filled before they are read.
    let pid = unsafe {
        let (mut all, mut before) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        let pid = libc::clone(
            carry_out,
            stack.as_mut_ptr_range().end.cast(),
            flags,
            ptr::from_mut(orders).cast(),
        );
        let error = io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
        Pid::from_raw(pid).filter(|_| pid > 0).ok_or(error)
    };
    drop(stack);
    pid
}

/// The child: it becomes the program, or ends.
#[allow(unsafe_code)]
extern "C" fn carry_out(orders: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `orders` is what `borrow_memory` gave, which waits for us. All below are system
    // calls that are allowed between fork and exec.
    unsafe {
        let orders = &mut *orders.cast::<Orders>();
        let error = orders.become_program();
        orders.error = error.raw_os_error().unwrap_or(libc::EINTR);
        libc::_exit(127)
    }
}

impl Orders {
    /// Comes back only if it cannot be.
    ///
    /// # Safety
    ///
    /// To be called in a child that has a copy of our files and handlers, and ends or becomes
    /// another program.
    #[allow(unsafe_code)]
    unsafe fn become_program(&mut self) -> io::Error {
        // SAFETY: the pointers are to texts and lists that end with zero; the rest are numbers
        // and sets of our own.
        unsafe {
            for signal in 1..=libc::SIGRTMAX() {
                let mut action: libc::sigaction = std::mem::zeroed();
                let known = libc::sigaction(signal, ptr::null(), &mut action) == 0;
                // What is ignored stays so, but for what Rust ignores on its own.
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

    use super::*;

    /// Starts `argv` in `/`; gives how it ended and what it printed.
    fn run(argv: &[&str], may_borrow: bool, prepare: Prepare) -> io::Result<(ExitStatus, String)> {
        let (mut ours, theirs) = io::pipe()?;
        let null = || File::options().read(true).write(true).open("/dev/null");
        let env = [("A", "1"), ("B", "2"), ("A", "3")].map(|(n, v)| (n.into(), v.into()));
        let begin = Begin {
            argv: argv.iter().map(OsString::from).collect(),
            env: env.to_vec(),
            folder: "/".into(),
            stdio: [null()?.into(), theirs.into(), null()?.into()],
            prepare,
            may_borrow,
        };
        let mut child = begin.start()?;
        let mut printed = String::new();
        ours.read_to_string(&mut printed)?;
        Ok((child.wait()?, printed))
    }

    #[test]
    fn both_ways_start_a_program_alike() {
        for may_borrow in [true, false] {
            let nothing = || -> Prepare { Box::new(|| Ok(())) };
            let script = "echo $A $B; pwd; trap; grep SigBlk /proc/self/status; exit 7";
            let (status, printed) = run(&["/bin/sh", "-c", script], may_borrow, nothing()).unwrap();
            assert_eq!(status.code(), Some(7));
            assert_eq!(printed, "3 2\n/\nSigBlk:\t0000000000000000\n", "{may_borrow}");
            let (status, _) = run(&["/bin/sh", "-c", "kill -9 $$"], may_borrow, nothing()).unwrap();
            assert_eq!(status.signal(), Some(9));
            let error = run(&["/nowhere/program"], may_borrow, nothing()).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
            let refused: Prepare = Box::new(|| Err(io::Error::from_raw_os_error(libc::EPERM)));
            let error = run(&["/bin/true"], may_borrow, refused).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        }
    }
}
