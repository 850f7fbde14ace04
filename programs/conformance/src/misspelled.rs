//! Finds names in settings that do not occur in any source, because they may be misspelled.

use std::collections::BTreeSet;

use canonical::Program;

use crate::remark::{Remark, Weight};
use crate::settings::{Role, Settings};

/// The minimum similarity of a proposed name.
const SIMILAR: f64 = 0.85;

/// Returns a remark about each function and macro of the settings that no source calls or declares. Omits those that
/// only a side without sources would call.
pub fn misspelled(settings: &Settings, sides: &[(Role, &Program)]) -> Vec<Remark> {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let mut called: BTreeSet<&str> = BTreeSet::new();
    for (_, program) in sides {
        known.extend(program.functions.iter().map(|function| function.name.as_str()));
        for (_, call) in program.defined().flat_map(|(_, _, graph)| graph.calls()) {
            let targets = call.callee.targets().iter();
            called.extend(targets.map(|id| program.function(*id).name.as_str()));
        }
    }
    let own = settings.functions.values().filter(|function| {
        !function.is_standard() && sides.iter().any(|(role, _)| role.takes(function.direction))
    });
    let macros = settings.macros.iter().filter(|_| sides.len() > 1);
    let names = own.map(|function| &function.name).chain(macros);
    let absent: BTreeSet<&str> =
        names.map(String::as_str).filter(|name| !known.contains(name)).collect();
    let is_free = |name: &&&str| !settings.functions.contains_key(**name);
    let remark = |name: &str| {
        let near = called.iter().filter(is_free).map(|own| (strsim::jaro_winkler(own, name), own));
        let near = near.filter(|(similar, _)| *similar >= SIMILAR);
        let near = near.max_by(|a, b| a.0.total_cmp(&b.0));
        let proposal = near.map(|(_, own)| format!(": perhaps it is `{own}`")).unwrap_or_default();
        let text = format!("`{name}` in --io is called in none of the files{proposal}");
        Remark::new(text, Weight::Open)
    };
    absent.into_iter().map(remark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::read;

    fn remarks(io: &str, roles: &[Role]) -> Vec<String> {
        let options = canonical::c::Options::default();
        let text =
            "void put_byte(int); int get(void); int main(void) { put_byte(get()); return 0; }";
        let program = canonical::c::read_text("a.c", text, &options);
        let sides: Vec<(Role, &Program)> = roles.iter().map(|role| (*role, &program)).collect();
        let all = misspelled(&read("io", io).unwrap(), &sides);
        all.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_that_nothing_has_are_remarked() {
        let both = [Role::Producer, Role::Consumer];
        let io = "standard = true\nmacros = ['NEXT']\nfunction = [{ name = 'put_byt', direction = 'out' }, \
                  { name = 'get', direction = 'in' }, { name = 'other', direction = 'in' }]";
        let said = [
            "`NEXT` in --io is called in none of the files",
            "`other` in --io is called in none of the files",
            "`put_byt` in --io is called in none of the files: perhaps it is `put_byte`",
        ];
        assert_eq!(remarks(io, &both), said);
        // An automaton has no calls.
        assert_eq!(remarks(io, &both[..1]), said[2..]);
        assert_eq!(remarks("function = [{ name = 'get', direction = 'in' }]", &both), [""; 0]);
    }
}
