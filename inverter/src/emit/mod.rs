//! Compiles specs: emits both directions of a program as Rust.
//!
//! Emitted code moves data. Choices, ensures, the lengths of arrays, primitives and error messages
//! stay in the interpreter: [`run::compiled`](crate::run::compiled) describes how they work
//! together.
//!
//! A crate compiles its specs when it is built, with `inverter` as a dependency and as a build
//! dependency:
//!
//! ```ignore
//! // build.rs
//! fn main() {
//!     inverter::emit::build("specs/strips.rs");
//! }
//! ```
//!
//! ```ignore
//! // src/lib.rs
//! mod strips {
//!     include!(concat!(env!("OUT_DIR"), "/strips.rs"));
//! }
//!
//! let inverse = check::load("strips.rs", include_str!("../specs/strips.rs"))?;
//! let inverse = inverse.with_compiled(&strips::COMPILED)?;
//! let y = normalize_with(&inverse, &x)?;
//! ```
//!
//! `examples/compiled-spec` is such a crate. `repfuzz invert SPEC --emit rust` prints the emitted
//! code.

mod build;
mod checked;
mod emitter;
mod expr;
mod kernel;
mod names;
mod nest;
mod text;

use std::collections::BTreeSet;

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::check::once;
use crate::invert::{Inverse, OutputConditions};
use crate::lower::{self, Mode, Node};
use crate::program::source::file_name;
use crate::program::{Expr, Field, FieldId, Pred, Program, Side};
pub use build::{build, build_all, record};
use emitter::Emitter;
use text::Comments;

/// Returns the items of a module that holds a compiled spec: `pub static COMPILED`, of type
/// [`Compiled`](crate::run::compiled::Compiled), and the items that it needs.
pub fn module(inverse: &Inverse) -> String {
    module_of(inverse, &unproved(&inverse.program))
}

/// Returns the names of the outputs of which it is not proved that each element is assigned once.
fn unproved(program: &Program) -> BTreeSet<String> {
    once::unproved(program).into_iter().map(|u| u.output).collect()
}

/// [`module`], where the outputs that are not in `unproved` are proved.
fn module_of(inverse: &Inverse, unproved: &BTreeSet<String>) -> String {
    let program = &inverse.program;
    let comments = Comments::new(&program.source);
    let fields = [Side::Input, Side::Output].map(|side| places(program, side));
    let forward = lower::whole(program).map(|body| forward(program, &body, &comments, unproved));
    let normalize = match forward {
        Some(_) => quote!(Some(normalize)),
        None => quote!(None),
    };
    let (mut entries, mut pieces) = (Vec::new(), TokenStream::new());
    for (place, nodes) in lower::pieces(&inverse.body) {
        let name = format_ident!("piece_{place}");
        let at = Literal::usize_unsuffixed(place);
        entries.push(quote!((#at, #name)));
        pieces.extend(piece(program, &name, &nodes, &comments));
    }
    let conditions = OutputConditions::of(&inverse.ensures);
    let conditions: Vec<TokenStream> =
        conditions.closed.iter().map(|p| condition(program, p, &comments)).collect();
    let function = &program.name;
    let items = quote! {
        #[allow(unused_imports)]
        use std::cmp::{max, min};
        #[allow(unused_imports)]
        use ::inverter::run::compiled::{
            Budget, Compiled, Frame, Halt, Irregular, Nest, Output, Reads, Scalar, Source, Target,
            add, assume, attempt, div, div_ceil, given, holds, mul, rem, sub,
        };
        #[allow(unused_imports)]
        use ::inverter::run::{Store, Record};
        /// The spec, compiled.
        #[allow(unused_mut, unused_variables, unused_parens, non_snake_case, clippy::all)]
        pub static COMPILED: Compiled = Compiled {
            spec: SPEC,
            function: #function,
            normalize: #normalize,
            pieces: &[#(#entries),*],
            conditions: &[#(#conditions),*],
        };
        #(#fields)*
        #forward
        #pieces
    };
    let name = file_name(program.source.name()).replace(['\n', '\r'], " ");
    let text = comments.print(items);
    let files = program.source.files().iter().map(|file| text::literal(&file.text));
    let files = files.collect::<Vec<_>>().join(", ");
    format!(
        "// Compiled from {name}.\n\n{text}\n/// The files that it was compiled from.\nconst SPEC: &[&str] = &[{files}];\n"
    )
}

/// Emits constants for the identifiers of a record's fields.
fn places(program: &Program, side: Side) -> TokenStream {
    let record = program.record(side);
    let module = names::module(program, side);
    let constants = record.indexed().map(|(k, _)| {
        let name = names::constant(program, side, k);
        let at = Literal::usize_unsuffixed(k.0);
        quote!(pub const #name: FieldId = FieldId(#at);)
    });
    let doc = format!(" The fields of {}.", record.type_name);
    quote! {
        #[doc = #doc]
        #[allow(dead_code, non_snake_case)]
        mod #module {
            use ::inverter::program::FieldId;
            #(#constants)*
        }
    }
}

/// Emits the normalization program.
fn forward(
    program: &Program,
    body: &[Node<'_>],
    comments: &Comments,
    unproved: &BTreeSet<String>,
) -> TokenStream {
    let mut emitter = Emitter::new(program, Mode::Forward, comments);
    body.iter().for_each(|n| n.reserved(&mut emitter.scope.reserved));
    let mut used: Vec<&Expr> = Vec::new();
    body.iter().for_each(|n| n.exprs(&mut |e| used.push(e)));
    let given = emitter.given(&used);
    let output = |(k, f): (FieldId, &Field)| {
        let name = names::local(program, Side::Output, k);
        let int = format_ident!("{}", f.int.name());
        let proved = !unproved.contains(&f.name);
        match f.is_scalar() {
            true => quote!(let mut #name = Scalar::default();),
            false => {
                let place = emitter.field(Side::Output, k);
                quote!(let mut #name = Output::<#int>::new(#proved, expected, #place)?;)
            }
        }
    };
    let outputs: TokenStream = program.output.indexed().map(output).collect();
    let reserved: Vec<FieldId> = emitter.scope.reserved.iter().copied().collect();
    let reads = reserved.iter().map(|k| {
        let name = names::reads(program, *k);
        quote!(let mut #name = Reads::default();)
    });
    let apart = reserved.iter().map(|k| {
        let (name, place) = (names::reads(program, *k), emitter.field(Side::Input, *k));
        let int = format_ident!("{}", program.input.fields[*k].int.name());
        quote!(#name.check(Source::<#int>::given(value, #place)?.len())?;)
    });
    let apart: TokenStream = apart.collect();
    let arrays = program.output.indexed().filter(|(_, f)| !f.is_scalar());
    let allocate: TokenStream = arrays.map(|(k, _)| emitter.allocate(k)).collect();
    let data = program.output.indexed().map(|(k, _)| {
        let name = names::local(program, Side::Output, k);
        quote!(#name.field_value()?)
    });
    let body = emitter.block(body);
    quote! {
        /// The normalization program; with an expected value it is only compared.
        #[allow(unused_mut, unused_variables, unused_parens, non_snake_case, clippy::all)]
        fn normalize(
            value: &Record,
            expected: Option<&Store>,
            mut budget: Budget,
        ) -> Result<Record, Irregular> {
            #given
            #outputs
            #(#reads)*
            #body
            #apart
            #allocate
            Ok(Record { fields: vec![#(#data),*] })
        }
    }
}

/// Emits a statement of the inverse.
fn piece(
    program: &Program,
    name: &proc_macro2::Ident,
    nodes: &[Node<'_>],
    comments: &Comments,
) -> TokenStream {
    let mut emitter = Emitter::new(program, Mode::Backward, comments);
    let mut used: Vec<&Expr> = Vec::new();
    nodes.iter().for_each(|n| n.exprs(&mut |e| used.push(e)));
    let given = emitter.given(&used);
    let body = emitter.block(nodes);
    quote! {
        #[allow(unused_variables, unused_parens, non_snake_case, clippy::all)]
        fn #name(frame: &mut Frame<'_>) -> Result<(), Halt> {
            #given
            #body
            Ok(())
        }
    }
}

/// Emits a predicate over the canonical value, in which every reference is to an output.
fn condition(program: &Program, p: &Pred, comments: &Comments) -> TokenStream {
    let emitter = Emitter::new(program, Mode::Condition, comments);
    let mut used: Vec<&Expr> = Vec::new();
    p.exprs(&mut |e| used.push(e));
    let (known, conditions) = (emitter.given(&used), emitter.condition(p));
    quote! {
        |given: &Store| -> Result<bool, Irregular> {
            let mut budget = Budget::over(given);
            #known
            #conditions
            Ok(true)
        }
    }
}
