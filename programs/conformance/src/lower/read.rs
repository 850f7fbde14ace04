//! The calls of a program as its source says them: which parameters settings name, which variables
//! are filled, and which calls comments are about.

use canonical::{Action as Step, Call, Place};

use super::Lowering;
use crate::error::Error;
use crate::settings::{Function, Role};
use crate::sites::Note;
use crate::unfold::{Home, Reads};

impl Lowering<'_> {
    /// The settings of a function that counts for the role.
    fn known(&self, name: &str) -> Option<&Function> {
        self.settings.functions.get(name).filter(|known| self.role.takes(known.direction))
    }

    /// Refuses settings about parameters that calls do not have.
    pub(super) fn check_parameters(&self) -> Result<(), Error> {
        for (_, _, graph) in self.source.defined() {
            for (id, call) in graph.calls() {
                for target in call.callee.targets() {
                    let Some(known) = self.known(&self.source.function(*target).name) else {
                        continue;
                    };
                    let count = call.arguments.len();
                    let beyond = known.parameters().into_iter().find(|(_, k)| *k > count);
                    if let Some((setting, k)) = beyond {
                        let place = self.place(graph.edge(id).place);
                        let s = if count == 1 { "" } else { "s" };
                        return Err(Error::Program(format!(
                            "`{setting} = {k}` of `{}` in --io names no parameter: the call at {}:{} has {count} \
                             argument{s}",
                            known.name, place.file, place.line
                        )));
                    }
                }
            }
        }
        Ok(())
    }

    /// The edges that read, and the homes that they fill.
    pub(super) fn filled(&self, graph: &canonical::Graph) -> Reads {
        let mut found = Reads::default();
        for (k, edge) in graph.edges.iter().enumerate() {
            let Step::Call(call) = &edge.action else { continue };
            let [target] = call.callee.targets() else { continue };
            let Some(known) = self.known(&self.source.function(*target).name) else { continue };
            found.edges.insert(k);
            if self.role != Role::Consumer {
                continue;
            }
            if let Some(home) = home(known, call) {
                found.homes.insert(k, home);
                let parts = self.parts(&known.name, call, edge.place, graph).unwrap_or_default();
                if let [only] = &parts[..] {
                    if let Some(written) = self.settings.written.get(&only.kind) {
                        let mut written = written.clone();
                        // An element that is missing has this value.
                        written.extend(only.optional.then_some(-1));
                        found.written.insert(k, written);
                    }
                    let partly = self.settings.partly.get(&only.kind);
                    found.partly.extend(partly.map(|partly| (k, partly.clone())));
                }
            }
        }
        found
    }

    /// The comment about a call.
    pub(super) fn note(&self, callee: &str, place: Option<Place>) -> Option<&Note> {
        let place = place?;
        let columns = |name: &str| self.calls.get(&(place.file, place.line, name.to_owned()));
        self.texts.get(place.file.index())?.iter().filter(|note| note.line == place.line).find(
            |note| match (&note.callee, &note.nth) {
                (Some(name), _) => name == callee,
                (None, Some((name, nth))) => match columns(name) {
                    // A macro: its calls have other names.
                    None => true,
                    Some(columns) => {
                        name == callee
                            && columns.get((*nth).min(columns.len() - 1)) == Some(&place.column)
                    }
                },
                (None, None) => true,
            },
        )
    }
}

/// The home that a call fills.
fn home(known: &Function, call: &Call) -> Option<Home> {
    match known.into? {
        0 => call.result.as_ref().and_then(Home::of),
        k => call.arguments.get(k - 1).and_then(Home::value),
    }
}
