//! Names in emitted code.

use proc_macro2::Ident;
use quote::format_ident;

use crate::program::{FieldId, Program, Side};

/// The local variable for a field: `x_width`.
pub(super) fn local(program: &Program, side: Side, field: FieldId) -> Ident {
    let record = program.record(side);
    format_ident!("{}_{}", plain(&record.binder), plain(&record.fields[field].name))
}

/// The variable that records which elements of an input array are read and reserved.
pub(super) fn reads(program: &Program, field: FieldId) -> Ident {
    format_ident!("{}_reads", local(program, Side::Input, field))
}

/// The module of the constants of a record's fields.
pub(super) fn module(program: &Program, side: Side) -> Ident {
    format_ident!("{}", plain(&program.record(side).binder))
}

/// The constant for a field's identifier: `WIDTH`.
pub(super) fn constant(program: &Program, side: Side, field: FieldId) -> Ident {
    let record = program.record(side);
    let name = plain(&record.fields[field].name).to_uppercase();
    let twin = |(k, f): (FieldId, &crate::program::Field)| {
        k != field && plain(&f.name).to_uppercase() == name
    };
    match record.indexed().any(twin) {
        true => format_ident!("{name}_{}", field.0),
        false => format_ident!("{name}"),
    }
}

/// A loop variable. Its name avoids those of the loops around it, `taken`, and of emitted code.
pub(super) fn variable<'a>(name: &str, mut taken: impl Iterator<Item = &'a Ident>) -> Ident {
    let ours = ["from", "frame", "nest", "budget", "value", "given", "v", "k", "_"];
    let name = plain(name);
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let clash = name.contains('_')
        || ours.contains(&stem) && (stem != name || stem.len() > 1)
        || taken.any(|t| t == name);
    match clash {
        true => format_ident!("{name}_loop"),
        false => format_ident!("{name}"),
    }
}

fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}
