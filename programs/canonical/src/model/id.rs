//! Typed indices into the tables of a program.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
            #[serde(transparent)]
            pub struct $name(pub u32);

            impl $name {
                /// The position in the table.
                pub fn index(self) -> usize {
                    self.0 as usize
                }

                /// The index of a position.
                ///
                /// # Panics
                /// Panics if the position is 2^32 or more, which the limits of the front end exclude.
                pub fn new(position: usize) -> Self {
                    Self(u32::try_from(position).expect("tables have less than 2^32 entries"))
                }
            }
        )*
    };
}

ids! {
    /// A file of [`Program::files`](super::Program::files).
    FileId
    /// A token of [`Program::tokens`](super::Program::tokens). Its number is the index of the lexical token that the
    /// paper's labels contain.
    TokenId
    /// A struct or union of [`Program::composites`](super::Program::composites).
    CompositeId
    /// A variable of [`Program::variables`](super::Program::variables).
    VariableId
    /// A function of [`Program::functions`](super::Program::functions).
    FunctionId
    /// A string of [`Program::strings`](super::Program::strings).
    StringId
    /// A node of one [`Graph`](super::Graph).
    NodeId
    /// An edge of one [`Graph`](super::Graph).
    EdgeId
}
