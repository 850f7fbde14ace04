//! Root causes: groups causes of several clients, or of several seeds, that have the same fault.
//!
//! Clients that use the same library share its faults. Causes of such clients with the same dimensions and the same
//! signature have one root cause, and so do crashes at the same place in the source.

use crate::oracle::{Outcome, Signature};
use crate::records::place;
use crate::{Cause, ClientSummary, Depth, Run, Standing, WholeFile};

/// The common properties of the causes of one root cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootKey {
    /// The library with the fault, or the client if its library is unknown or the cause was not reduced.
    pub library: String,
    /// The outcome and the kind of difference.
    pub signature: Signature,
    /// The needed dimensions, sorted; empty if the place of a crash is known.
    pub dimensions: Vec<String>,
    /// The name of the format of the files; empty for TIFF, and if the place of a crash is known, because files of
    /// several formats may reach it.
    pub format: String,
    /// The place in the source where the client crashes, as named in its message: `image.rs:513`.
    pub place: Option<String>,
    /// The extent to which the causes were reduced.
    pub depth: Depth,
    /// The file that shows causes without dimensions.
    pub whole: WholeFile,
    /// The rank of the causes.
    pub standing: Standing,
}

impl RootKey {
    /// Returns the key of a cause of `run`.
    pub fn of(run: &Run, cause: &Cause) -> Self {
        let client = &run.clients[cause.client];
        // Nothing is known about the reason of a cause that was not reduced.
        let known = cause.depth <= Depth::Partly && cause.whole != WholeFile::SeedItself;
        let crashed = known && cause.outcome == Outcome::Crash;
        let place = place(cause).filter(|_| crashed).map(str::to_owned);
        let mut dimensions = if place.is_none() { cause.dimensions.clone() } else { Vec::new() };
        dimensions.sort();
        let format = if place.is_none() { run.about.format.clone() } else { String::new() };
        Self {
            library: if known { library(client) } else { client.name.clone() },
            signature: cause.signature(),
            dimensions,
            format,
            place,
            depth: cause.depth,
            whole: cause.whole,
            standing: cause.standing(),
        }
    }
}

/// The library that decodes for `client`; its name if the library is unknown.
pub fn library(client: &ClientSummary) -> String {
    match client.facts.library.as_str() {
        "" => client.name.clone(),
        library => library.to_owned(),
    }
}

/// A root cause with the causes that it explains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootCause<T> {
    /// Their common properties.
    pub key: RootKey,
    /// The causes, in their original order; not empty.
    pub causes: Vec<T>,
}

/// Groups `causes` with their keys by root cause. A group has the position of its first cause.
pub fn group<T>(causes: impl IntoIterator<Item = (RootKey, T)>) -> Vec<RootCause<T>> {
    let mut roots: Vec<RootCause<T>> = Vec::new();
    for (key, cause) in causes {
        match roots.iter_mut().find(|root| root.key == key) {
            Some(root) => root.causes.push(cause),
            None => roots.push(RootCause { key, causes: vec![cause] }),
        }
    }
    roots
}

/// Groups the causes of one run that are faults and not forms of others, by index. The order is that of the report.
pub fn faults_of(run: &Run) -> Vec<RootCause<usize>> {
    let heads = run.folded().into_iter().map(|(head, _)| head);
    group(heads.map(|place| (RootKey::of(run, &run.causes[place]), place)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{DifferenceKind, Outcome};

    fn key(library: &str, dimensions: &[&str], difference: DifferenceKind) -> RootKey {
        RootKey {
            library: library.to_owned(),
            signature: Signature::of(Outcome::Wrong, Some(difference), ""),
            dimensions: dimensions.iter().map(|name| (*name).to_owned()).collect(),
            format: String::new(),
            place: None,
            depth: Depth::Minimal,
            whole: WholeFile::default(),
            standing: Standing::Fault,
        }
    }

    #[test]
    fn a_library_a_signature_and_dimensions_make_a_root_cause() {
        let shifted = DifferenceKind::Shifted;
        let roots = group([
            (key("libtiff", &["tiled"], shifted), 0),
            (key("own", &["tiled"], shifted), 1),
            (key("libtiff", &["tiled"], shifted), 2),
            (key("libtiff", &["tiled"], DifferenceKind::Blank), 3),
            (key("libtiff", &["planar", "tiled"], shifted), 4),
            (RootKey { format: "bmp".to_owned(), ..key("libtiff", &["tiled"], shifted) }, 5),
        ]);
        let causes: Vec<Vec<usize>> = roots.into_iter().map(|root| root.causes).collect();
        assert_eq!(causes, [vec![0, 2], vec![1], vec![3], vec![4], vec![5]]);
    }
}
