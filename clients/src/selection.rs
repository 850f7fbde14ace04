//! The clients of a run, and those that cannot be used.

use crate::Client;

/// A client that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientFailure {
    /// Its name; `None` if the description cannot be read.
    pub name: Option<String>,
    /// The reason, in one line.
    pub why: String,
}

impl ClientFailure {
    /// The failure of a requested client that reads no file with one of these `extensions`, but only `formats`.
    pub fn unfit(name: &str, formats: &[String], extensions: &[&str]) -> Self {
        let why = format!(
            "client {name} reads none of the seeds: its description has formats = {formats:?}, and seeds end in .{}",
            extensions.join(", .")
        );
        Self { name: Some(name.to_owned()), why }
    }
}

/// The clients for files with one extension.
#[derive(Default)]
pub struct Selection {
    /// The clients that can be used.
    pub clients: Vec<Box<dyn Client>>,
    /// The clients that cannot be used.
    pub failures: Vec<ClientFailure>,
}

/// The clients for files with several extensions. A client that reads several of them is listed for each.
pub struct Selections {
    /// For each extension, the clients that can be used.
    pub clients: Vec<Vec<Box<dyn Client>>>,
    /// The clients that cannot be used for any of the extensions.
    pub failures: Vec<ClientFailure>,
    /// The clients that can be used, but not for files with the extension at this position.
    pub partial: Vec<(usize, ClientFailure)>,
}

impl Selections {
    /// Joins the selections for each extension.
    pub fn of(all: Vec<Selection>) -> Self {
        let (mut clients, mut failures, mut partial) = (Vec::new(), Vec::new(), Vec::new());
        for (place, selection) in all.into_iter().enumerate() {
            clients.push(selection.clients);
            partial.extend(selection.failures.into_iter().map(|failure| (place, failure)));
        }
        let mut joined = Self { clients, failures: Vec::new(), partial: Vec::new() };
        for (place, failure) in partial {
            let known = |other: &ClientFailure| match &failure.name {
                Some(_) => other.name == failure.name,
                None => other.why == failure.why,
            };
            if failure.name.as_deref().is_some_and(|name| joined.uses(name)) {
                joined.partial.push((place, failure));
            } else if !failures.iter().any(known) {
                failures.push(failure);
            }
        }
        joined.failures = failures;
        joined
    }

    /// Returns true if the client with this name can be used for some files.
    pub fn uses(&self, name: &str) -> bool {
        self.clients.iter().flatten().any(|client| client.name() == name)
    }

    /// Returns true if there are no clients at all.
    pub fn is_empty(&self) -> bool {
        self.clients.iter().all(Vec::is_empty)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::library;

    #[test]
    fn a_client_that_works_for_some_files_is_lost_for_the_others_only() {
        let client = |name: &str| {
            let found = library::all("bmp").into_iter().find(|client| client.name() == name);
            Box::new(found.unwrap() as Arc<dyn Client>) as Box<dyn Client>
        };
        let failure = |name: Option<&str>, why: &str| ClientFailure {
            name: name.map(str::to_owned),
            why: why.to_owned(),
        };
        let damaged = || failure(None, "damaged");
        let all = Selections::of(vec![
            Selection {
                clients: vec![client("rust-tiff")],
                failures: vec![failure(Some("rust-image"), "no"), damaged()],
            },
            Selection {
                clients: vec![client("rust-image")],
                failures: vec![failure(Some("gone"), "1"), damaged(), failure(Some("gone"), "2")],
            },
        ]);
        assert_eq!(all.failures, [damaged(), failure(Some("gone"), "1")]);
        assert_eq!(all.partial, [(0, failure(Some("rust-image"), "no"))]);
        assert!(all.uses("rust-tiff") && !all.uses("gone") && !all.is_empty());
    }
}
