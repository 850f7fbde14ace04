//! Places in source files, and lexical tokens.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::FileId;

/// A place in a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// Line, from 1.
    pub line: u32,
    /// The column in characters, from 1. A token from a macro expansion has the column where the preprocessor put it,
    /// at or after the macro's name.
    pub column: u32,
}

/// A lexical token of the preprocessed program. Tokens of system headers are omitted unless a function that is defined
/// there contains them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// The text. Equal texts share memory.
    #[serde(serialize_with = "text", deserialize_with = "shared")]
    pub text: Arc<str>,
    /// The place of its first character.
    pub place: Place,
}

fn text<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

fn shared<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<str>, D::Error> {
    String::deserialize(deserializer).map(Arc::from)
}
