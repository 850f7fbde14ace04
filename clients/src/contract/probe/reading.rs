//! A client's replies to the probes.

use std::collections::BTreeMap;
use std::io;

use tiff_harness::Picture;

use super::files::ProbeFile;
use crate::{Client, Reply};

/// A client's reply to one file, read twice.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reading {
    /// Both runs gave this picture.
    Picture(Picture),
    /// There was no picture, or not the same one twice, with a description of the observation.
    Other(String),
}

/// Reads files with a client, each once.
pub(super) struct Readings<'c> {
    client: &'c dyn Client,
    read: BTreeMap<String, Reading>,
}

impl<'c> Readings<'c> {
    pub fn new(client: &'c dyn Client) -> Self {
        Self { client, read: BTreeMap::new() }
    }

    /// Returns the client's reading of a file.
    pub fn of(&mut self, probe: &ProbeFile) -> io::Result<&Reading> {
        if !self.read.contains_key(&probe.name) {
            let first = self.client.run_fresh(&probe.bytes)?;
            let second = self.client.run_fresh(&probe.bytes)?;
            self.read.insert(probe.name.clone(), reading(first, &second));
        }
        Ok(&self.read[&probe.name])
    }
}

fn reading(first: Reply, second: &Reply) -> Reading {
    match (first, second) {
        (Reply::Picture(a), Reply::Picture(b)) if a == *b => Reading::Picture(a),
        (Reply::Picture(_), Reply::Picture(_)) => {
            Reading::Other("unsteady: two runs give different pictures".to_owned())
        }
        (first, second) if std::mem::discriminant(&first) != std::mem::discriminant(second) => {
            Reading::Other(format!("unsteady: {}, then {}", described(&first), described(second)))
        }
        (first, _) => Reading::Other(described(&first)),
    }
}

fn described(reply: &Reply) -> String {
    match reply {
        Reply::Picture(picture) => {
            format!("a picture of {}x{}", picture.width(), picture.height())
        }
        Reply::Refused { message } => format!("refused: {message}"),
        Reply::Empty { message } => format!("an empty picture: {message}"),
        Reply::Crash { message } => format!("crash: {message}"),
        Reply::Hang => "hang".to_owned(),
        Reply::Resource { message } => format!("resource limit: {message}"),
    }
}

/// Describes in one line how `got` differs from `want`: the size, or the first pixels that differ.
pub fn difference(want: &Picture, got: &Picture) -> String {
    let size = |picture: &Picture| format!("{}x{}", picture.width(), picture.height());
    if size(want) != size(got) {
        return format!("a picture of {} instead of {}", size(got), size(want));
    }
    let pixels = || want.rgba().chunks_exact(4).zip(got.rgba().chunks_exact(4)).enumerate();
    let differing = pixels().filter(|(_, (want, got))| want != got);
    let text = |pixel: &[u16]| {
        // Levels of 8 bits are shorter, and are the levels that the file contains.
        let eight = pixel.iter().all(|level| level % 257 == 0);
        let levels = pixel.iter().map(|level| if eight { level / 257 } else { *level });
        levels.map(|level| level.to_string()).collect::<Vec<_>>().join(" ")
    };
    let width = want.width().max(1) as usize;
    let shown = differing.clone().take(3).map(|(k, (want, got))| {
        let (x, y) = (k % width, k / width);
        format!("({x}, {y}) is {} instead of {}", text(got), text(want))
    });
    let shown: Vec<String> = shown.collect();
    match differing.count() {
        0 => "the picture as it is, unlike other files of this property".to_owned(),
        count => format!("{count} pixels differ: {}", shown.join(", ")),
    }
}
