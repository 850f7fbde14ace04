//! A server of NATS for a test.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::installed;

/// A running server, with JetStream in a folder of its own. It ends with this value.
pub struct Nats {
    child: Child,
    port: u16,
    /// The port of its figures.
    figures: u16,
    folder: tempfile::TempDir,
    scheme: &'static str,
}

impl Nats {
    /// Starts a server; `None` where it is not installed.
    pub fn start() -> Option<Self> {
        Self::with("nats", |_| String::new())
    }

    /// Starts a server with more of a configuration, which may refer to files that it writes into the folder.
    pub fn with(scheme: &'static str, config: impl FnOnce(&Path) -> String) -> Option<Self> {
        if !installed("nats-server") {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let (port, figures) = (free_port(), free_port());
        let store = folder.path().join("store");
        let more = config(folder.path());
        let config = format!(
            "host: 127.0.0.1\nport: {port}\nhttp: \"127.0.0.1:{figures}\"\njetstream {{ store_dir: {store:?} }}\n{more}\n"
        );
        fs::write(folder.path().join("nats.conf"), config).unwrap();
        let child = launch(folder.path());
        let nats = Self { child, port, figures, folder, scheme };
        nats.ready();
        Some(nats)
    }

    pub fn url(&self) -> String {
        format!("{}://127.0.0.1:{}", self.scheme, self.port)
    }

    pub fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// The messages that it has taken and given since it started.
    pub fn messages(&self) -> u64 {
        let mut stream = TcpStream::connect(("127.0.0.1", self.figures)).unwrap();
        stream.write_all(b"GET /varz HTTP/1.0\r\n\r\n").unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let body = reply.split_once("\r\n\r\n").unwrap().1;
        let facts: serde_json::Value = serde_json::from_str(body).unwrap();
        facts["in_msgs"].as_u64().unwrap() + facts["out_msgs"].as_u64().unwrap()
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it, as `kill -9` does.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Removes all that it stored, after [`Nats::kill`].
    pub fn wipe(&self) {
        fs::remove_dir_all(self.folder.path().join("store")).unwrap();
    }

    /// Starts it again after [`Nats::kill`].
    pub fn restart(&mut self) {
        self.child = launch(self.folder.path());
        self.ready();
    }

    fn ready(&self) {
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let log = || fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(begun.elapsed() < Duration::from_secs(30), "nats-server: {}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}

fn launch(folder: &Path) -> Child {
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("nats-server")
        .args(["-c", "nats.conf", "-l", "log"])
        .current_dir(folder)
        .env("PATH", format!("{path}:/usr/sbin:/usr/local/sbin"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// A port that nothing listens on now.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
