//! Reports: for people on a page and in the terminal, for machines as lines.

mod cause;
mod clean;
mod clients;
mod compare;
mod files;
mod index;
mod overview;
mod page;
mod parts;
mod picture;
mod sentence;
mod terminal;

pub use clean::{clean, quote};
pub use compare::compare;
pub use files::{Names, cause_records, names, write};
pub(crate) use files::{extension, slug};
pub use index::{Entry, write_index};
pub(crate) use page::head;
pub use page::page;
pub use sentence::{plural, summary, title};
pub use terminal::{closing, table};
