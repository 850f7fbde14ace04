//! The choices of a TIFF file's container: everything that a writer is free to decide about header,
//! directories and the values of tags.
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
//! T is a tag's name, N the seed of the random values. A dimension does not exist if there is nothing to choose: only
//! one type fits; a tag has no default, or a value other than its default; [`WriterOptions`] allow only one format; or
//! the [`Profile`](super::Profile) draws only one value and no other is given or in the seed. Tags that the seed
//! already has are never drawn. [`RULES`](super::rules::RULES) lists the tags. [`class_of`] also classifies
//! [`orientation`](crate::dimension::ORIENTATION), which is chosen elsewhere.

mod baseline;
mod choose;
mod classes;
mod directory;
mod further;
mod layout;
mod metadata;
mod options;
mod pages;
mod required;
mod settle;
mod types;
mod values;

pub use baseline::{UNTRACED, baseline};
pub use choose::{choose, choose_first, choose_order, choose_page};
pub use classes::class_of;
pub use directory::Directory;
pub use layout::{ContainerLayout, Part};
pub use options::WriterOptions;
pub use pages::{PageLayout, Target};
pub use required::RequiredTags;
pub use settle::settle;
pub use types::{class_of_type, sizes_of, type_of_size, types_of};
