//! Parts of a client that are not followed, so it is unknown whether it reaches an error.

use std::fmt;

use canonical::Program;
use canonical::order::conflicts;

use crate::attributes;
use crate::suite::CFunction;

/// A part of a client that is not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfollowed {
    /// The function that may be called at an unknown time, or the name of the construct.
    pub name: String,
    /// The external function that may call it; empty if there is none.
    pub given_to: String,
    /// The place as `file:line:column`.
    pub place: String,
    /// The reason.
    pub reason: Reason,
}

/// The reason why something is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The address of a function is passed to external code.
    Given,
    /// Other files see a function, and external code is called.
    Visible,
    /// Calls nest more deeply than the search follows.
    Deep,
    /// An attribute or assembly changes what runs, or what a name means.
    Attribute,
    /// C does not define the order of evaluation.
    Order,
    /// A pointer may point to an object other than the one in the graph, or to none.
    Object,
    /// The client changes a variable of another file, which may belong to the library.
    Elsewhere,
}

impl fmt::Display for Unfollowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, given_to, place, reason } = self;
        match reason {
            Reason::Given => write!(
                f,
                "code that is not there may call `{name}`, given to `{given_to}` ({place}): write a \
                 function that calls it where that code would, and check from it with --entry"
            ),
            Reason::Visible => write!(
                f,
                "code that is not there, as `{given_to}` ({place}), may call `{name}`, which other files \
                 see: make it static if they do not call it"
            ),
            Reason::Deep => {
                write!(f, "the call of `{name}` at {place} nests too deep to be followed")
            }
            Reason::Object => write!(
                f,
                "`{name}` may get another object at {place}: the graph is about one, a whole variable of static \
                 storage that is zero at first, and that only the library changes"
            ),
            Reason::Elsewhere => {
                write!(
                    f,
                    "`{name}`, changed at {place}, is of another file, and may be the library's"
                )
            }
            Reason::Attribute => write!(f, "`{name}` at {place} is not followed"),
            Reason::Order => write!(
                f,
                "the order of evaluation at {place} is open in C, and matters for {name}: write several \
                 statements"
            ),
        }
    }
}

/// Finds attributes, assembly, and operands whose order matters for library calls or followed values.
pub(super) fn constructs(program: &Program, library: &[CFunction]) -> Vec<Unfollowed> {
    let mut out = Vec::new();
    for found in attributes::unfollowed(program) {
        let (given_to, place) = (String::new(), program.at(found.place));
        out.push(Unfollowed { name: found.name, given_to, place, reason: Reason::Attribute });
    }
    let names: Vec<&str> = library.iter().map(|f| f.name.as_str()).collect();
    // Functions of headers that are not used have no code.
    let is_used = |f| program.function(f).body.is_some();
    for (place, name) in conflicts(program, &names, is_used) {
        let place = place.map(|p| program.at(p)).unwrap_or_default();
        out.push(Unfollowed { name, given_to: String::new(), place, reason: Reason::Order });
    }
    out
}
