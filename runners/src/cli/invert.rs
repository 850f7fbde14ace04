//! `repfuzz invert`: prints the inverse of a spec.

mod rust;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use inverter::invert::EnsureKind;
use inverter::program::FieldId;
use inverter::run::Executable;

use super::{SUCCESS, say, spec};

/// Print the inverse of a spec, or of each stage of a pipeline
#[derive(Debug, Clone, Args)]
pub struct InvertArgs {
    /// Normalization program, or a pipeline.toml
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    /// Part to print
    #[arg(long, value_enum, default_value_t = Emit::Inverse, value_name = "WHAT")]
    pub emit: Emit,
}

/// The part of an inverse to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// The inverse program
    Inverse,
    /// Each ensure, with the line of the spec and the reason for each conjunct
    Ensures,
    /// The names of the dimensions
    Dimensions,
    /// The inverse as Rust, for reading: nothing compiles it
    Rust,
}

/// Runs the command; returns the exit code.
pub fn run(args: &InvertArgs) -> u8 {
    let pipeline = match spec::read(&args.spec) {
        Ok(pipeline) => pipeline,
        Err(code) => return code,
    };
    // The inverse of a composition is the reversed composition of the inverses.
    let stages = pipeline.stages().iter().rev().map(|stage| {
        let prefix = pipeline.prefix(stage);
        let text = match args.emit {
            Emit::Inverse => stage.inverse().to_string(),
            Emit::Ensures => stage.inverse().explain_ensures(),
            Emit::Rust => rust::text(stage.inverse()),
            Emit::Dimensions => {
                let names = dimensions(stage.inverse());
                return names.iter().map(|n| format!("{prefix}{n}\n")).collect();
            }
        };
        match prefix.is_empty() {
            true => text,
            false => format!("stage {}\n\n{}\n\n", stage.name(), text.trim_end()),
        }
    });
    say(stages.collect::<String>().trim_end());
    SUCCESS
}

/// The names of the inverse's dimensions.
fn dimensions(inverse: &Executable) -> Vec<String> {
    let fields = &inverse.program.input.fields;
    let mut out: Vec<String> = Vec::new();
    for e in &inverse.ensures {
        match &e.kind {
            EnsureKind::Places { bases, .. } => {
                // Arrays are placed first, then scalars among their elements.
                let (scalars, arrays): (Vec<FieldId>, Vec<FieldId>) =
                    bases.iter().partition(|b| fields[**b].is_scalar());
                for (k, field) in arrays.iter().chain(&scalars).enumerate() {
                    let f = &fields[*field];
                    let name = f.dimension();
                    if f.is_scalar() {
                        out.extend((k > 0).then(|| format!("{name} place")));
                        out.push(format!("{name} gap"));
                    } else {
                        out.push(format!("{name} order"));
                        out.extend((k > 0).then(|| format!("{name} places")));
                        out.push(format!("{name} gaps"));
                    }
                }
            }
            kind => out.extend(kind.fields().iter().map(|f| fields[*f].dimension().to_owned())),
        }
    }
    out.extend(inverse.free_scalars.iter().map(|f| fields[*f].dimension().to_owned()));
    for encode in inverse.encodes() {
        let name = fields[encode.target].dimension();
        let primitive = inverse.primitive(&encode.primitive).ok();
        for dimension in primitive.map(|p| p.dimensions()).unwrap_or_default() {
            let dimension = format!("{name} {dimension}");
            if !out.contains(&dimension) {
                out.push(dimension);
            }
        }
    }
    for field in inverse.partly_assigned() {
        let name = fields[field].dimension();
        for k in 0..fields[field].lengths.len() {
            if inverse.program.has_tail(field, k) {
                out.push(fields[field].tail(k));
            }
        }
        out.push(format!("{name} fill"));
    }
    out
}
