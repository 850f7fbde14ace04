//! A TIFF reader with faults that can be planted, for mutation analysis of the fuzzer.
//!
//! It shares no code with the harness, so that agreement of the two is evidence for both.

#![allow(dead_code, unused_imports, reason = "each test uses a part of it")]

mod codec;
mod color;
mod container;
mod fault;
mod fax;
mod image;
mod limits;
pub mod seeds;
mod segments;
mod table;
pub mod viewers;

use std::io;

use clients::contract::Contract;
use clients::{Client, Reply};
use tiff_harness::Picture;

pub use fault::Fault;
pub use limits::{Limit, Style};
pub use seeds::Source;
pub use table::{PLANTED, Planted};

/// The reason why there is no picture.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The reader reports an error.
    Refused(String),
    /// A real reader would have crashed.
    Crash(&'static str),
}

/// Returns a refusal with a message.
pub fn refused<T>(why: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Refused(why.into()))
}

/// The faults that are planted in a reader.
#[derive(Debug, Clone, Default)]
pub struct Faults(pub Vec<Fault>);

impl Faults {
    /// Returns true if `fault` is planted.
    pub fn has(&self, fault: Fault) -> bool {
        self.0.contains(&fault)
    }
}

/// A reader as a client.
pub struct Mutant {
    name: String,
    faults: Faults,
    limits: &'static [Limit],
    /// A reader without faults shows canonical pictures, so that mutants are compared with the truth.
    contract: Contract,
}

impl Mutant {
    /// A reader with these faults.
    pub fn new(name: &str, faults: &[Fault]) -> Self {
        let contract = Contract::exact();
        Self { name: name.to_owned(), faults: Faults(faults.to_vec()), limits: &[], contract }
    }

    /// A reader with these faults and limits.
    pub fn with_limits(faults: Faults, limits: &'static [Limit]) -> Self {
        Self { name: String::new(), faults, limits, contract: Contract::exact() }
    }

    /// A reader without faults.
    pub fn correct() -> Self {
        Self::new("correct", &[])
    }
}

impl Client for Mutant {
    fn name(&self) -> &str {
        &self.name
    }
    fn version(&self) -> &str {
        "1"
    }
    fn contract(&self) -> Option<&Contract> {
        Some(&self.contract)
    }
    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        Ok(match read(file, &self.faults, self.limits) {
            Ok(picture) => Reply::Picture(picture),
            Err(Failure::Refused(message)) => Reply::Refused { message },
            Err(Failure::Crash(message)) => Reply::Crash { message: message.to_owned() },
        })
    }
}

/// Reads the first picture of `file`, if that is within the limits.
fn read(file: &[u8], faults: &Faults, limits: &[Limit]) -> Result<Picture, Failure> {
    let file = container::File::open(file, faults)?;
    let directory = file.directory()?;
    let image = image::Image::of(&file, &directory)?;
    limits.iter().try_for_each(|limit| limit.check(&file, &directory, &image))?;
    let samples = segments::samples(&file, &image)?;
    color::picture(&image, &samples, faults)
}
