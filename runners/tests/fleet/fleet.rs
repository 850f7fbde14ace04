//! Nights, servers and workers as processes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rusqlite::Connection;

/// A folder with a configuration, two seeds and two clients with a fault each.
pub struct Night {
    folder: tempfile::TempDir,
}

/// Refuses big-endian files.
const MM: &str = "case $(head -c 2 \"$1\") in MM) echo no >&2; exit 3;; esac";

/// Dies of files whose first directory is not behind the header.
const LATE: &str = "case $(od -An -tx1 -j4 -N4 \"$1\" | tr -d ' \\n') in 08000000|00000008) ;; \
                    *) kill -SEGV $$;; esac";

impl Night {
    /// A night with so many variants of each seed, whose clients sleep for a number of seconds.
    pub fn new(variants: usize, sleep: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds");
        for name in ["tiny.tif", "gray.tif"] {
            fs::copy(seeds.join(name), at.join(name)).unwrap();
        }
        let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
        for (name, fault) in [("mm", MM), ("late", LATE)] {
            let text = format!(
                "name = \"{name}\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\n\
                 command = [\"sh\", \"-c\", '''\n{fault}\nsleep {sleep}\n\
                 exec \"{repfuzz}\" normalize \"$1\" -o \"$2\"\n''', \"sh\", \"{{in}}\", \"{{out}}\"]\n\
                 [output]\nformat = \"png\"\n"
            );
            fs::write(at.join(format!("{name}.toml")), text).unwrap();
        }
        let config = format!(
            "seeds = ['*.tif']\nclients = ['mm', 'late']\ndescribe = ['mm.toml', 'late.toml']\n\
             variants = {variants}\nnumber = 3\n"
        );
        fs::write(at.join("nightly.toml"), config).unwrap();
        Self { folder }
    }

    /// Ends each night after so many seconds.
    pub fn within(self, seconds: u64) -> Self {
        let config = self.path().join("nightly.toml");
        let text = fs::read_to_string(&config).unwrap();
        fs::write(&config, format!("time_s = {seconds}\n{text}")).unwrap();
        self
    }

    /// The first field that `query` finds in tonight's ledger.
    fn in_ledger<T: rusqlite::types::FromSql>(&self, query: &str) -> Option<T> {
        let ledger = self.path().join("nightly.sqlite-fleet");
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
        let conn = Connection::open_with_flags(ledger, flags).ok()?;
        conn.query_row(query, [], |row| row.get(0)).ok()
    }

    /// The identifier of the night, once it has a job.
    pub fn id(&self) -> Option<String> {
        self.in_ledger("SELECT night FROM job LIMIT 1")
    }

    /// The number of results that have arrived tonight.
    pub fn arrived(&self) -> i64 {
        self.in_ledger("SELECT count(*) FROM result").unwrap_or(0)
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn store(&self) -> PathBuf {
        self.path().join("nightly.sqlite")
    }

    /// Runs it on this machine, without a fleet.
    pub fn run_here(&self) -> Output {
        command().arg("nightly").arg("nightly.toml").current_dir(self.path()).output().unwrap()
    }

    /// Starts a server for it.
    pub fn serve(&self, url: &str, more: &[&str]) -> Process {
        let mut command = command();
        command.arg("serve").arg("nightly.toml").args(["--nats", url]).args(more);
        if !more.contains(&"--lease") {
            command.args(["--lease", "2s"]);
        }
        Process::start(command.current_dir(self.path()))
    }

    /// Starts a worker with its clients, whose log is read.
    pub fn work_logged(&self, url: &str, name: &str) -> Process {
        let mut command = self.worker(url, name);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        Process(Some(child.spawn().unwrap()))
    }

    /// Starts a worker with its clients.
    pub fn work(&self, url: &str, name: &str, more: &[&str]) -> Process {
        Process::start(self.worker(url, name).args(more))
    }

    fn worker(&self, url: &str, name: &str) -> Command {
        let mut command = command();
        command.args(["work", "--nats", url, "--name", name, "--jobs", "1", "--no-sandbox"]);
        command.args(["--describe", "mm.toml", "--describe", "late.toml", "--clients", "mm,late"]);
        command.current_dir(self.path());
        command
    }

    /// All results in its store, apart from times.
    pub fn results(&self) -> Vec<String> {
        let conn = Connection::open(self.store()).unwrap();
        let mut lines = Vec::new();
        for query in [
            "SELECT 'outcome', r.place, l.name, o.variant, o.outcome, o.difference, o.picture, \
             o.message FROM outcome o JOIN run r ON r.id = o.run JOIN client l ON l.id = o.client",
            "SELECT 'variant', r.place, v.variant, v.vary, v.class, v.bytes, hex(v.choices) \
             FROM variant v JOIN run r ON r.id = v.run",
            "SELECT 'cause', r.place, l.name, c.place, c.outcome, c.kind, c.dimensions, c.class, \
             c.count, c.title, c.message, c.choices, c.size, hex(c.file), c.difference \
             FROM cause c JOIN run r ON r.id = c.run JOIN client l ON l.id = c.client",
        ] {
            let mut found = conn.prepare(query).unwrap();
            let columns = found.column_count();
            let mut rows = found.query([]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                let value = |k| format!("{:?}", row.get::<_, rusqlite::types::Value>(k).unwrap());
                lines.push((0..columns).map(value).collect::<Vec<_>>().join(" "));
            }
        }
        lines.sort();
        lines
    }

    /// The line of the summary with the numbers of findings.
    pub fn told(&self) -> String {
        let summary = fs::read_to_string(self.path().join("nightly-report/summary.txt")).unwrap();
        let line = summary.lines().find(|line| line.contains(" new,"));
        line.unwrap_or_else(|| panic!("no numbers: {summary}")).to_owned()
    }
}

fn command() -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("repfuzz"));
    command.env("COLUMNS", "80").env("NO_COLOR", "1").env("REPFUZZ_LOG", "info");
    command
}

/// Runs `repfuzz` with these words.
pub fn repfuzz(words: &[&str]) -> Output {
    command().args(words).output().unwrap()
}

/// A process, which ends with this value.
pub struct Process(Option<Child>);

impl Process {
    fn start(command: &mut Command) -> Self {
        let show = std::env::var_os("FLEET_LOG").is_some();
        let err = || if show { Stdio::inherit() } else { Stdio::null() };
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(err()).spawn();
        Self(Some(child.unwrap()))
    }

    pub fn id(&self) -> u32 {
        self.0.as_ref().unwrap().id()
    }

    /// Its standard error.
    pub fn take_log(&mut self) -> std::process::ChildStderr {
        self.0.as_mut().unwrap().stderr.take().unwrap()
    }

    /// Asks it to end, as SIGTERM does.
    pub fn terminate(&self) {
        let child = rustix::process::Pid::from_child(self.0.as_ref().unwrap());
        rustix::process::kill_process(child, rustix::process::Signal::TERM).unwrap();
    }

    /// Kills it, as `kill -9` does.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// The exit code, if it has ended.
    pub fn ended(&mut self) -> Option<i32> {
        let status = self.0.as_mut()?.try_wait().unwrap()?;
        Some(status.code().unwrap_or(-1))
    }

    /// Waits until it ends; returns the exit code.
    pub fn wait(&mut self, limit: Duration) -> i32 {
        let begun = Instant::now();
        loop {
            if let Some(code) = self.ended() {
                return code;
            }
            assert!(begun.elapsed() < limit, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
