//! Clients identified by name, version and command line.

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use super::StoreError;
use crate::client::Client;

/// A client as it is recorded in stores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientRecord {
    /// Its name.
    pub name: String,
    /// Its version; empty if unknown.
    pub version: String,
    /// Its command line; empty if it is linked in.
    pub command: String,
}

impl ClientRecord {
    /// Describes `client`.
    pub fn of(client: &dyn Client) -> Self {
        Self {
            name: client.name().to_owned(),
            version: client.version().to_owned(),
            command: client.command().unwrap_or_default(),
        }
    }

    /// Its name and version.
    fn titled(&self) -> String {
        format!("{} {}", self.name, self.version).trim_end().to_owned()
    }

    /// Returns its row, which is inserted if it does not exist.
    pub(super) fn row(&self, conn: &Connection) -> Result<i64, StoreError> {
        let Self { name, version, command } = self;
        conn.prepare_cached(
            "INSERT OR IGNORE INTO client (name, version, command) VALUES (?, ?, ?)",
        )?
        .execute(params![name, version, command])?;
        let mut find = conn.prepare_cached(
            "SELECT id FROM client WHERE name = ? AND version = ? AND command = ?",
        )?;
        Ok(find.query_row(params![name, version, command], |row| row.get(0))?)
    }
}

/// Describes, in a line each, the differences between the clients of a run when it began and
/// when it is resumed.
pub(super) fn changes(before: &[ClientRecord], now: &[ClientRecord]) -> Vec<String> {
    let mut lines = Vec::new();
    for old in before {
        match now.iter().find(|new| new.name == old.name) {
            None => lines.push(format!(
                "{} is no longer among the clients: its results are kept, and the run continues \
                 without it",
                old.titled()
            )),
            Some(new) if new.version != old.version => lines.push(format!(
                "{} was {:?} when the run began and is {:?} now: results of {:?} are kept, and \
                 {:?} starts over",
                old.name, old.version, new.version, old.version, new.version
            )),
            Some(new) if new.command != old.command => lines.push(format!(
                "{} has a different command line than when the run began: it starts over",
                old.name
            )),
            Some(_) => {}
        }
    }
    let new = now.iter().filter(|new| !before.iter().any(|old| old.name == new.name));
    lines.extend(new.map(|new| {
        format!("{} was not among the clients when the run began: it starts now", new.titled())
    }));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(name: &str, version: &str, command: &str) -> ClientRecord {
        ClientRecord { name: name.into(), version: version.into(), command: command.into() }
    }

    #[test]
    fn every_change_is_reported_and_nothing_else() {
        let before = [client("a", "1", "x"), client("b", "1", ""), client("c", "", "y")];
        let now = [client("a", "2", "x"), client("c", "", "z"), client("d", "4", "")];
        insta::assert_snapshot!(changes(&before, &now).join("\n"), @r#"
        a was "1" when the run began and is "2" now: results of "1" are kept, and "2" starts over
        b 1 is no longer among the clients: its results are kept, and the run continues without it
        c has a different command line than when the run began: it starts over
        d 4 was not among the clients when the run began: it starts now
        "#);
        assert!(changes(&now, &now).is_empty());
    }
}
