//! The messages of a fleet.
//!
//! Jobs and results are JSON, compressed by zstd. A variant is sent as its choices and recreated where it is read,
//! unless its bytes are smaller. Pictures are sent only through the object store. Messages may come from anyone, so
//! each kind has a maximum length ([`Message::MOST`]), which is checked before memory is allocated. A server does not
//! use workers with an earlier [`PROTOCOL`], and a worker does not take jobs with a later one.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use equivalents::Restriction;
use inverter::solve::Choices;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::names::is_token;
use campaign::pack;
use clients::contract::Contract;
use clients::digest::Key;
use clients::{Client, Facts, ProgramFiles};

/// The number of the protocol. Workers with protocol 1 treat every seed as a TIFF file.
pub const PROTOCOL: u32 = 2;

/// The default protocol of a message.
fn first() -> u32 {
    1
}

/// The default extension of files in a message.
fn tif() -> String {
    clients::description::TIFF.to_owned()
}

/// A batch of runs of one client on files of one seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Its identifier, which is unique among all nights and which nobody can guess. Only the recipients of the job know
    /// it, so only their results count.
    pub id: String,
    /// The [`PROTOCOL`] of the server.
    #[serde(default = "first")]
    pub protocol: u32,
    /// The identifier of the night.
    pub night: String,
    /// The extension of the files' names.
    #[serde(default = "tif")]
    pub extension: String,
    /// The name of the client.
    pub client: String,
    /// The version of the client.
    pub version: String,
    /// The digest of the files of its program; empty if unknown.
    #[serde(default)]
    pub program: String,
    /// The seed; `None` if all files come with their bytes.
    pub seed: Option<SeedRef>,
    /// The files.
    pub items: Vec<Item>,
}

/// A seed, and how it is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeedRef {
    /// The SHA-256 of its file, which is its name in the object store.
    pub sha256: String,
    /// True if questionable values are drawn as well.
    pub wide: bool,
    /// The restriction of its dimensions.
    pub restriction: Restriction,
    /// The number of bytes that it may take once it is decoded.
    #[serde(default = "max_size")]
    pub max_size: u64,
    /// The SHA-256 of the texts of its format, which is also their name in the object store; `None` for TIFF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

fn max_size() -> u64 {
    inverter::run::MAX_SIZE
}

/// A file to read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// The SHA-256 of the file.
    pub sha256: String,
    /// True if a fresh process is to read it.
    pub fresh: bool,
    /// True if a picture is to be stored even if it was stored before.
    pub full: bool,
    /// The worker that replied to this file before. Another worker should confirm the reply, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_by: Option<String>,
    /// The file.
    pub file: FileSource,
}

/// The source of a file's bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileSource {
    /// The variant with these choices of the seed, or of the plainest file of its picture.
    Choices {
        /// True for the plainest file of the seed's picture.
        plainest: bool,
        /// The choices that differ from that file's own.
        choices: Choices,
    },
    /// The seed file itself, or the plainest file of its picture.
    Own {
        /// True for the plainest file of the seed's picture.
        plainest: bool,
    },
    /// These bytes: compressed, in base64.
    Inline(String),
    /// The object of the file's SHA-256.
    Object,
}

/// The results of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Done {
    /// The job.
    pub job: String,
    /// The worker that did it.
    pub worker: String,
    /// A reply for each item, in the same order.
    pub items: Vec<ItemReply>,
}

impl Done {
    /// Returns the approximate number of bytes that it takes.
    pub fn size(&self) -> usize {
        let text = |item: &ItemReply| match &item.reply {
            WireReply::Picture { digest, .. } => digest.len(),
            WireReply::Refused(text)
            | WireReply::Empty(text)
            | WireReply::Crash(text)
            | WireReply::Resource(text)
            | WireReply::Unmade(text)
            | WireReply::Failed { why: text, .. } => text.len(),
            WireReply::Hang => 0,
        };
        self.items.iter().map(|item| size_of::<ItemReply>() + text(item)).sum()
    }
}

/// The result of one item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemReply {
    /// The duration of the run in microseconds.
    pub us: u64,
    /// The reply.
    pub reply: WireReply,
}

/// A reply of a client, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireReply {
    /// A picture, which is in the object store.
    Picture {
        /// Its digest, which is its name there.
        digest: String,
        /// Its size.
        size: (u32, u32),
    },
    /// An error that the client reported.
    Refused(String),
    /// A picture without pixels.
    Empty(String),
    /// The end of its process by a signal.
    Crash(String),
    /// A time limit that it exceeded.
    Hang,
    /// The client exceeded another limit.
    Resource(String),
    /// A failure on the side of repfuzz. If it concerns only this file, others can still be read.
    Failed {
        /// The reason, in one line.
        why: String,
        /// True if it concerns this file only.
        glue: bool,
    },
    /// The worker cannot recreate the file from its choices, so it needs the bytes.
    Unmade(String),
}

/// The clients of a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// The [`PROTOCOL`] of the worker.
    #[serde(default = "first")]
    pub protocol: u32,
    /// The worker.
    pub worker: String,
    /// The identifier of the group of clients.
    pub group: String,
    /// The clients.
    pub clients: Vec<ClientFacts>,
}

impl Hello {
    /// Returns true if its names can be parts of subjects and `subject` belongs to its worker. The NATS server decides
    /// who may use a subject, but the text may claim anything.
    pub fn is_of(&self, subject: &str) -> bool {
        is_token(&self.group) && is_workers(subject, &self.worker)
    }
}

/// All that a server must know about a client that runs elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClientFacts {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// A short description.
    pub summary: String,
    /// Its command line.
    pub command: Option<String>,
    /// The files of its program.
    #[serde(default)]
    pub files: ProgramFiles,
    /// The file name extensions of the formats that it reads; `None` if it should read any file.
    #[serde(default)]
    pub formats: Option<Vec<String>>,
    /// The extensions whose files it cannot read on this machine, each with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unusable: BTreeMap<String, String>,
    /// The features that it applies.
    pub applies: Vec<String>,
    /// The dimensions that it ignores.
    pub ignores: Vec<String>,
    /// The conventions of its output.
    pub contract: Option<Contract>,
    /// The facts that reports show.
    pub facts: Facts,
    /// The name of its sandbox.
    pub confinement: Option<String>,
}

impl ClientFacts {
    /// Returns true if these are facts about the same client in the same version with the same bytes.
    pub fn is(&self, other: &Self) -> bool {
        (&self.name, &self.version, &self.files) == (&other.name, &other.version, &other.files)
    }

    /// Returns true if, according to its description, it reads files with this extension.
    pub fn reads(&self, extension: &str) -> bool {
        let all = self.formats.as_ref();
        all.is_none_or(|formats| formats.iter().any(|format| format == extension))
    }

    /// Returns true if the runs of `job` are runs of this client.
    pub fn does(&self, job: &Job) -> bool {
        (&self.name, &self.version) == (&job.client, &job.version)
            && self.files.digest() == job.program
    }

    /// Describes `client`.
    pub fn of(client: &dyn Client) -> Self {
        Self {
            name: client.name().to_owned(),
            version: client.version().to_owned(),
            summary: client.summary().to_owned(),
            command: client.command(),
            files: client.program_files(),
            formats: client.formats(),
            unusable: BTreeMap::new(),
            applies: client.applies().to_vec(),
            ignores: client.ignores().to_vec(),
            contract: client.contract().cloned(),
            facts: client.facts(),
            confinement: client.confinement().map(str::to_owned),
        }
    }
}

/// Returns the identifier of a group of clients. Workers with equal clients of equal versions have the same identifier.
pub fn group(clients: &[ClientFacts]) -> String {
    // The sandbox does not affect results, so jobs may move to a machine with a different one.
    let plain = |client: &ClientFacts| ClientFacts { confinement: None, ..client.clone() };
    let mut lines: Vec<String> = clients
        .iter()
        .map(|client| serde_json::to_string(&plain(client)).unwrap_or_default())
        .collect();
    lines.sort();
    clients::digest::hex(lines.join("\n"))[..16].to_owned()
}

/// A worker's report of what it does, sent every second or two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Beat {
    /// The worker.
    pub worker: String,
    /// Its group of clients.
    pub group: String,
    /// A word that identifies the process. Another process of the same name has another word.
    #[serde(default)]
    pub process: String,
    /// The number of jobs that it does at once.
    pub slots: usize,
    /// The number of jobs that it is doing.
    pub busy: usize,
    /// The number of clients' runs so far.
    pub runs: u64,
    /// The number of jobs so far.
    pub jobs: u64,
    /// The fraction of the time since the last message in which its slots ran clients, from 0 to 1.
    pub load: f64,
}

/// The maximum number of slots of a worker.
const MOST_SLOTS: usize = 4096;

impl Beat {
    /// As [`Hello::is_of`].
    pub fn is_of(&self, subject: &str) -> bool {
        is_token(&self.group) && is_workers(subject, &self.worker) && self.slots <= MOST_SLOTS
    }
}

/// Returns true if `subject` is one of this worker's own.
pub fn is_workers(subject: &str, worker: &str) -> bool {
    is_token(worker) && subject.split('.').nth(2) == Some(worker)
}

/// The progress of a night, once a second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The night.
    pub night: String,
    /// The number of live workers.
    pub workers: usize,
    /// The number of slots of the live workers.
    pub slots: usize,
    /// The number of runs that wait for room in a job.
    pub waiting: usize,
    /// The number of published jobs whose results have not arrived.
    pub outstanding: usize,
    /// The number of jobs whose results arrived.
    pub jobs: u64,
    /// The number of runs whose results arrived.
    pub runs: u64,
    /// The number of results that arrived twice.
    pub repeated: u64,
    /// The number of jobs that were given up.
    pub dead: u64,
    /// The number of runs per second, over the last seconds.
    pub rate: f64,
}

/// A kind of message.
pub trait Message: Serialize + DeserializeOwned {
    /// The maximum size of its JSON in bytes, which is several times the size of the longest one.
    const MOST: u64;
}

/// The maximum number of files of a job.
pub const MOST_ITEMS: usize = 256;

impl Message for Job {
    // A message of NATS has at most 1 MiB. Its compressed content is choices.
    const MOST: u64 = 16 << 20;
}

impl Message for Done {
    // Messages of clients have at most 300 characters.
    const MOST: u64 = 4096 * MOST_ITEMS as u64;
}

impl Message for Hello {
    const MOST: u64 = 4 << 20;
}

impl Message for Beat {
    const MOST: u64 = 4096;
}

impl Message for Progress {
    const MOST: u64 = 4096;
}

/// Encodes a message as compressed JSON.
pub fn encode<T: Message>(message: &T) -> Vec<u8> {
    pack::pack(&serde_json::to_vec(message).unwrap_or_default())
}

/// Reverses [`encode`].
///
/// # Errors
///
/// One line.
pub fn decode<T: Message>(bytes: &[u8]) -> Result<T, String> {
    let text = pack::unpack_within(bytes, T::MOST).map_err(|error| error.to_string())?;
    serde_json::from_slice(&text).map_err(|error| error.to_string())
}

/// Compresses bytes, and encodes them as text.
pub fn to_text(bytes: &[u8]) -> String {
    STANDARD.encode(pack::pack(bytes))
}

/// The maximum size in bytes of a file that is sent in a job.
pub const MOST_INLINE: u64 = 64 << 20;

/// Reverses [`to_text`].
///
/// # Errors
///
/// Returns a one-line message: more than [`MOST_INLINE`] bytes, among others.
pub fn from_text(text: &str) -> Result<Vec<u8>, String> {
    let packed = STANDARD.decode(text).map_err(|error| error.to_string())?;
    pack::unpack_within(&packed, MOST_INLINE).map_err(|error| error.to_string())
}

/// Returns the digest that is written as `hex`.
pub fn key_of(hex: &str) -> Option<Key> {
    let mut key = Key::default();
    if hex.len() != 2 * key.len() || !hex.is_ascii() {
        return None;
    }
    for (byte, place) in key.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&hex[place..place + 2], 16).ok()?;
    }
    Some(key)
}

/// Returns a duration in microseconds.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written() {
        let choices = Choices::from_iter([("a".to_owned(), 7.into())]);
        let file = FileSource::Choices { plainest: true, choices };
        let job = Job {
            id: "n-1".to_owned(),
            protocol: PROTOCOL,
            night: "n".to_owned(),
            extension: "bmp".to_owned(),
            client: "c".to_owned(),
            version: "1".to_owned(),
            program: "22".to_owned(),
            seed: Some(SeedRef {
                sha256: "00".to_owned(),
                wide: false,
                restriction: Restriction::new().vary(["a"]),
                max_size: 7,
                format: Some("33".to_owned()),
            }),
            items: vec![Item {
                sha256: "11".to_owned(),
                fresh: true,
                full: false,
                not_by: Some("w".to_owned()),
                file,
            }],
        };
        assert_eq!(decode::<Job>(&encode(&job)), Ok(job));
        assert!(decode::<Job>(b"no").is_err());
    }

    #[test]
    fn a_message_of_the_first_protocol_is_about_tiff() {
        let seed =
            serde_json::json!({ "sha256": "00", "wide": false, "restriction": Restriction::new() });
        let job = serde_json::json!({
            "id": "n-1", "night": "n", "client": "c", "version": "1", "seed": seed, "items": [],
        });
        let job: Job = serde_json::from_value(job).unwrap();
        assert_eq!((job.protocol, job.extension.as_str()), (1, "tif"));
        assert_eq!(job.seed.unwrap().format, None);
        let hello = serde_json::json!({ "worker": "w", "group": "g", "clients": [] });
        assert_eq!(serde_json::from_value::<Hello>(hello).unwrap().protocol, 1);
    }

    #[test]
    fn a_message_is_as_long_as_its_kind_can_be() {
        let long = |length: usize| {
            let reply = WireReply::Refused("x".repeat(length));
            let items = vec![ItemReply { us: 1, reply }];
            encode(&Done { job: "j".to_owned(), worker: "w".to_owned(), items })
        };
        assert!(decode::<Done>(&long(1000)).is_ok());
        // The message is short when it arrives.
        let bomb = long(8 << 20);
        assert!(bomb.len() < 4096);
        assert!(decode::<Done>(&bomb).unwrap_err().contains("at most"));
        assert!(decode::<Beat>(&long(5000)).unwrap_err().contains("at most"));
        assert!(from_text(&to_text(&vec![0; (MOST_INLINE + 1) as usize])).is_err());
    }

    #[test]
    fn digests_and_bytes_are_text() {
        let hex = clients::digest::hex("a");
        assert_eq!(key_of(&hex), Some(clients::digest::key("a")));
        assert_eq!(key_of(&hex[1..]), None);
        assert_eq!(key_of(&hex.replace('a', "x")), None);
        assert_eq!(from_text(&to_text(b"abc")).as_deref(), Ok(&b"abc"[..]));
        assert!(from_text("!").is_err());
    }

    #[test]
    fn a_worker_speaks_for_itself_only() {
        let hello = |worker: &str, group: &str| Hello {
            protocol: PROTOCOL,
            worker: worker.to_owned(),
            group: group.to_owned(),
            clients: Vec::new(),
        };
        assert!(hello("a", "g").is_of("f.hello.a"));
        assert!(!hello("b", "g").is_of("f.hello.a"));
        assert!(!hello("a", "g.>").is_of("f.hello.a"));
    }
}
