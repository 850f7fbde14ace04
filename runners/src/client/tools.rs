//! What is installed for one client alone: its `{tools}` folder.

use std::path::PathBuf;

use super::description::Description;

/// The folder of a client's tools, whether it is there or not:
/// `$XDG_DATA_HOME/repfuzz/clients/NAME`.
pub fn folder(name: &str) -> PathBuf {
    let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
    let data = data.unwrap_or_else(|| {
        std::env::home_dir().unwrap_or_else(|| PathBuf::from("/var/lib")).join(".local/share")
    });
    data.join("repfuzz/clients").join(name)
}

/// What of a client's tools is not installed.
pub fn missing(_description: &Description) -> Option<String> {
    None
}
