//! Ways out of a sandbox, each tried under every sandbox that works here, and without one, where it must lead
//! out: otherwise the attempt would prove nothing.

use std::fs::{self, File};
use std::io::Write;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use clients::{Client, CommandClient, Description, Hold, Reply, Sandbox};

/// The world outside, new for each attempt.
struct Outside {
    folder: tempfile::TempDir,
    victim: Child,
    tcp: TcpListener,
    udp: UdpSocket,
    stream: UnixListener,
    datagrams: UnixDatagram,
    hidden: UnixListener,
    shared: PathBuf,
}

/// The name of a file outside.
const KEPT: &str = "kept";

impl Outside {
    fn new() -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at(KEPT), "kept").unwrap();
        fs::set_permissions(at(KEPT), fs::Permissions::from_mode(0o640)).unwrap();
        // In a group of its own, so that a signal to the group meets nobody else.
        let mut sleep = Command::new("sleep");
        let victim = sleep.arg("300").process_group(0).stdin(Stdio::null()).spawn().unwrap();
        let name = folder.path().file_name().unwrap().to_str().unwrap().to_string();
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let shared = Path::new("/dev/shm").join(&name);
        fs::write(&shared, "kept").unwrap();
        let outside = Self {
            tcp: TcpListener::bind("127.0.0.1:0").unwrap(),
            udp: UdpSocket::bind("127.0.0.1:0").unwrap(),
            stream: UnixListener::bind(at("stream")).unwrap(),
            datagrams: UnixDatagram::bind(at("datagrams")).unwrap(),
            hidden: UnixListener::bind_addr(&address).unwrap(),
            shared,
            victim,
            folder,
        };
        outside.tcp.set_nonblocking(true).unwrap();
        outside.udp.set_nonblocking(true).unwrap();
        outside.stream.set_nonblocking(true).unwrap();
        outside.datagrams.set_nonblocking(true).unwrap();
        outside.hidden.set_nonblocking(true).unwrap();
        outside
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The attempt as a Python script: names of what is outside, then the way.
    fn script(&self, way: &str) -> String {
        format!(
            "import os, sys, socket, signal, ctypes, time, resource\n\
             libc = ctypes.CDLL(None, use_errno=True)\n\
             outside, victim, name, shared = {:?}, {}, {:?}, {:?}\n\
             tcp, udp = {}, {}\n\
             kept = outside + '/kept'\n{way}\n\
             open(sys.argv[2], 'wb').write(b'P6 1 1 255\\n\\1\\2\\3')\n",
            self.folder.path().display().to_string(),
            self.victim.id(),
            self.folder.path().file_name().unwrap().to_str().unwrap(),
            self.shared.display().to_string(),
            self.tcp.local_addr().unwrap().port(),
            self.udp.local_addr().unwrap().port(),
        )
    }

    fn kept(&self) -> String {
        fs::read_to_string(self.at(KEPT)).unwrap_or_default()
    }

    /// A field of the victim's `stat`, counted from 1 as in proc(5).
    fn stat(&self, field: usize) -> String {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.victim.id())).unwrap();
        let (_, rest) = stat.rsplit_once(") ").unwrap();
        rest.split(' ').nth(field - 3).unwrap().to_string()
    }

    /// Returns true if the file has an extended attribute.
    fn attribute(&self) -> bool {
        rustix::fs::getxattr(self.at(KEPT), "user.x", &mut [0; 8]).is_ok()
    }

    fn dead(&mut self) -> bool {
        // A signal may still be on its way.
        std::thread::sleep(Duration::from_millis(50));
        self.victim.try_wait().unwrap().is_some()
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
        let _ = fs::remove_file(&self.shared);
    }
}

/// A way out: an attempt, and the test whether it led out. `None` if that shows in the attempt's own success.
struct Way {
    name: &'static str,
    attempt: &'static str,
    led_out: Option<fn(&mut Outside) -> bool>,
}

const fn way(name: &'static str, attempt: &'static str, led_out: fn(&mut Outside) -> bool) -> Way {
    Way { name, attempt, led_out: Some(led_out) }
}

/// An attempt that itself sees whether it succeeds.
const fn seen(name: &'static str, attempt: &'static str) -> Way {
    Way { name, attempt, led_out: None }
}

const FILES: &[Way] = &[
    way("write a file", "open(outside + '/new', 'w').write('x')", |o| o.at("new").exists()),
    way("append to a file", "open(kept, 'a').write('x')", |o| o.kept() != "kept"),
    way("remove a file", "os.remove(kept)", |o| !o.at(KEPT).exists()),
    way("move a file in", "os.rename(kept, 'taken')", |o| !o.at(KEPT).exists()),
    way(
        "link a file and write to it",
        "os.link(kept, 'taken')\nopen('taken', 'a').write('x')",
        |o| o.kept() != "kept",
    ),
    way(
        "write through another process's root",
        "open(f'/proc/{victim}/root{kept}', 'a').write('x')",
        |o| o.kept() != "kept",
    ),
    way("write to shared memory", "open(shared, 'a').write('x')", |o| {
        fs::read_to_string(&o.shared).unwrap() != "kept"
    }),
    way(
        "mount over a folder",
        "assert libc.mount(b'none', outside.encode(), b'tmpfs', 0, None) == 0\nos.remove(kept)",
        |o| !o.at(KEPT).exists(),
    ),
];

/// Devices are files of memory, which has no limit there.
const DEVICES: &[Way] = &[
    seen(
        "make a file among the devices",
        "path = '/dev/' + name\nopen(path, 'w').write('x')\nos.remove(path)",
    ),
    seen(
        "mount a file system in memory",
        "assert libc.unshare(0x10020000) == 0\nos.mkdir('p')\n\
         assert libc.mount(b'none', b'p', b'tmpfs', 0, None) == 0",
    ),
];

/// Without a mount namespace, only the filter of system calls stands in their way.
const ATTRIBUTES: &[Way] = &[
    way("set an extended attribute", "os.setxattr(kept, 'user.x', b'x')", |o| o.attribute()),
    way(
        "set an extended attribute of an open file",
        "os.setxattr(os.open(kept, os.O_RDONLY), 'user.x', b'x')",
        |o| o.attribute(),
    ),
];

/// The kernel's settings have no owner but root, and belong to no namespace. The value stays as it is.
const SETTINGS: &[Way] = &[
    seen(
        "write a kernel setting",
        "path = '/proc/sys/kernel/core_pattern'\nvalue = open(path).read()\nopen(path, 'w').write(value)",
    ),
    seen(
        "write a kernel setting by a mount of one's own",
        "os.mkdir('p')\nassert libc.mount(b'proc', b'p', b'proc', 0, None) == 0\n\
         path = 'p/sys/kernel/core_pattern'\n\
         try: value = open(path).read(); open(path, 'w').write(value)\n\
         finally: libc.umount2(b'p', 2)",
    ),
];

/// Not held by Landlock without namespaces.
const METADATA: &[Way] = &[
    way("change a file's mode", "os.chmod(kept, 0o777)", |o| {
        fs::metadata(o.at(KEPT)).unwrap().permissions().mode() & 0o777 == 0o777
    }),
    way("change a file's times", "os.utime(kept, (1, 1))", |o| {
        fs::metadata(o.at(KEPT)).unwrap().modified().unwrap()
            < std::time::UNIX_EPOCH + Duration::from_secs(9)
    }),
];

const SOCKETS: &[Way] = &[
    way("connect by TCP", "socket.create_connection(('127.0.0.1', tcp))", |o| {
        o.tcp.accept().is_ok()
    }),
    way(
        "send by UDP",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', udp))",
        |o| o.udp.recv(&mut [0]).is_ok(),
    ),
    way(
        "connect to an abstract socket",
        "socket.socket(socket.AF_UNIX).connect('\\0' + name)",
        |o| o.hidden.accept().is_ok(),
    ),
    way(
        "connect to a socket in the file system",
        "socket.socket(socket.AF_UNIX).connect(outside + '/stream')",
        |o| o.stream.accept().is_ok(),
    ),
    way(
        "send to a socket in the file system",
        "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', outside + '/datagrams')",
        |o| o.datagrams.recv(&mut [0]).is_ok(),
    ),
    way(
        "send by one of a pair of sockets",
        "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', outside + '/datagrams')",
        |o| o.datagrams.recv(&mut [0]).is_ok(),
    ),
    seen("open a socket of the virtual machine", "socket.socket(40, socket.SOCK_STREAM)"),
    seen("open a socket of the kernel's cryptography", "socket.socket(38, socket.SOCK_SEQPACKET)"),
    seen(
        "set up io_uring",
        "fd = libc.syscall(425, 4, ctypes.create_string_buffer(256))\nassert fd >= 0",
    ),
];

const PROCESSES: &[Way] = &[
    way("signal a process", "os.kill(victim, signal.SIGKILL)", Outside::dead),
    way("signal a group", "os.killpg(victim, signal.SIGKILL)", Outside::dead),
    way(
        "signal all",
        // It wakes the victim, which the test has stopped, and does nobody else harm.
        "os.kill(-1, signal.SIGCONT)",
        |o| o.stat(3) != "T",
    ),
    way("change a priority", "os.setpriority(os.PRIO_PROCESS, victim, 19)", |o| o.stat(19) == "19"),
    way("change a limit", "resource.prlimit(victim, resource.RLIMIT_NOFILE, (77, 77))", |o| {
        let limits = fs::read_to_string(format!("/proc/{}/limits", o.victim.id())).unwrap();
        limits.lines().any(|l| l.starts_with("Max open files") && l.contains(" 77 "))
    }),
    way(
        "trace a process",
        "assert libc.ptrace(16, victim, None, None) == 0\nos.waitpid(victim, 0x40000000)\nlibc.ptrace(8, victim, None, None)",
        Outside::dead,
    ),
    way(
        "leave a process behind",
        "if os.fork() == 0:\n try: os.setsid()\n except OSError: pass\n if os.fork() == 0:\n  \
         os.execve('/bin/sleep', ['sleep', '299.' + str(victim)], {})\n os._exit(0)\ntime.sleep(0.2)",
        |o| {
            let marked = format!("299.{}", o.victim.id());
            fs::read_dir("/proc").unwrap().flatten().any(|process| {
                fs::read_to_string(process.path().join("cmdline"))
                    .is_ok_and(|line| line.starts_with("sleep") && line.contains(&marked))
            })
        },
    ),
];

const RIGHTS: &[Way] = &[
    seen("add a key", "assert libc.syscall(248, b'user', name.encode(), b'x', 1, -2) > 0"),
    seen("read POSIX shared memory", "assert open(shared).read() == 'kept'"),
    seen("attach System V memory", "assert libc.shmget(0x5eed, 64, 0o600) >= 0"),
    seen(
        "gain rights by a program",
        "assert 'NoNewPrivs:\\t0' in open('/proc/self/status').read()",
    ),
];

fn attempt(way: &Way, sandbox: &Arc<Sandbox>) -> bool {
    let mut outside = Outside::new();
    if way.name == "signal all" {
        let victim = rustix::process::Pid::from_child(&outside.victim);
        rustix::process::kill_process(victim, rustix::process::Signal::STOP).unwrap();
        while outside.stat(3) != "T" {
            std::thread::yield_now();
        }
    }
    let scripts = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let script = scripts.path().join("attempt.py");
    File::create(&script).unwrap().write_all(outside.script(way.attempt).as_bytes()).unwrap();
    let toml = "name = \"way\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\n\
                command = [\"python3\", \"{here}/attempt.py\", \"{in}\", \"{out}\"]\n";
    let description = Description::parse(toml, "way.toml", scripts.path()).unwrap();
    let reply = CommandClient::within(description, sandbox.clone()).run(b"file").unwrap();
    match way.led_out {
        Some(led_out) => led_out(&mut outside),
        None => matches!(reply, Reply::Picture(_)),
    }
}

/// Tries `ways` under every sandbox but those that `except` names.
fn try_all(ways: &[Way], except: &str) {
    if Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_err() {
        test_support::skipped("no python3");
        return;
    }
    let sandboxes = Sandbox::all();
    if sandboxes.iter().all(|sandbox| sandbox.name() == except) {
        test_support::skipped("no sandbox works here");
        return;
    }
    let mut out = Vec::new();
    for way in ways {
        for sandbox in sandboxes.iter().filter(|sandbox| sandbox.name() != except) {
            if attempt(way, sandbox) {
                out.push(format!("{}: {}", sandbox.name(), way.name));
            }
        }
    }
    assert!(out.is_empty(), "ways out: {out:#?}");
}

/// Each way leads out if nothing stands in it. Those that need rights are not tried as an ordinary user.
fn lead_out(ways: &[Way], except: &[&str]) {
    let root = rustix::process::geteuid().is_root();
    for way in ways.iter().filter(|way| root && !except.contains(&way.name)) {
        assert!(attempt(way, &Sandbox::off()), "{} does not lead out", way.name);
    }
}

#[test]
fn files_outside_cannot_be_changed() {
    try_all(FILES, "");
    // A link between file systems fails everywhere; a mount would hide the test's own files.
    lead_out(FILES, &["move a file in", "link a file and write to it", "mount over a folder"]);
}

#[test]
fn kernel_settings_cannot_be_written() {
    if !rustix::process::geteuid().is_root() {
        return test_support::skipped("only root could write them");
    }
    try_all(SETTINGS, "");
    // The mount would stay in the test's own folder.
    lead_out(SETTINGS, &["write a kernel setting by a mount of one's own"]);
}

#[test]
fn modes_and_times_outside_cannot_be_changed() {
    try_all(METADATA, "Landlock");
    lead_out(METADATA, &[]);
}

#[test]
fn no_socket_outside_can_be_reached() {
    try_all(SOCKETS, "");
    // The kernel may lack these.
    let rare =
        ["open a socket of the virtual machine", "open a socket of the kernel's cryptography"];
    lead_out(SOCKETS, &["set up io_uring", rare[0], rare[1]]);
}

#[test]
fn no_memory_is_had_by_devices_and_mounts() {
    try_all(DEVICES, "");
    lead_out(DEVICES, &[]);
}

#[test]
fn extended_attributes_outside_cannot_be_changed() {
    try_all(ATTRIBUTES, "");
    let file = tempfile::NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let flags = rustix::fs::XattrFlags::empty();
    // Not every file system has them.
    if rustix::fs::fsetxattr(&file, "user.x", b"x", flags).is_ok() {
        lead_out(ATTRIBUTES, &[]);
    }
}

#[test]
fn no_process_outside_can_be_reached() {
    try_all(PROCESSES, "");
    // The last two end with repfuzz's own means.
    lead_out(PROCESSES, &["trace a process", "leave a process behind"]);
}

#[test]
fn no_rights_can_be_gained() {
    // SAFETY: a plain system call.
    #[allow(unsafe_code)]
    let memory = unsafe { libc::shmget(0x5eed, 64, libc::IPC_CREAT | 0o600) };
    assert!(memory >= 0);
    try_all(RIGHTS, "");
    lead_out(RIGHTS, &["add a key"]);
    // SAFETY: as above.
    #[allow(unsafe_code)]
    unsafe {
        libc::shmctl(memory, libc::IPC_RMID, std::ptr::null_mut());
    }
}

#[test]
fn a_sandbox_says_what_it_holds() {
    for sandbox in Sandbox::all().into_iter().chain([Sandbox::off()]) {
        let guarantees = sandbox.guarantees();
        let open: Vec<&str> =
            guarantees.iter().filter(|g| g.hold == Hold::Open).map(|g| g.subject).collect();
        let all = ["files", "network", "abstract sockets", "file-system sockets", "signals"];
        let expected = match sandbox.name() {
            "Landlock" => vec!["files", "locks"],
            "limits only" => [&all[..], &["shared memory", "processes", "locks"]].concat(),
            _ => vec![],
        };
        assert_eq!(open, expected, "{}", sandbox.name());
        for limit in ["memory", "process count", "disk"] {
            assert!(guarantees.iter().any(|g| g.subject == limit), "{limit}: {guarantees:?}");
        }
        assert!(guarantees.iter().all(|g| !g.detail.is_empty()));
    }
}
