//! A night as a Slurm array, on a cluster of one machine, which the test starts. No NATS takes part.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::fleet::Night;
use crate::nats::free_port;
use crate::{installed, skipped};

/// The daemons of a cluster; they end with this value.
struct Cluster {
    daemons: Vec<Child>,
    folder: tempfile::TempDir,
}

impl Cluster {
    /// Starts a cluster; `None` if it does not begin to work, because of the rights of this user, for example.
    fn start() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut cluster = Self { daemons: Vec::new(), folder };
        let at = cluster.folder.path().to_owned();
        configure(&at);
        let file = |option: &str, name: &str| format!("--{option}={}", at.join(name).display());
        let munge = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            file("key-file", "munge.key"),
            file("socket", "munge.socket"),
            file("pid-file", "munged.pid"),
            file("log-file", "munged.log"),
            file("seed-file", "munge.seed"),
        ];
        cluster.daemon("munged", &munge.each_ref().map(String::as_str));
        cluster.daemon("slurmctld", &["-D"]);
        cluster.daemon("slurmd", &["-D"]);
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(30) {
            let idle = cluster.tool("sinfo", &["--noheader", "--format=%T"]);
            if idle.is_some_and(|state| state.trim() == "idle") {
                return Some(cluster);
            }
            std::thread::sleep(Duration::from_millis(300));
        }
        None
    }

    fn daemon(&mut self, name: &str, words: &[&str]) {
        let mut command = command(name, self.folder.path());
        let child = command.args(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        self.daemons.extend(child.ok());
        // Each connects to the one before.
        std::thread::sleep(Duration::from_millis(700));
    }

    /// The output of a tool; `None` if it fails.
    fn tool(&self, name: &str, words: &[&str]) -> Option<String> {
        let output = command(name, self.folder.path()).args(words).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

fn command(name: &str, folder: &Path) -> Command {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(name);
    command.env("PATH", format!("{path}:/usr/sbin")).env("SLURM_CONF", folder.join("slurm.conf"));
    command
}

fn configure(at: &Path) {
    let key: Vec<u8> = (0..1024_u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    fs::write(at.join("munge.key"), key).unwrap();
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(at.join("munge.key"), fs::Permissions::from_mode(0o400)).unwrap();
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let host = host.split('.').next().unwrap_or_default().to_owned();
    for folder in ["state", "spool"] {
        fs::create_dir(at.join(folder)).unwrap();
    }
    let (ctld, node) = (free_port(), free_port());
    let at = at.display();
    let text = format!(
        "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={ctld}\nSlurmdPort={node}\n\
         SlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\nAuthInfo=socket={at}/munge.socket\n\
         CredType=cred/munge\nStateSaveLocation={at}/state\nSlurmdSpoolDir={at}/spool\n\
         SlurmctldPidFile={at}/slurmctld.pid\nSlurmdPidFile={at}/slurmd.pid\n\
         SlurmctldLogFile={at}/slurmctld.log\nSlurmdLogFile={at}/slurmd.log\n\
         ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n\
         SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
         JobAcctGatherType=jobacct_gather/none\n\
         AccountingStorageType=accounting_storage/none\nReturnToService=2\n\
         NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
         PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP\n"
    );
    fs::write(format!("{at}/slurm.conf"), text).unwrap();
}

/// Submits a script in a folder, and waits for all of its jobs.
fn submit(cluster: &Cluster, folder: &Path, script: &str, words: &[&str]) {
    let file: PathBuf = folder.join("job.sh");
    fs::write(&file, script).unwrap();
    let (at, out) = (folder.display().to_string(), folder.join("slurm-%a.log"));
    let mut all = vec!["--wait", "--chdir", &at, "--output", out.to_str().unwrap()];
    all.extend(words);
    all.push(file.to_str().unwrap());
    let done = cluster.tool("sbatch", &all);
    let logs = || -> String {
        let entries = fs::read_dir(folder).unwrap().flatten();
        let logs = entries.filter(|e| e.file_name().to_string_lossy().ends_with(".log"));
        logs.map(|e| fs::read_to_string(e.path()).unwrap_or_default()).collect()
    };
    assert!(done.is_some(), "{}", logs());
}

#[test]
#[ignore = "slow: starts Slurm"]
fn a_slurm_array_has_the_results_of_the_night() {
    for program in ["munged", "slurmctld", "slurmd", "sbatch"] {
        if !installed(program) {
            return;
        }
    }
    let Some(cluster) = Cluster::start() else {
        return skipped("Slurm does not start here");
    };
    let here = Night::new(6, "0");
    assert_eq!(here.run_here().status.code(), Some(1));
    let night = Night::new(6, "0");
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display().to_string();
    fs::create_dir(night.path().join("parts")).unwrap();
    let part = format!(
        "#!/bin/sh\nexec {repfuzz} nightly nightly.toml --shard \"$SLURM_ARRAY_TASK_ID/4\" \
         --store \"parts/$SLURM_ARRAY_TASK_ID.sqlite\"\n"
    );
    submit(&cluster, night.path(), &part, &["--array=1-4"]);
    let rest = format!(
        "#!/bin/sh\n{repfuzz} merge parts/*.sqlite -o nightly.sqlite && \
         {repfuzz} nightly nightly.toml --report-only\ntest $? = 1\n"
    );
    submit(&cluster, night.path(), &rest, &[]);
    assert_eq!(night.told(), here.told());
    let counted = |night: &Night, kind: &str| {
        let kind = format!("Text({kind:?})");
        night.results().iter().filter(|line| line.starts_with(&kind)).count()
    };
    for kind in ["outcome", "cause"] {
        assert_eq!(counted(&night, kind), counted(&here, kind), "{kind}");
    }
}
