//! Index types: newtypes of `usize` that index vectors, so that a field cannot be mistaken for an
//! ensure. [`FieldId`] is here; [`mod@crate::invert`] declares those of ensures and conjuncts.

/// Declares a newtype of `usize` that indexes vectors.
macro_rules! index_type {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[derive(serde::Serialize, serde::Deserialize)]
        pub struct $name(pub usize);

        impl<T> std::ops::Index<$name> for Vec<T> {
            type Output = T;

            fn index(&self, id: $name) -> &T {
                &self[id.0]
            }
        }

        impl<T> std::ops::IndexMut<$name> for Vec<T> {
            fn index_mut(&mut self, id: $name) -> &mut T {
                &mut self[id.0]
            }
        }
    };
}

pub(crate) use index_type;

index_type! {
    /// A field of a record, by its position among the record's fields.
    FieldId
}
