//! Any JSON value, dispatched by its kind.

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Takes one value. Unexpected kinds go to [`other`](Take::other), described in a few words.
pub trait Take: Sized {
    /// The result; errors of the text itself are the deserializer's.
    type Out;

    /// Takes a value of an unexpected kind, described by `kind`.
    fn other(self, kind: String) -> Self::Out;

    /// Takes an integer.
    fn number(self, n: i128) -> Self::Out {
        self.other(brief(&n.to_string()))
    }

    /// Takes a list.
    fn list<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Out, A::Error> {
        let mut n = 0usize;
        while items.next_element_seed(Any(Skip))?.is_some() {
            n += 1;
        }
        Ok(self.other(format!("a list of {n}")))
    }

    /// Takes an object.
    fn object<'de, A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Out, A::Error> {
        while entries.next_key_seed(Any(Skip))?.is_some() {
            entries.next_value_seed(Any(Skip))?;
        }
        Ok(self.other("an object".to_owned()))
    }
}

/// Skips a value. Unlike [`serde::de::IgnoredAny`], it refuses excessive nesting and numbers that are too large, as
/// reading the value would.
pub struct Skip;

impl Take for Skip {
    type Out = ();

    fn other(self, _: String) {}

    fn number(self, _: i128) {}
}

/// Reads a value of any kind for a [`Take`].
pub struct Any<T>(pub T);

impl<'de, T: Take> DeserializeSeed<'de> for Any<T> {
    type Value = T::Out;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<T::Out, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de, T: Take> Visitor<'de> for Any<T> {
    type Value = T::Out;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<T::Out, E> {
        Ok(self.0.other("null".to_owned()))
    }

    fn visit_bool<E>(self, b: bool) -> Result<T::Out, E> {
        Ok(self.0.other(b.to_string()))
    }

    fn visit_u64<E>(self, n: u64) -> Result<T::Out, E> {
        Ok(self.0.number(n.into()))
    }

    fn visit_i64<E>(self, n: i64) -> Result<T::Out, E> {
        Ok(self.0.number(n.into()))
    }

    fn visit_f64<E>(self, n: f64) -> Result<T::Out, E> {
        Ok(self.0.other(brief(&serde_json::Value::from(n).to_string())))
    }

    fn visit_str<E>(self, text: &str) -> Result<T::Out, E> {
        Ok(self.0.other(format!("\"{}\"", brief(text))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<T::Out, A::Error> {
        self.0.list(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<T::Out, A::Error> {
        self.0.object(entries)
    }
}

/// Returns the beginning of a text that may be long.
pub fn brief(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
