//! Clients identified by name, version, command line, and the bytes of their programs.

use rayon::prelude::*;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use super::StoreError;
use crate::report;
use clients::{Client, ProgramFiles};

/// A client as it is recorded in stores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientRecord {
    /// Its name.
    pub name: String,
    /// Its version; empty if unknown.
    pub version: String,
    /// Its command line; empty if it is linked in.
    pub command: String,
    /// The files of its program; empty in stores of older versions.
    #[serde(default, skip_serializing_if = "ProgramFiles::is_empty")]
    pub files: ProgramFiles,
}

impl ClientRecord {
    /// Describes `client`. Reads the files of its program.
    pub fn of(client: &dyn Client) -> Self {
        Self {
            name: client.name().to_owned(),
            version: client.version().to_owned(),
            command: client.command().unwrap_or_default(),
            files: client.program_files(),
        }
    }

    /// Describes several clients, whose files are read at once.
    pub fn of_all(clients: &[Box<dyn Client>]) -> Vec<Self> {
        clients.par_iter().map(|client| Self::of(&**client)).collect()
    }

    /// Returns true if the bytes of the client are known: the files of its program, or the version of a client that is
    /// linked in.
    pub(super) fn is_identified(&self) -> bool {
        let linked_in = self.command.is_empty() && !self.version.is_empty();
        linked_in || !self.files.is_empty()
    }

    /// Returns true if `other` is the same program of the same version. An unknown version does not count as a
    /// different one.
    pub(super) fn is_program_of(&self, other: &Self) -> bool {
        let unknown = self.version.is_empty() || other.version.is_empty();
        (&self.command, &self.files) == (&other.command, &other.files)
            && (unknown || self.version == other.version)
    }

    /// Its name and version.
    fn titled(&self) -> String {
        format!("{} {}", self.name, self.version).trim_end().to_owned()
    }

    /// Returns its row, which is inserted if it does not exist.
    pub(super) fn row(&self, conn: &Connection) -> Result<i64, StoreError> {
        let Self { name, version, command, files } = self;
        let program = files.digest();
        conn.prepare_cached(
            "INSERT OR IGNORE INTO client (name, version, command, program) VALUES (?, ?, ?, ?)",
        )?
        .execute(params![name, version, command, program])?;
        let mut find = conn.prepare_cached(
            "SELECT id FROM client WHERE name = ? AND version = ? AND command = ? AND program = ?",
        )?;
        Ok(find.query_row(params![name, version, command, program], |row| row.get(0))?)
    }

    /// Describes the change from `old`, which is the same client when a run began; `None` if nothing changed. `done`
    /// states the consequence: `its 12 results are run again`.
    fn change(&self, old: &Self, done: &str) -> Option<String> {
        let changed = self.files.changed_since(&old.files);
        if self.version != old.version {
            let (then, now) = (&old.version, &self.version);
            return Some(format!("{} was {then:?} before and is {now:?} now: {done}", self.name));
        }
        if !changed.is_empty() && !old.files.is_empty() {
            return Some(format!("{} of {} changed since: {done}", changed.join(", "), self.name));
        }
        let what = if self.command == old.command { "program" } else { "command line" };
        (self != old).then(|| format!("the {what} of {} changed since: {done}", self.name))
    }
}

/// Describes the differences between the clients of a run when it began and when it is resumed, in one line each.
/// `results` counts the stored replies of a client.
pub(super) fn changes(
    before: &[ClientRecord],
    now: &[ClientRecord],
    results: impl Fn(&ClientRecord) -> Result<usize, StoreError>,
) -> Result<Vec<String>, StoreError> {
    let mut lines = Vec::new();
    for old in before {
        let Some(new) = now.iter().find(|new| new.name == old.name) else {
            lines.push(format!(
                "{} is no longer among the clients: its results are kept, and the run continues \
                 without it",
                old.titled()
            ));
            continue;
        };
        let done = match results(old)? {
            0 => "it starts over".to_owned(),
            count => format!("its {} run again", report::plural(count, "result is", "results are")),
        };
        lines.extend(new.change(old, &done));
    }
    let new = now.iter().filter(|new| !before.iter().any(|old| old.name == new.name));
    lines.extend(new.map(|new| {
        format!("{} was not among the clients when the run began: it starts now", new.titled())
    }));
    Ok(lines)
}

/// Describes the changes of those clients of a finished run that still exist, in one line each. After a change, the
/// results are not those of the clients of `now`.
pub(super) fn outdated(before: &[ClientRecord], now: &[ClientRecord]) -> Vec<String> {
    let changed = before.iter().filter_map(|old| {
        let new = now.iter().find(|new| new.name == old.name)?;
        let done = "the run was finished, and is run again";
        if new.is_program_of(old) { None } else { new.change(old, done) }
    });
    changed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(name: &str, version: &str, command: &str, script: &str) -> ClientRecord {
        let text = format!("{{\"sh\": \"0\", \"{{here}}/view.py\": \"{script}\"}}");
        let files = serde_json::from_str(&text).unwrap();
        ClientRecord { name: name.into(), version: version.into(), command: command.into(), files }
    }

    #[test]
    fn every_change_is_reported_and_nothing_else() {
        let before = [
            client("a", "1", "x", "0"),
            client("b", "1", "", "0"),
            client("c", "", "y", "0"),
            client("e", "1", "x", "0"),
        ];
        let now = [
            client("a", "2", "x", "0"),
            client("c", "", "z", "0"),
            client("d", "4", "", "0"),
            client("e", "1", "x", "1"),
        ];
        let results = |client: &ClientRecord| Ok(usize::from(client.name != "c") * 12);
        insta::assert_snapshot!(changes(&before, &now, results).unwrap().join("\n"), @r#"
        a was "1" before and is "2" now: its 12 results are run again
        b 1 is no longer among the clients: its results are kept, and the run continues without it
        the command line of c changed since: it starts over
        view.py of e changed since: its 12 results are run again
        d 4 was not among the clients when the run began: it starts now
        "#);
        assert!(changes(&now, &now, results).unwrap().is_empty());
        let line = "view.py of e changed since: the run was finished, and is run again";
        assert_eq!(outdated(&before[3..], &now), [line]);
        assert!(outdated(&before[1..2], &now).is_empty(), "a client that is gone changes nothing");
    }
}
