//! The calls of a program according to its source: the parameters that settings name, the variables that are filled,
//! and the calls to which comments refer.

use canonical::{Action as Step, Call, Place};

use super::Lowering;
use crate::error::Error;
use crate::settings::{Function, Role};
use crate::sites::{Listed, Note};
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

    /// Refuses comments about calls that do not exist.
    pub(super) fn check_comments(&self) -> Result<(), Error> {
        for (path, notes) in self.source.files.iter().zip(&self.texts) {
            for note in notes.iter().filter(|note| !note.is_in_text) {
                let is_here = |(file, line, name): &(canonical::FileId, u32, String)| {
                    *line == note.line
                        && self.source.files[file.index()] == *path
                        && note.callee.as_ref().is_none_or(|callee| callee == name)
                };
                if self.calls.keys().any(is_here) {
                    continue;
                }
                let name = note.callee.as_ref().map(|name| format!(" of `{name}`"));
                let why =
                    format!("no call{} begins on line {}", name.unwrap_or_default(), note.line);
                let file = path.display().to_string();
                return Err(Error::text(&file, note.line as usize, why));
            }
        }
        Ok(())
    }

    /// Refuses sites of the list that are not calls of the program.
    pub(super) fn check_list(&self) -> Result<(), Error> {
        let own = self.list.into_iter().flatten().filter(|site| site.role == self.role);
        for site in own {
            let is_it = |found: &Listed| {
                (found.line, &found.file, &found.callee) == (site.line, &site.file, &site.callee)
                    && site.column.is_none_or(|column| found.column == Some(column))
            };
            if !self.found.iter().any(is_it) {
                let column = site.column.map(|c| format!(":{c}")).unwrap_or_default();
                let why = format!(
                    "--sites: the {} has no call of `{}` at {}:{}{column}",
                    self.role.name(),
                    site.callee,
                    site.file,
                    site.line
                );
                return Err(Error::Program(why));
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
                        // A missing element has this value.
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
                    // This is a macro, so its calls have other names.
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
