//! The names of a fleet in NATS: streams, buckets and subjects.

/// Names the streams, buckets and subjects of a fleet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    fleet: String,
}

impl Names {
    /// The names of the fleet `fleet`.
    ///
    /// # Errors
    ///
    /// Returns a one-line message unless the name consists of letters, digits, `-` and `_`.
    pub fn new(fleet: &str) -> Result<Self, String> {
        match is_token(fleet) {
            true => Ok(Self { fleet: fleet.to_owned() }),
            false => Err(format!("fleet {fleet:?}: use letters, digits, - and _")),
        }
    }

    /// The work-queue stream of jobs.
    pub fn jobs(&self) -> String {
        format!("{}-jobs", self.fleet)
    }

    /// The work-queue stream of results.
    pub fn results(&self) -> String {
        format!("{}-results", self.fleet)
    }

    /// The stream of dead letters, which are advisories on jobs that were delivered too often.
    pub fn dead(&self) -> String {
        format!("{}-dead", self.fleet)
    }

    /// The object store of seeds, of large files and of reports.
    pub fn files(&self) -> String {
        format!("{}-files", self.fleet)
    }

    /// The object store of pictures that workers show.
    pub fn pictures(&self) -> String {
        format!("{}-pictures", self.fleet)
    }

    /// The subject of a night's jobs for a group of clients; `*` for all.
    pub fn job(&self, group: &str, night: &str) -> String {
        format!("{}.job.{group}.{night}", self.fleet)
    }

    /// The subject of a worker's results for a night; `*` for all.
    pub fn result(&self, worker: &str, night: &str) -> String {
        format!("{}.result.{worker}.{night}", self.fleet)
    }

    /// The subject on which a worker reports what it does.
    pub fn beat(&self, worker: &str) -> String {
        format!("{}.beat.{worker}", self.fleet)
    }

    /// The subject on which a worker lists its clients.
    pub fn hello(&self, worker: &str) -> String {
        format!("{}.hello.{worker}", self.fleet)
    }

    /// The subject for requests to all workers to list their clients.
    pub fn who(&self) -> String {
        format!("{}.who", self.fleet)
    }

    /// The subject on which a server reports the progress of a night.
    pub fn night(&self, night: &str) -> String {
        format!("{}.night.{night}", self.fleet)
    }

    /// The durable consumer of the jobs for a group of clients.
    pub fn group_consumer(group: &str) -> String {
        format!("group-{group}")
    }

    /// The durable consumer of a night's results, and of its dead letters.
    pub fn night_consumer(night: &str) -> String {
        format!("night-{night}")
    }
}

/// Returns true if `text` can be a part of a subject and of the name of a stream.
pub fn is_token(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !text.is_empty() && text.len() <= 64 && text.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_tokens() {
        assert!(Names::new("night_2-a").is_ok());
        for wrong in ["", "a.b", "a b", "*", ">", "é"] {
            assert!(Names::new(wrong).is_err(), "{wrong}");
        }
    }
}
