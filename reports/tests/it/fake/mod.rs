//! A fake subject with five dimensions, and clients with planted faults.
//!
//! A file is the text `FAKE` and its choices as JSON. Its picture is always the same.

#![allow(dead_code, reason = "each test uses a part of it")]

pub mod summed;

use std::collections::HashMap;
use std::io;
use std::sync::Mutex;

use clients::{Client, Facts, Reply, Unsupported};
use equivalents::subject::{Class, Subject, Variant, VariantError};
use inverter::solve::{Choice, ChoiceSource, Choices, Fill, IntervalSet, Vary};
use tiff_harness::Picture;

/// The subject.
pub struct Fake {
    seed: Vec<u8>,
    own: Choices,
    picture: Picture,
    dimensions: Vec<String>,
    /// The value of `rows` from which building a variant is an internal error.
    pub internal_error_from: Option<i128>,
    /// True if re-encoded files differ from the seed even without choices.
    pub rewrites: bool,
    /// The dimensions that select features.
    pub features: &'static [&'static str],
}

pub const STRIPS: usize = 5;

impl Fake {
    pub fn new() -> Self {
        let mut own = Choices::new();
        own.set("orientation", 1);
        own.set("rows", 4);
        own.set("order", Choice::List((0..STRIPS as i128).collect()));
        own.set("fill", "zeros");
        own.set("big", "no");
        let pixels = (0..20 * 16).flat_map(|k: u32| {
            let (x, y) = (k % 20, k / 20);
            let inside = (3..9).contains(&x) && (2..14).contains(&y);
            let red = if inside { 230 } else { 40 + 9 * x };
            [red as u8, (30 + 13 * y) as u8, if inside { 20 } else { 180 }]
        });
        let samples: Vec<u8> = pixels.collect();
        Self {
            seed: file(&own),
            picture: Picture::from_8bit(20, 16, 3, &samples).expect("it fits"),
            dimensions: own.iter().map(|(d, _)| d.to_owned()).collect(),
            own,
            internal_error_from: None,
            rewrites: false,
            features: &[],
        }
    }

    fn make(&self, mut source: ChoiceSource) -> Result<Variant, VariantError> {
        let no = |e: inverter::solve::ChoiceError| VariantError::Impossible(e.to_string());
        source.integer("orientation", &IntervalSet::range(1, 8), &[]).map_err(no)?;
        let rows = source.integer("rows", &IntervalSet::range(1, 64), &[16]).map_err(no)?;
        source.permutation("order", STRIPS).map_err(no)?;
        let fill = source.fill("fill").map_err(no)?;
        let big = source.named("big", &["no", "yes"]).map_err(no)?;
        if matches!(fill, Fill::Copies) && rows > 60 {
            return Err(VariantError::Impossible("no room to copy from".into()));
        }
        if let [unused, ..] = source.unused()[..] {
            return Err(VariantError::Impossible(format!("there is no `{unused}`")));
        }
        let class = if big == 1 { Class::Extension } else { Class::Baseline };
        let choices = source.into_recorded();
        let mut bytes = file(&choices);
        if self.rewrites {
            bytes.insert(4, b' ');
        }
        Ok(Variant { bytes, choices, translated: Choices::new(), class })
    }
}

fn file(choices: &Choices) -> Vec<u8> {
    format!("FAKE{}", serde_json::to_string(choices).expect("choices are JSON")).into_bytes()
}

impl Subject for Fake {
    fn seed_bytes(&self) -> &[u8] {
        &self.seed
    }
    fn own_choices(&self) -> &Choices {
        &self.own
    }
    fn picture(&self) -> &Picture {
        &self.picture
    }
    fn dimensions(&self) -> &[String] {
        &self.dimensions
    }
    fn variant_from(&self, source: ChoiceSource) -> Result<Variant, VariantError> {
        let made = self.make(source.with_baseline(self.own.clone()))?;
        let (rows, from) = (made.choices.get("rows"), self.internal_error_from);
        if matches!((rows, from), (Some(Choice::Int(rows)), Some(from)) if *rows >= from) {
            return Err(VariantError::Internal("the file has another picture".into()));
        }
        Ok(made)
    }
    /// Makes the choices without reading the file back.
    fn choices_from(&self, source: ChoiceSource) -> Result<Choices, VariantError> {
        Ok(self.make(source.with_baseline(self.own.clone()))?.choices)
    }
    /// Builds the variant without the overrides.
    fn toward(
        &self,
        seed: u64,
        index: u64,
        vary: Vary,
        _: &Choices,
    ) -> Result<Variant, VariantError> {
        self.variant(seed, index, vary)
    }
    fn is_feature(&self, dimension: &str) -> bool {
        self.features.contains(&dimension)
    }
    fn value_class(&self, dimension: &str, value: &Choice) -> String {
        match (dimension, value) {
            ("rows", Choice::Int(n)) if *n < 16 => "small".into(),
            ("rows", _) => "large".into(),
            (_, Choice::List(items)) if items.is_sorted() => "identity".into(),
            (_, Choice::List(items)) if items.is_sorted_by(|a, b| a > b) => "reversed".into(),
            (_, Choice::List(_)) => "shuffled".into(),
            ("fill", Choice::Text(t)) if t.starts_with("random") => "random".into(),
            _ => value.to_string(),
        }
    }
}

/// A file as a fake client reads it.
#[derive(Clone)]
pub struct Seen(Choices, bool);

impl Seen {
    /// Returns true if the file was re-encoded.
    pub fn rewritten(&self) -> bool {
        self.1
    }
    pub fn int(&self, dimension: &str) -> i128 {
        match self.0.get(dimension) {
            Some(Choice::Int(n)) => *n,
            _ => panic!("no {dimension}"),
        }
    }
    pub fn is(&self, dimension: &str, value: &str) -> bool {
        self.0.get(dimension) == Some(&Choice::from(value))
    }
    pub fn order(&self) -> Vec<i128> {
        match self.0.get("order") {
            Some(Choice::List(items)) => items.clone(),
            _ => panic!("no order"),
        }
    }
    pub fn reversed(&self) -> bool {
        self.order() == (0..STRIPS as i128).rev().collect::<Vec<_>>()
    }
}

type Behaviour = Box<dyn Fn(&Seen, usize) -> io::Result<Reply> + Send + Sync>;

/// A client whose reply is a function of the file and of the number of times that it read it.
pub struct Puppet {
    name: String,
    version: String,
    command: Option<String>,
    ignores: Vec<String>,
    library: String,
    unsupported: Vec<Unsupported>,
    waits: bool,
    seen: Mutex<HashMap<Vec<u8>, usize>>,
    behaviour: Behaviour,
}

impl Puppet {
    pub fn with(
        name: &str,
        behaviour: impl Fn(&Seen, usize) -> io::Result<Reply> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.to_owned(),
            version: "1.0".to_owned(),
            command: Some(format!("{name} {{in}} {{out}}")),
            ignores: Vec::new(),
            library: String::new(),
            unsupported: Vec::new(),
            waits: false,
            seen: Mutex::default(),
            behaviour: Box::new(behaviour),
        }
    }

    pub fn versioned(self, version: &str) -> Self {
        Self { version: version.to_owned(), ..self }
    }

    /// Gives it a library that decodes for it.
    pub fn reading_by(self, library: &str) -> Self {
        Self { library: library.to_owned(), ..self }
    }

    /// Makes it a client for which reductions run files ahead.
    pub fn waiting(self) -> Self {
        Self { waits: true, ..self }
    }

    /// Declares that it does not support a dimension.
    pub fn without(mut self, dimension: &str) -> Self {
        let (what, reason) = (dimension.to_owned(), "its manual".to_owned());
        self.unsupported.push(Unsupported { what, values: Vec::new(), reason });
        self
    }

    pub fn ignoring(mut self, dimension: &str) -> Self {
        self.ignores.push(dimension.to_owned());
        self
    }

    /// Returns a file as it reads it, and the number of times that it has read it.
    pub fn seen(&self, file: &[u8]) -> (Seen, usize) {
        let times = self.seen.lock().expect("nobody panics with it").get(file).copied();
        let choices = serde_json::from_slice(&file[4..]).expect("a fake file");
        (Seen(choices, file[4] == b' '), times.unwrap_or(0))
    }

    pub fn boxed(self) -> Box<dyn Client> {
        Box::new(self)
    }
}

impl Client for Puppet {
    fn name(&self) -> &str {
        &self.name
    }
    fn version(&self) -> &str {
        &self.version
    }
    fn summary(&self) -> &str {
        "a client made up for this test"
    }
    fn command(&self) -> Option<String> {
        self.command.clone()
    }
    fn ignores(&self) -> &[String] {
        &self.ignores
    }
    fn waits(&self) -> bool {
        self.waits
    }
    fn facts(&self) -> Facts {
        let (library, unsupported) = (self.library.clone(), self.unsupported.clone());
        Facts { library, unsupported, ..Facts::default() }
    }
    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        *self.seen.lock().expect("nobody panics with it").entry(file.to_vec()).or_default() += 1;
        let (seen, times) = self.seen(file);
        (self.behaviour)(&seen, times)
    }
}

pub fn right() -> Reply {
    Reply::Picture(Fake::new().picture)
}

/// Returns the picture of a client that ignores the orientations 3 to 8; for others, a picture in
/// which some pixels have another color.
pub fn wrong(seen: &Seen) -> Reply {
    let picture = Fake::new().picture;
    let (w, h) = (picture.width(), picture.height());
    let mut samples = picture.rgba().to_vec();
    match seen.int("orientation") {
        3 => samples = samples.chunks(4).rev().flatten().copied().collect(),
        4 => samples = samples.chunks(4 * w as usize).rev().flatten().copied().collect(),
        5..=8 => return Reply::Picture(Picture::new(h, w, samples)),
        _ => return spoilt(),
    }
    Reply::Picture(Picture::new(w, h, samples))
}

/// Returns a picture that is wrong in one way, whatever the file: a hundred pixels are
/// white.
pub fn spoilt() -> Reply {
    let picture = Fake::new().picture;
    let mut samples = picture.rgba().to_vec();
    samples[400..800].fill(u16::MAX);
    Reply::Picture(Picture::new(picture.width(), picture.height(), samples))
}

pub fn refused(message: &str) -> Reply {
    Reply::Refused { message: message.to_owned() }
}

pub fn crash(message: &str) -> Reply {
    Reply::Crash { message: message.to_owned() }
}

/// Returns one client for each kind of fault.
pub fn zoo() -> Vec<Box<dyn Client>> {
    vec![
        Puppet::with("good", |_, _| Ok(right())).boxed(),
        Puppet::with("order-1", |s, _| {
            Ok(if s.int("orientation") != 1 { wrong(s) } else { right() })
        })
        .boxed(),
        Puppet::with("order-2", |s, _| {
            Ok(match (s.int("orientation"), s.reversed()) {
                (3, true) => crash("SIGSEGV"),
                _ => right(),
            })
        })
        .boxed(),
        Puppet::with("order-3", |s, _| {
            Ok(match (s.int("rows") >= 16, s.is("fill", "ones"), s.is("big", "yes")) {
                (true, true, true) => refused("bad strip"),
                _ => right(),
            })
        })
        .boxed(),
        // The first fault masks the second in most mixtures.
        Puppet::with("hidden", |s, _| {
            Ok(match (s.is("fill", "zeros"), s.is("big", "yes") && s.int("orientation") > 4) {
                (false, _) => refused("slack is not zero"),
                (true, true) => crash("SIGABRT"),
                _ => right(),
            })
        })
        .boxed(),
        Puppet::with("flaky", |s, times| {
            Ok(if s.is("big", "yes") && times % 2 == 1 { crash("SIGBUS") } else { right() })
        })
        .boxed(),
        Puppet::with("hanging", |s, _| {
            Ok(if s.order() != [0, 1, 2, 3, 4] { Reply::Hang } else { right() })
        })
        .boxed(),
        Puppet::with("ignorant", |s, _| {
            Ok(match (s.int("orientation"), s.is("fill", "ones")) {
                (_, true) => Reply::Resource { message: "more than 1 GiB of memory".into() },
                (1, _) => right(),
                _ => wrong(s),
            })
        })
        .ignoring("orientation")
        .boxed(),
        Puppet::with("blind", |_, _| Ok(refused("not my kind of file"))).boxed(),
        Puppet::with("unsteady", |_, times| Ok(if times == 1 { right() } else { Reply::Hang }))
            .boxed(),
        Puppet::with("missing", |_, _| Err(io::Error::other("no such program"))).boxed(),
        Puppet::with("going", |s, _| match s.int("rows") {
            4 => Ok(right()),
            _ => Err(io::Error::other("it is gone")),
        })
        .boxed(),
        // Pale by design: its picture of the seed is not the canonical one.
        Puppet::with("pale", |_, _| {
            let picture = Fake::new().picture;
            let samples = picture.rgba().iter().map(|v| v / 2 + 0x7fff).collect();
            Ok(Reply::Picture(Picture::new(picture.width(), picture.height(), samples)))
        })
        .boxed(),
    ]
}
