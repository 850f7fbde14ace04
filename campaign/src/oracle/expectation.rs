//! The picture that a client is expected to show for a file: determined by its contract if possible, otherwise its own
//! picture of a reference file.

use std::borrow::Cow;

use tiff_harness::Picture;

use crate::oracle::Outcome;
use clients::Reply;
use clients::contract::{Contract, Expected, Facts};

/// The source of the pictures that a client is expected to show for files with the same canonical picture.
#[derive(Debug, Clone, Copy)]
pub struct Expectation<'a> {
    /// The client's conventions, if they are known.
    contract: Option<&'a Contract>,
    /// The canonical picture of the files, if they have one.
    canonical: Option<&'a Picture>,
    /// The client's own picture of the reference file.
    own: &'a Picture,
}

/// The picture that is expected for one file.
#[derive(Debug, Clone)]
pub enum Wanted<'a> {
    /// The picture that the client's contract determines.
    Truth(Expected),
    /// The client's own picture of the reference file.
    Own(&'a Picture),
}

impl<'a> Expectation<'a> {
    /// Expects the client's own picture of the reference file, whatever is right.
    pub fn own(own: &'a Picture) -> Self {
        Self { contract: None, canonical: None, own }
    }

    /// Expects the output that `contract` determines for a file with the picture `canonical`. Files for which it
    /// determines none are compared with `own`.
    pub fn with_truth(self, contract: Option<&'a Contract>, canonical: &'a Picture) -> Self {
        Self { contract, canonical: Some(canonical), ..self }
    }

    /// Returns the picture that is expected for `file`.
    pub fn of(&self, file: &[u8]) -> Wanted<'a> {
        self.truth(file).map_or(Wanted::Own(self.own), Wanted::Truth)
    }

    /// Returns the picture that the contract determines for `file`; `None` if it determines none.
    pub fn truth(&self, file: &[u8]) -> Option<Expected> {
        self.contract?.expected_of(self.canonical?, file)
    }

    /// Returns the contracts that would explain the output of a client with this contract for `files`, whose canonical
    /// picture is the same: those with a convention for each unknown property. `None` if the files have no picture.
    pub fn completions(&self, files: [&[u8]; 2]) -> Option<(Vec<Contract>, &'a Picture)> {
        let [one, other] = files.map(Facts::of_file);
        Some((self.known().completions(&[&one?, &other?]), self.canonical?))
    }

    /// Returns the client's conventions, as far as they are known.
    pub fn known(&self) -> Cow<'a, Contract> {
        self.contract.map_or_else(|| Cow::Owned(Contract::default()), Cow::Borrowed)
    }

    /// Returns the client's own picture of the reference file.
    pub fn reference(&self) -> &'a Picture {
        self.own
    }
}

impl Wanted<'_> {
    /// Returns the picture.
    pub fn picture(&self) -> &Picture {
        match self {
            Wanted::Truth(expected) => expected.picture(),
            Wanted::Own(own) => own,
        }
    }

    /// Returns the picture with which `got` is compared: the nearest, if several are right.
    pub fn nearest(&self, got: &Picture) -> &Picture {
        match self {
            Wanted::Truth(expected) => expected.nearest(got),
            Wanted::Own(own) => own,
        }
    }

    /// Classifies `reply`: a matching picture is [`Outcome::Same`].
    pub fn judge(&self, reply: &Reply) -> Outcome {
        match (self, reply) {
            (Wanted::Truth(expected), Reply::Picture(got)) if expected.matches(got) => {
                Outcome::Same
            }
            _ => super::judge(self.picture(), reply),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_contract_or_facts_a_client_is_compared_with_itself() {
        let own = Picture::new(1, 1, vec![1, 2, 3, 4]);
        let canonical = Picture::new(1, 1, vec![4, 3, 2, 1]);
        let contract = Contract::exact();
        let expectations = [
            Expectation::own(&own),
            Expectation::own(&own).with_truth(None, &canonical),
            Expectation::own(&own).with_truth(Some(&contract), &canonical),
        ];
        for expectation in expectations {
            let wanted = expectation.of(b"not a TIFF file");
            assert_eq!(wanted.picture(), &own);
            assert_eq!(wanted.judge(&Reply::Picture(own.clone())), Outcome::Same);
            assert_eq!(wanted.judge(&Reply::Picture(canonical.clone())), Outcome::Wrong);
        }
    }
}
