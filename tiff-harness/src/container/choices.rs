//! What a writer of a TIFF file is free to decide about the container, by name.
//!
//! | dimension | values | class | TIFF 6.0 |
//! |---|---|---|---|
//! | `format` | `classic`, `BigTIFF` | BigTIFF is an extension | section 2; the BigTIFF design: version 43, offsets of 8 bytes |
//! | `byte order` | `II`, `MM` | baseline | sections 2 and 7: readers must take both |
//! | `spare value bytes` | `zeros`, `filler` | baseline | section 2: a short value is left-justified in its field; the rest is no part of it |
//! | `entry order` | `ascending`, `random:N` | random is questionable | section 2: "must be sorted in ascending order by Tag" |
//! | `type of T` | `SHORT`, `LONG`, `LONG8`, `BYTE` where the value fits | the types that the standard names for T are baseline; LONG8 of the places and lengths of strips and tiles is an extension (BigTIFF only); others are questionable | section 8; section 2: readers should take BYTE, SHORT and LONG anywhere |
//! | `default of T` | `explicit`, `absent` where T has its default | baseline; `explicit` of a tag of part 2 is an extension | section 7, defaults |
//! | `count of T` | `per sample`, `one` where all samples have the same value | one is questionable | section 8: the count is SamplesPerPixel |
//! | `descriptive tags` | `none`, `random:N` | baseline | section 8: ImageDescription, Make, Model, Software, DateTime, Artist, HostComputer, Copyright |
//! | `document tags` | `none`, `random:N` | random is an extension | section 12: DocumentName, PageName, PageNumber |
//! | `private tags` | `none`, `TYPE:N` for one tag, `several:N` | types 1 to 12 are baseline, later ones extensions | section 2, private fields: readers must ignore them |
//! | `tags of unknown type` | `none`, `random:N` | random is questionable | section 2: readers should skip them; no writer may have them |
//! | `further pages` | `none`, `page after`, `thumbnail after`, `two pages after`, `thumbnail and page after` | a thumbnail is baseline, PageNumber of pages an extension | sections 2 and 7: readers need not look behind the first directory |
//! | `sub-IFDs` | `none`, `thumbnail`, `two thumbnails` | all but none are extensions | Adobe PageMaker 6.0 TIFF technical notes, note 1 |
//! | `type of SubIFDs` | `IFD`, `LONG`; in BigTIFF `IFD8`, `LONG8` too | extension | the same |
//!
//! T is a tag's name, N the seed of what is drawn. There is no such dimension where there
//! is no choice: one type that fits, no default, or another value than the default; one
//! format in the caller's [`Freedom`]; and where just one way may be drawn in its
//! [`Profile`], unless another is given or is the seed's. Tags that the seed already has
//! are never drawn. [`orientation`](class_of) is chosen elsewhere, and has its class here.
//! [`RULES`](super::rules::RULES) has the tags.

pub(crate) mod ask;
mod chosen;
mod classes;
mod further;
mod metadata;
mod own;
mod said;
mod types;

use std::borrow::Cow;

use inverter::solve::{ChoiceError, ChoiceSource};

use super::tags::SaidOf;
use super::write::{EntryOrder, Spare};
use super::{ByteOrder, Class, Format, Profile, Tag};
use ask::{RANDOM, Way, ask, ask_seeded};
pub use chosen::{Chosen, Part};
pub use classes::class_of;
pub use further::Directory;
pub use own::{UNTOLD, own_choices};
use said::Facts;
pub use said::Said;
pub use types::{class_of_type, sizes_of, type_of_size, types_of};

/// The dimension of classic TIFF or BigTIFF.
pub const FORMAT: &str = "format";
/// The dimension of the order of bytes.
pub const BYTE_ORDER: &str = "byte order";
/// The dimension of the bytes that short values leave over.
pub const SPARE_BYTES: &str = "spare value bytes";
/// The dimension of the order of the first directory's entries.
pub const ENTRY_ORDER: &str = "entry order";

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];
const SPARES: [(Spare, &str); 2] = [(Spare::Zeros, "zeros"), (Spare::Filler, "filler")];
const EXPLICIT: &str = "explicit";
const ABSENT: &str = "absent";
const ASCENDING: &str = "ascending";
const PER_SAMPLE: &str = "per sample";
const ONE: &str = "one";

/// The name of the dimension of a tag's type: `type of ImageWidth`.
pub fn type_dimension(tag: Tag) -> Cow<'static, str> {
    tag.said(SaidOf::Type)
}

/// The name of the dimension of saying a default or not: `default of Orientation`.
pub fn default_dimension(tag: Tag) -> Cow<'static, str> {
    tag.said(SaidOf::Default)
}

/// The name of the dimension of one value for all samples: `count of BitsPerSample`.
pub fn count_dimension(tag: Tag) -> Cow<'static, str> {
    tag.said(SaidOf::Count)
}

/// What may be chosen. The caller leaves out what it cannot place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freedom {
    /// What is drawn at random.
    pub profile: Profile,
    /// The formats; at least one, the simplest first.
    pub formats: &'static [Format],
    /// Whether there may be directories beside the first: pages, SubIFDs, and private tags
    /// that point to one.
    pub directories: bool,
}

impl Freedom {
    /// Everything.
    pub fn all(profile: Profile) -> Self {
        Self { profile, formats: &[Format::Classic, Format::Big], directories: true }
    }

    /// One directory in a classic file.
    pub fn simple(profile: Profile) -> Self {
        Self { profile, formats: &[Format::Classic], directories: false }
    }
}

/// Chooses the byte order. What depends on it may be decided before all else is: asked
/// again, it is the same.
///
/// # Errors
///
/// If a given choice is none.
pub fn choose_order(source: &mut ChoiceSource) -> Result<ByteOrder, ChoiceError> {
    Ok(ORDERS[source.named(BYTE_ORDER, &ORDERS.map(ByteOrder::mark))?])
}

/// Chooses how to say it.
///
/// # Errors
///
/// If a given choice is not possible here, or a value has no type that holds it.
pub fn choose(
    source: &mut ChoiceSource,
    freedom: &Freedom,
    said: &Said,
) -> Result<Chosen, ChoiceError> {
    let profile = freedom.profile;
    let class = |format| if format == Format::Big { Class::Extension } else { Class::Baseline };
    let formats = freedom.formats.iter().map(|f| (*f, f.name(), class(*f)));
    let formats: Vec<Way<'_, Format>> = formats.collect();
    let mut chosen = Chosen {
        format: ask(source, profile, FORMAT, &formats)?.unwrap_or(Format::Classic),
        order: choose_order(source)?,
        spare: SPARES[source.named(SPARE_BYTES, &SPARES.map(|s| s.1))?].0,
        entry_order: choose_entry_order(source, profile)?,
        entries: said.carried().collect(),
        profile,
        facts: Facts::of(|tag| said.get(tag)),
        directories: Vec::new(),
        next: None,
        pointers: Vec::new(),
    };
    for (tag, values) in said.integers() {
        chosen.say(source, *tag, values)?;
    }
    metadata::choose(source, freedom, &mut chosen)?;
    if freedom.directories {
        further::choose(source, &mut chosen)?;
    }
    chosen.entries.sort_by_key(|entry| entry.0);
    Ok(chosen)
}

fn choose_entry_order(
    source: &mut ChoiceSource,
    profile: Profile,
) -> Result<EntryOrder, ChoiceError> {
    let (class, kinds) = (Class::Questionable, [RANDOM]);
    let random = ask_seeded(source, profile, ENTRY_ORDER, class, ASCENDING, &kinds)?;
    Ok(random.map_or(EntryOrder::Ascending, |(_, seed)| EntryOrder::Shuffled(seed)))
}
