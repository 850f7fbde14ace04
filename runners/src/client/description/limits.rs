//! What a client may use.

use std::time::Duration;

use serde::Deserialize;

/// What a client may use.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Seconds for one file, all programs together.
    pub time_s: u32,
    /// Megabytes of memory; 0: no limit.
    pub memory_mb: u64,
    /// How memory is counted.
    pub memory: Memory,
    /// Megabytes in the scratch folder.
    pub disk_mb: u64,
    /// Megabytes of messages.
    pub messages_mb: u64,
    /// Processes and threads at a time.
    pub processes: u64,
    /// Open files of one process.
    pub open_files: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time_s: 20,
            memory_mb: 2048,
            memory: Memory::AddressSpace,
            disk_mb: 512,
            messages_mb: 16,
            processes: 512,
            open_files: 1024,
        }
    }
}

impl Limits {
    /// The time limit.
    pub fn time(&self) -> Duration {
        Duration::from_secs(self.time_s.into())
    }
}

/// How memory is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Memory {
    /// The address space, limited by the kernel: an allocation fails.
    #[default]
    AddressSpace,
    /// What is really in memory, watched from outside: the client is stopped. For runtimes
    /// that reserve far more than they use (Java, Go, sanitizers).
    Resident,
}
