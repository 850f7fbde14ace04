//! The clients that a worker offers, for files with any extension.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use crate::wire::Job;
use clients::Client;
use clients::description::TIFF;

/// The maximum number of clients that are kept for files with other extensions. Each may have waiting processes.
const KEPT: usize = 256;

/// The name, the version and the program of a client.
type Key = (String, String, String);

/// A client that a worker offers.
pub struct Offered {
    /// The client, for TIFF files.
    pub client: Arc<dyn Client>,
    /// The extensions of files that it cannot read here, each with the reason.
    pub unusable: BTreeMap<String, String>,
}

/// The clients of a worker.
pub struct Offers {
    /// The clients as they are run on TIFF files.
    clients: HashMap<Key, Arc<dyn Client>>,
    /// The clients for files with other extensions, by extension. They are created when needed.
    others: Mutex<HashMap<(Key, String), Arc<dyn Client>>>,
}

impl Offers {
    /// Offers these clients.
    pub fn of(offered: Vec<Offered>) -> Self {
        let named = |Offered { client, .. }: Offered| {
            let (name, version) = (client.name().to_owned(), client.version().to_owned());
            ((name, version, client.program_files().digest()), client)
        };
        Self { clients: offered.into_iter().map(named).collect(), others: Mutex::default() }
    }

    /// Returns the client of a job; `None` if it does not exist or if the extension of its files is not a plain word.
    pub fn get(&self, job: &Job) -> Option<Arc<dyn Client>> {
        let key = (job.client.clone(), job.version.clone(), job.program.clone());
        let client = self.clients.get(&key)?;
        let extension = &job.extension;
        if extension == TIFF {
            return Some(Arc::clone(client));
        }
        // The extension becomes part of a file name, and anyone may have sent it.
        let plain = extension.chars().all(|c| c.is_ascii_alphanumeric());
        if extension.is_empty() || extension.len() > 8 || !plain {
            return None;
        }
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if others.len() >= KEPT {
            others.clear();
        }
        let new = || client.with_extension(extension).unwrap_or_else(|| Arc::clone(client));
        Some(Arc::clone(others.entry((key, extension.clone())).or_insert_with(new)))
    }
}

#[cfg(test)]
mod tests {
    use clients::{CommandClient, Description, Reply, Sandbox};

    use super::*;
    use crate::wire::PROTOCOL;

    #[test]
    fn a_client_is_given_files_with_the_extension_of_the_job() {
        // The client refuses a file whose name has this extension.
        let description =
            Description::from_command_line("a=sh -c 'echo $(basename $0) >&2; exit 3' {in} {out}");
        let client = CommandClient::within(description.unwrap(), Sandbox::off());
        let offers =
            Offers::of(vec![Offered { client: Arc::new(client), unusable: Default::default() }]);
        let reply = |extension: &str, client: &str| {
            let job = Job {
                id: "n-1".to_owned(),
                protocol: PROTOCOL,
                night: "n".to_owned(),
                extension: extension.to_owned(),
                client: client.to_owned(),
                version: String::new(),
                program: String::new(),
                seed: None,
                items: Vec::new(),
            };
            let mut jobs =
                offers.clients.keys().map(|key| Job { program: key.2.clone(), ..job.clone() });
            let client = offers.get(&jobs.next().unwrap())?;
            let Reply::Refused { message } = client.run(b"x").unwrap() else {
                panic!("it refuses")
            };
            Some(message)
        };
        assert_eq!(reply("tif", "a").as_deref(), Some("in.tif"));
        for _ in 0..2 {
            assert_eq!(reply("bmp", "a").as_deref(), Some("in.bmp"));
        }
        for wrong in ["", "../x", "a/b", "123456789"] {
            assert_eq!(reply(wrong, "a"), None, "{wrong}");
        }
        assert_eq!(reply("tif", "b"), None);
    }
}
