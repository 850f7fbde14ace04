use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::mkfifoat;

use super::*;

/// A folder of a client, and one outside of it with the file `kept`.
struct Case {
    inside: tempfile::TempDir,
    outside: tempfile::TempDir,
    folder: Folder,
}

impl Case {
    fn new() -> Self {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(outside.path().join("kept"), "kept").unwrap();
        let folder = Folder::open(inside.path()).unwrap();
        Self { inside, outside, folder }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.inside.path().join(name)
    }

    fn kept(&self) -> PathBuf {
        self.outside.path().join("kept")
    }

    fn pipe(&self, name: &str) {
        mkfifoat(CWD, self.at(name), Mode::from_raw_mode(0o600)).unwrap();
    }

    /// Fails if anything outside has changed.
    fn check(&self) {
        assert_eq!(fs::read_to_string(self.kept()).unwrap(), "kept");
        assert_eq!(fs::read_dir(self.outside.path()).unwrap().count(), 1);
    }

    /// Opens for writing, with and without `openat2`.
    fn written(&self, path: &str) -> [Result<OwnedFd, Errno>; 2] {
        let (flags, mode) = (OFlags::WRONLY | OFlags::CREATE, Mode::from_raw_mode(0o600));
        let path = Path::new(path);
        [self.folder.at(path, flags, mode), self.folder.step_by_step(path, flags, mode)]
    }
}

#[test]
fn a_file_is_put_beside_threads_that_plant_links() {
    let case = Case::new();
    let (target, place) = (case.kept(), case.at("in.tif"));
    let done = AtomicBool::new(false);
    let planted = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let mut planted = 0_u32;
                    while !done.load(Ordering::Relaxed) {
                        planted += u32::from(symlink(&target, &place).is_ok());
                        let _ = fs::remove_file(&place);
                    }
                    planted
                })
            })
            .collect();
        for _ in 0..2000 {
            case.folder.put("in.tif", b"input").unwrap();
        }
        done.store(true, Ordering::Relaxed);
        threads.into_iter().map(|thread| thread.join().unwrap()).sum::<u32>()
    });
    // Otherwise nothing was tried.
    assert!(planted > 100, "{planted}");
    case.check();
    case.folder.put("in.tif", b"input").unwrap();
    assert_eq!(fs::read(&place).unwrap(), b"input");
    // No file under another name is left.
    assert_eq!(fs::read_dir(case.inside.path()).unwrap().count(), 1);
}

#[test]
fn a_file_takes_the_place_of_anything_but_a_folder() {
    let case = Case::new();
    symlink(case.kept(), case.at("link")).unwrap();
    symlink(case.outside.path().join("new"), case.at("dangling")).unwrap();
    symlink("/dev/full", case.at("device")).unwrap();
    case.pipe("pipe");
    fs::write(case.at("file"), "longer than the new one").unwrap();
    fs::hard_link(case.at("file"), case.at("hard")).unwrap();
    fs::set_permissions(case.at("file"), fs::Permissions::from_mode(0o000)).unwrap();
    let _socket = UnixListener::bind(case.at("socket")).unwrap();
    for name in ["link", "dangling", "device", "pipe", "hard", "socket", "nothing"] {
        case.folder.put(name, b"new").unwrap();
        assert!(case.at(name).symlink_metadata().unwrap().is_file(), "{name}");
        assert_eq!(fs::read(case.at(name)).unwrap(), b"new", "{name}");
    }
    fs::set_permissions(case.at("file"), fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(fs::read_to_string(case.at("file")).unwrap(), "longer than the new one");
    fs::create_dir(case.at("folder")).unwrap();
    let files = fs::read_dir(case.inside.path()).unwrap().count();
    assert!(is_obstacle(&case.folder.put("folder", b"new").unwrap_err()));
    assert!(is_obstacle(&case.folder.create("link").unwrap_err()));
    for elsewhere in ["../kept", "/tmp/kept", "folder/file", "..", ".", "", "file/"] {
        assert!(case.folder.put(elsewhere, b"new").is_err(), "{elsewhere}");
    }
    assert_eq!(fs::read_dir(case.inside.path()).unwrap().count(), files);
    case.check();
}

#[test]
fn only_regular_files_are_read_and_nothing_is_waited_for() {
    let case = Case::new();
    let read = |name: &str, limit| case.folder.read(|other| other == name, limit).unwrap();
    symlink(case.kept(), case.at("link")).unwrap();
    symlink("/dev/zero", case.at("zeros")).unwrap();
    case.pipe("pipe");
    fs::create_dir(case.at("folder")).unwrap();
    let _socket = UnixListener::bind(case.at("socket")).unwrap();
    for (name, kind) in [
        ("link", "a link"),
        ("zeros", "a link"),
        ("pipe", "a pipe"),
        ("folder", "a folder"),
        ("socket", "a socket"),
    ] {
        assert_eq!(read(name, 9), Found::Other(kind), "{name}");
        assert!(case.folder.reader(name).is_err(), "{name}");
    }
    assert_eq!(read("nothing", 9), Found::Nothing);
    fs::write(case.at("out.1"), "picture").unwrap();
    fs::hard_link(case.at("out.1"), case.at("out.2")).unwrap();
    assert_eq!(read("out.2", 4), Found::File(b"pict".to_vec()));
    // A file counts before anything else of a matching name.
    case.pipe("out.0");
    let found = case.folder.read(|name| name.starts_with("out"), 99).unwrap();
    assert_eq!(found, Found::File(b"picture".to_vec()));
}

#[test]
fn devices_are_not_opened() {
    // The folder of devices, which nobody has to create.
    let folder = Folder::open(Path::new("/dev")).unwrap();
    let found = folder.read(|name| name == "zero", 9).unwrap();
    assert_eq!(found, Found::Other("a device"));
}

#[test]
fn a_file_on_which_a_client_holds_a_lease_is_not_waited_for() {
    let case = Case::new();
    let file = File::create(case.at("out")).unwrap();
    // The holder of a lease is told by a signal that would end us.
    // SAFETY: plain system calls.
    #[allow(unsafe_code)]
    let leased = unsafe {
        libc::signal(libc::SIGIO, libc::SIG_IGN);
        libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, libc::F_WRLCK) == 0
    };
    if !leased {
        test_support::skipped("no leases here");
        return;
    }
    assert_eq!(case.folder.read(|name| name == "out", 9).unwrap(), Found::Nothing);
}

#[test]
fn nothing_outside_is_opened() {
    let case = Case::new();
    symlink(case.outside.path(), case.at("link")).unwrap();
    fs::create_dir(case.at("folder")).unwrap();
    symlink(case.kept(), case.at("folder/link")).unwrap();
    let up = format!("../{}/kept", case.outside.path().file_name().unwrap().to_str().unwrap());
    let whole = case.kept().display().to_string();
    for path in ["link/kept", "folder/link", "folder/../../x", &up, &whole, "folder", "no/file"] {
        for opened in case.written(path) {
            assert!(opened.is_err(), "{path}");
        }
    }
    for opened in case.written("folder/file") {
        opened.unwrap();
    }
    case.check();
}

#[test]
fn sockets_are_found_below_the_folder_only_and_not_waited_for() {
    let case = Case::new();
    let _ours = UnixListener::bind(case.at("ours")).unwrap();
    let _others = UnixListener::bind(case.outside.path().join("others")).unwrap();
    symlink(case.outside.path(), case.at("link")).unwrap();
    symlink(case.outside.path().join("others"), case.at("symlink")).unwrap();
    fs::write(case.at("file"), "").unwrap();
    let mut connections = Vec::new();
    let full = loop {
        match case.folder.connect(Path::new("ours")) {
            Ok(connection) => connections.push(connection),
            Err(e) => break e,
        }
    };
    assert!(!connections.is_empty());
    assert_eq!(full.kind(), io::ErrorKind::WouldBlock);
    let others = case.outside.path().join("others").display().to_string();
    for elsewhere in ["link/others", "symlink", "file", "../others", &others] {
        assert!(case.folder.connect(Path::new(elsewhere)).is_err(), "{elsewhere}");
    }
}

#[test]
fn files_without_a_name_can_be_read_after_others_have_written() {
    let case = Case::new();
    let file = case.folder.nameless().unwrap();
    file.try_clone().unwrap().write_all(b"printed").unwrap();
    assert_eq!(content(&file, 99).unwrap(), b"printed");
    assert_eq!(content(&file, 3).unwrap(), b"pri");
    assert_eq!(fs::read_dir(case.inside.path()).unwrap().count(), 0);
}

/// Makes folders in one another, each in a longer path than the system takes.
fn make_deep(top: &Path, depth: usize) {
    let mut folder = Folder::open(top).unwrap();
    for _ in 0..depth {
        folder = folder.make("a folder with a name of some length").unwrap();
    }
    folder.put("file", &[1; 5000]).unwrap();
}

#[test]
fn sizes_follow_no_link_and_no_depth_hides_a_file() {
    let case = Case::new();
    fs::write(case.outside.path().join("kept"), "kept").unwrap();
    symlink(case.outside.path(), case.at("link")).unwrap();
    symlink("/dev/zero", case.at("zeros")).unwrap();
    symlink(".", case.at("circle")).unwrap();
    case.pipe("pipe");
    assert_eq!(case.folder.used().files, 4);
    assert_eq!(case.folder.used().longest, 0);
    make_deep(case.inside.path(), 100);
    let used = case.folder.used();
    assert!(used.files == 105 && used.longest == 5000 && used.bytes >= 5000, "{used:?}");
    assert!(!used.too_many_files());
    fs::create_dir(case.at("deeper")).unwrap();
    make_deep(&case.at("deeper"), 300);
    assert!(case.folder.used().too_many_files());
}

#[test]
fn everything_is_removed_and_nothing_else() {
    let case = Case::new();
    make_deep(case.inside.path(), 3000);
    fs::create_dir_all(case.at("locked/inner/folder")).unwrap();
    fs::write(case.at("locked/inner/file"), "").unwrap();
    symlink(case.outside.path(), case.at("locked/inner/link")).unwrap();
    symlink(case.outside.path(), case.at("link")).unwrap();
    case.pipe("pipe");
    fs::set_permissions(case.at("locked/inner"), fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(case.at("locked"), fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(case.inside.path(), fs::Permissions::from_mode(0o000)).unwrap();
    case.folder.remove("link");
    case.folder.remove("../kept");
    case.check();
    case.folder.clear();
    fs::set_permissions(case.inside.path(), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(fs::read_dir(case.inside.path()).unwrap().count(), 0);
    case.check();
}

#[test]
fn permissions_that_a_client_takes_away_are_taken_back() {
    let case = Case::new();
    fs::write(case.at("out"), "picture").unwrap();
    fs::set_permissions(case.inside.path(), fs::Permissions::from_mode(0o000)).unwrap();
    let found = case.folder.read(|name| name == "out", 9).unwrap();
    assert_eq!(found, Found::File(b"picture".to_vec()));
    fs::set_permissions(case.inside.path(), fs::Permissions::from_mode(0o500)).unwrap();
    case.folder.put("in", b"input").unwrap();
}
