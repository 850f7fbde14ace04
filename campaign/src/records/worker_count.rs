//! The results of a cause on each worker of a fleet, because a faulty machine does not mean a faulty client.

use serde::{Deserialize, Serialize};

/// The files of a cause that a worker's client read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerCount {
    /// The worker.
    pub worker: String,
    /// The number of files that show the cause there.
    pub shown: usize,
    /// The number of files with all choices of the cause that show the cause or are read correctly. If results differ
    /// from run to run, the number of all files.
    pub files: usize,
}

impl WorkerCount {
    /// Returns a sentence about a cause that only one worker shows, although others read such files as well.
    pub fn sentence(counts: &[Self]) -> Option<String> {
        let elsewhere: usize = counts.iter().filter(|c| c.shown == 0).map(|c| c.files).sum();
        let mut showing = counts.iter().filter(|count| count.shown > 0);
        let (Some(Self { worker, shown, files }), None) = (showing.next(), showing.next()) else {
            return None;
        };
        (elsewhere > 0).then(|| {
            format!(
                "only on worker {worker}: {shown} of {files} files there, 0 of {elsewhere} elsewhere"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bad_machine_is_named() {
        let count =
            |worker: &str, shown, files| WorkerCount { worker: worker.to_owned(), shown, files };
        let said = |counts: &[WorkerCount]| WorkerCount::sentence(counts);
        assert_eq!(
            said(&[count("a", 0, 20), count("b", 3, 21), count("c", 0, 7)]).as_deref(),
            Some("only on worker b: 3 of 21 files there, 0 of 27 elsewhere")
        );
        assert_eq!(said(&[count("a", 1, 20), count("b", 3, 21)]), None, "it is the client");
        assert_eq!(said(&[count("b", 3, 21)]), None, "nobody else read such files");
        assert_eq!(said(&[count("a", 0, 20), count("b", 0, 21)]), None);
        assert_eq!(said(&[]), None);
    }
}
