//! Clients by name, version and command line.

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use super::StoreError;
use crate::client::Client;

/// A client as stores know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientId {
    /// Its name.
    pub name: String,
    /// Its version; empty if unknown.
    pub version: String,
    /// Its command line; empty if it is linked in.
    pub command: String,
}

impl ClientId {
    /// What is known of `client`.
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

    /// Its row, which is made if it is not there.
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

/// What is to be said where a run that began with the clients `before` goes on with those
/// of `now`: a line each.
pub(super) fn changes(before: &[ClientId], now: &[ClientId]) -> Vec<String> {
    let mut lines = Vec::new();
    for old in before {
        match now.iter().find(|new| new.name == old.name) {
            None => lines.push(format!(
                "{} is not among the clients now: what it did is kept, and the run goes on \
                 without it",
                old.titled()
            )),
            Some(new) if new.version != old.version => lines.push(format!(
                "{} was {:?} when the run began and is {:?} now: what {:?} did is kept, and \
                 {:?} begins anew",
                old.name, old.version, new.version, old.version, new.version
            )),
            Some(new) if new.command != old.command => lines.push(format!(
                "{} has another command line than when the run began: it begins anew",
                old.name
            )),
            Some(_) => {}
        }
    }
    let new = now.iter().filter(|new| !before.iter().any(|old| old.name == new.name));
    lines.extend(new.map(|new| {
        format!("{} was not among the clients when the run began: it begins now", new.titled())
    }));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(name: &str, version: &str, command: &str) -> ClientId {
        ClientId { name: name.into(), version: version.into(), command: command.into() }
    }

    #[test]
    fn every_change_is_told_and_nothing_else() {
        let before = [client("a", "1", "x"), client("b", "1", ""), client("c", "", "y")];
        let now = [client("a", "2", "x"), client("c", "", "z"), client("d", "4", "")];
        insta::assert_snapshot!(changes(&before, &now).join("\n"), @r#"
        a was "1" when the run began and is "2" now: what "1" did is kept, and "2" begins anew
        b 1 is not among the clients now: what it did is kept, and the run goes on without it
        c has another command line than when the run began: it begins anew
        d 4 was not among the clients when the run began: it begins now
        "#);
        assert!(changes(&now, &now).is_empty());
    }
}
