//! Records as JSON: an object with one member per field, arrays as nested lists.
//!
//! Both directions work without a tree: elements go directly from the text into the cells of their field, and from
//! there into the text.

mod any;
mod elements;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use read::{from_json, from_json_reader, from_json_text};
pub use write::{AsJson, to_json};
