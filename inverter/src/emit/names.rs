//! Names in emitted code.

use proc_macro2::Ident;
use quote::format_ident;

use crate::program::{FieldId, Program, Side};

/// A field's local variable: `x_width`.
pub(super) fn local(program: &Program, side: Side, field: FieldId) -> Ident {
    let record = program.record(side);
    format_ident!("{}_{}", plain(&record.binder), plain(&record.fields[field].name))
}

/// The variable with what is read of an input array, and reserved.
pub(super) fn reads(program: &Program, field: FieldId) -> Ident {
    format_ident!("{}_reads", local(program, Side::Input, field))
}

/// The module with the places of a record's fields.
pub(super) fn module(program: &Program, side: Side) -> Ident {
    format_ident!("{}", plain(&program.record(side).binder))
}

/// The constant with a field's place: `WIDTH`.
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

/// A loop variable, inside others of these names.
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
