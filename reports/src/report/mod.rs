//! Reports: HTML pages and terminal tables for people, JSON lines for machines.
//!
//! All code but [`write()`] is pure: it turns a [`Run`](campaign::Run) into [`pages`], with file names from `site`. A
//! page is `shell` around its content. All texts come from `sentence`, `compare`, `choices` and `issue`. All text from
//! outside passes through `clean`.

mod around;
mod cause;
mod choices;
mod clean;
mod client;
mod compare;
mod conventions;
mod drawing;
mod entry;
mod evidence;
mod example;
mod exported;
mod files;
mod front;
mod glance;
mod groups;
mod heatmap;
mod history;
mod index;
mod issue;
mod joint;
mod legend;
mod list;
mod parts;
mod picture;
mod predicted;
mod sentence;
mod shell;
mod site;
mod terminal;
mod uncaused;

pub use clean::{clean, one_line, quote, wrapped};
pub use compare::compare;
pub use drawing::{address, drawing, graphviz};
pub use entry::Entry;
pub use example::replayed_choices;
pub use files::{cause_records, pages, write, write_files};
pub use history::{NightSummary, write_history};
pub use index::write_index;
pub use legend::explained;
pub use sentence::{bracket, limits, plural, summary, title};
pub use shell::Page;
pub use shell::{Up, shell};
pub use site::{Names, names_of as names};
pub use site::{extension, stem};
pub use terminal::{Rows, closing, table};
