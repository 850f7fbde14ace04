//! Resource limits of a client.

use std::time::Duration;

use serde::Deserialize;

/// Resource limits of a client.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Time limit for one file in seconds, for all programs together.
    pub time_s: u32,
    /// Memory limit in megabytes; 0 means no limit.
    pub memory_mb: u64,
    /// The kind of memory that is limited.
    pub memory: Memory,
    /// Disk space for the scratch folder, in megabytes.
    pub disk_mb: u64,
    /// Size limit of printed messages, in megabytes.
    pub messages_mb: u64,
    /// Number of processes and threads at a time.
    pub processes: u64,
    /// Number of open files per process.
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
    /// The time limit for one file.
    pub fn time(&self) -> Duration {
        Duration::from_secs(self.time_s.into())
    }
}

/// The kind of memory that is limited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Memory {
    /// The address space. The kernel enforces the limit, so an allocation fails.
    #[default]
    AddressSpace,
    /// Resident memory. repfuzz samples it and kills the client. This is for runtimes that reserve far more than they
    /// use (Java, Go, sanitizers).
    Resident,
}
