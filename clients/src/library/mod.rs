//! Linked-in clients: the crates `image` and `tiff`.
//!
//! Each file is decoded on a separate thread. A panic counts as a crash, and a timeout as a hang; the thread cannot be
//! killed and keeps a processor busy until it ends by itself. Memory is limited only as far as the crates support it; a
//! stack overflow or an abort also ends repfuzz.

mod calls;
mod extra;
mod failure;
mod guard;
mod image_crate;
mod script;
mod tiff_crate;

use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};

use tiff_harness::Picture;

use super::description::{Decoder, Facts, Ignored, Info, Kind, TIFF};
use super::extra as extra_reads;
use super::{Client, ExtraRead, Observed, Process, Reply};
use crate::contract::Contract;
use crate::contract::convention::Orientation;
use crate::extra::{Answer, ExtraReader, Request};
use failure::Failure;

/// The time limit of each library.
const TIME: Duration = Duration::from_secs(20);

/// Decodes a file with the given extension.
type Decode = fn(&[u8], &str) -> Result<Picture, Failure>;

/// A client that is a library.
#[derive(Clone)]
pub struct LibraryClient {
    info: Info,
    ignores: Vec<String>,
    contract: Contract,
    version: &'static str,
    formats: &'static [&'static str],
    extension: String,
    decode: Decode,
    extra: Extra,
}

/// The extra reads of a library, and the function that does them, but for those by several threads.
type Extra = (&'static [ExtraRead], fn(ExtraRead, &[u8]) -> Result<Answer, Failure>);

impl ExtraReader for LibraryClient {
    fn whole(&self, file: &[u8]) -> io::Result<Reply> {
        Ok(self.picture_of(file)?.reply)
    }

    fn extra(&self, request: Request, file: &[u8]) -> io::Result<Answer> {
        if request.read == ExtraRead::Threads {
            let both = thread::scope(|scope| {
                let decodes = [(); 2].map(|()| scope.spawn(|| self.whole(file)));
                decodes.map(|decode| decode.join())
            });
            let mut pictures = Vec::new();
            for decode in both {
                match decode.map_err(|_| io::Error::other("a thread panicked"))?? {
                    Reply::Picture(picture) => pictures.push(picture),
                    failed => return Ok(Answer::Failed(failed)),
                }
            }
            return Ok(Answer::Pictures(pictures));
        }
        let (file, (_, read)) = (file.to_vec(), self.extra);
        let (answer, _) = guard::run_any(TIME, move || read(request.read, &file))?;
        Ok(answer.unwrap_or_else(Answer::Failed))
    }
}

impl LibraryClient {
    /// Reads the picture.
    fn picture_of(&self, file: &[u8]) -> io::Result<Observed> {
        let (file, extension) = (file.to_vec(), self.extension.clone());
        let decode = self.decode;
        guard::run(TIME, move || decode(&file, &extension))
    }

    /// The facts that reports and listings show.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// The extension of its input files.
    pub fn extension(&self) -> &str {
        &self.extension
    }

    /// Returns true if it reads files with this extension.
    pub fn reads(&self, extension: &str) -> bool {
        self.formats.contains(&extension)
    }
}

/// Returns all linked-in libraries, for files with this extension.
pub fn all(extension: &str) -> Vec<Arc<LibraryClient>> {
    let info = |name: &str, summary: &str| Info {
        name: name.to_string(),
        summary: summary.to_string(),
        kind: Kind::InProcess,
        decoder: Decoder::Own,
        install: Vec::new(),
        applies: vec!["orientation".to_string()],
        ignores: Vec::new(),
    };
    let client = |info: Info, contract, version, formats, decode, extra| {
        let ignores = info.ignores.iter().map(|i| i.what.clone()).collect();
        let extension = extension.to_string();
        Arc::new(LibraryClient {
            info,
            ignores,
            contract,
            version,
            formats,
            extension,
            decode,
            extra,
        })
    };
    let image = client(
        info("rust-image", "the Rust crate image, with the orientation applied"),
        contract(Orientation::Applied, &["gray_alpha", "palette"]),
        env!("REPFUZZ_IMAGE_VERSION"),
        image_crate::FORMATS,
        image_crate::decode,
        (extra::IMAGE, extra::image),
    );
    let tiff = client(
        Info {
            applies: Vec::new(),
            ignores: vec![Ignored {
                what: "orientation".to_string(),
                reason: "a low-level library: it returns the samples as stored, and the tag"
                    .to_string(),
            }],
            ..info("rust-tiff", "the Rust crate tiff, samples as stored")
        },
        contract(Orientation::Stored, &["palette"]),
        env!("REPFUZZ_TIFF_VERSION"),
        &[TIFF],
        |file, _| tiff_crate::decode(file),
        (extra::TIFF, extra::tiff),
    );
    vec![image, tiff]
}

/// The linked-in library that replays sequences of calls as the driver `name`: `tiff` or `image`.
pub fn driver(name: &str) -> Option<Arc<LibraryClient>> {
    let (decode, version): (Decode, _) = match name {
        "image" => (|request, _| calls::image(request), env!("REPFUZZ_IMAGE_VERSION")),
        "tiff" => (|request, _| calls::tiff(request), env!("REPFUZZ_TIFF_VERSION")),
        _ => return None,
    };
    let info = Info {
        name: format!("{name}-calls"),
        summary: format!("the Rust crate {name}, call by call"),
        kind: Kind::InProcess,
        decoder: Decoder::Own,
        install: Vec::new(),
        applies: Vec::new(),
        ignores: Vec::new(),
    };
    Some(Arc::new(LibraryClient {
        info,
        ignores: Vec::new(),
        contract: Contract::exact(),
        version,
        formats: &[TIFF],
        extension: TIFF.to_owned(),
        decode,
        extra: (&[], extra::tiff),
    }))
}

/// The contract of a crate that refuses files to which the properties `refused` apply.
fn contract(orientation: Orientation, refused: &[&str]) -> Contract {
    let unknown = refused.iter().map(|name| (String::from(*name), "refused".to_owned())).collect();
    Contract { orientation: Some(orientation), palette: None, unknown, ..Contract::exact() }
}

impl Client for LibraryClient {
    fn name(&self) -> &str {
        &self.info.name
    }

    fn version(&self) -> &str {
        self.version
    }

    fn summary(&self) -> &str {
        &self.info.summary
    }

    fn formats(&self) -> Option<Vec<String>> {
        Some(self.formats.iter().map(|format| (*format).to_owned()).collect())
    }

    fn with_extension(&self, extension: &str) -> Option<Arc<dyn Client>> {
        Some(Arc::new(Self { extension: extension.to_owned(), ..self.clone() }))
    }

    fn applies(&self) -> &[String] {
        &self.info.applies
    }

    fn ignores(&self) -> &[String] {
        &self.ignores
    }

    fn contract(&self) -> Option<&Contract> {
        Some(&self.contract)
    }

    fn facts(&self) -> Facts {
        script::facts(&self.info.name)
    }

    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        Ok(self.picture_of(file)?.reply)
    }

    fn observe(&self, file: &[u8], _: Process) -> io::Result<Observed> {
        let observed = self.picture_of(file)?;
        let extra = match &observed.reply {
            Reply::Picture(whole) => {
                let reads = self.extra.0.iter().copied();
                let reads = reads.filter(|read| read.is_of(&self.extension));
                extra_reads::first_difference(self, reads, file, whole)?
            }
            _ => None,
        };
        Ok(Observed { extra, ..observed })
    }
}
