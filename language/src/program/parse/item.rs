//! Reads items: records, constants and functions.

use std::collections::HashSet;

use super::load::Import;
use super::{Declared, Meaning, Reader};
use crate::program::FieldId;
use crate::program::diagnostic::Diagnostic;
use crate::program::source::{Span, file_name};
use crate::program::syntax::{Expr, Field, IntType, Length, Program, RecordType, Ref, Side};
use crate::program::views::equations;
use crate::program::walk;

const SIGNATURE: &str = "write `fn normalize(x: &Input, y: &mut Output) { .. }` with two structs";

/// A parameter of a function, before the fields of its record are read.
pub(super) struct Parameter<'a> {
    pub binder: String,
    pub type_name: String,
    pub record: Declared<'a, syn::ItemStruct>,
}

impl<'a> Reader<'a> {
    /// Reads all stages of the spec. `order` has each file after those that it uses.
    pub(super) fn spec(&mut self, order: &[usize]) -> Option<Vec<Program>> {
        for file in order {
            self.file = *file;
            self.declare();
        }
        self.file = 0;
        let items = self.files[0].syntax.items.iter();
        let functions: Vec<&syn::ItemFn> = items
            .filter_map(|item| match item {
                syn::Item::Fn(f) => Some(f),
                _ => None,
            })
            .collect();
        if functions.is_empty() {
            let d = Diagnostic::new("the spec has no function", Span::default(), "");
            return self.refuse(d.help(SIGNATURE));
        }
        let programs: Vec<_> =
            functions.iter().map(|item| self.function(Declared { file: 0, item })).collect();
        // A called function was already read as part of its callers, with the same findings.
        let mut seen = HashSet::new();
        self.found.retain(|d| seen.insert((d.span, d.message.clone())));
        let named = functions.iter().zip(programs).filter_map(|(function, program)| {
            let name = function.sig.ident.to_string();
            (!self.called.contains(&name)).then_some((name, program))
        });
        let mut stages = named
            .map(|(name, program)| Some(Program { name, ..program? }))
            .collect::<Option<Vec<_>>>()?;
        if let [single] = &mut stages[..] {
            let file = std::path::Path::new(self.source.name());
            single.name = file.file_stem().map_or_else(
                || self.source.name().to_owned(),
                |s| s.to_string_lossy().into_owned(),
            );
        }
        Some(stages)
    }

    /// Records the declarations of a file, and those that it imports.
    fn declare(&mut self) {
        let parsed = &self.files[self.file];
        for import in &parsed.imports {
            self.import(import);
        }
        for item in &parsed.syntax.items {
            let file = self.file;
            match item {
                syn::Item::Struct(item) => {
                    let name = item.ident.to_string();
                    let message = format!("struct `{name}` is defined twice");
                    let declared = Declared { file, item };
                    if self.scopes[file].structs.insert(name, declared).is_some() {
                        self.twice(message, &item.ident);
                    }
                }
                syn::Item::Fn(item) => {
                    let name = item.sig.ident.to_string();
                    let message = format!("two functions are called `{name}`");
                    let declared = Declared { file, item };
                    if self.scopes[file].functions.insert(name, declared).is_some() {
                        self.twice(message, &item.sig.ident);
                    }
                }
                syn::Item::Const(c) => {
                    if self.names.contains_key(&c.ident.to_string()) {
                        self.twice(format!("constant `{}` is defined twice", c.ident), &c.ident);
                    }
                    self.constant(c);
                }
                syn::Item::Use(_) => {}
                syn::Item::Mod(item) => {
                    let at = self.span_of(item);
                    let d = Diagnostic::new("this item is not allowed in a spec", at, "here");
                    self.found.push(d.help(
                        "files need no `mod`: `use picture::Plain;` takes `Plain` from `picture.rs`",
                    ));
                }
                other => self.found.push(
                    Diagnostic::new(
                        "this item is not allowed in a spec",
                        self.span_of(other),
                        "here",
                    )
                    .help("a spec has structs, integer constants and functions"),
                ),
            }
        }
        self.scopes[self.file].constants = std::mem::take(&mut self.names);
    }

    fn twice(&mut self, message: String, again: &syn::Ident) {
        let at = self.span(again.span());
        self.found.push(Diagnostic::new(message, at, "again"));
    }

    /// Imports a declaration from another file: everything that the file declares under this name.
    fn import(&mut self, import: &Import) {
        let Import { file, name, alias, span } = import;
        let from = &self.scopes[*file];
        let own = !from.imported.contains(name);
        let record = from.structs.get(name).filter(|_| own).copied();
        let function = from.functions.get(name).filter(|_| own).copied();
        let constant = from.constants.get(name).filter(|_| own).cloned();
        if record.is_none() && function.is_none() && constant.is_none() {
            let mut all: Vec<&String> = from.structs.keys().chain(from.functions.keys()).collect();
            all.extend(from.constants.keys());
            all.retain(|name| !from.imported.contains(*name));
            all.sort();
            all.dedup();
            let all: Vec<String> = all.into_iter().map(|name| format!("`{name}`")).collect();
            let other = file_name(&self.source.files()[*file].name);
            let d = Diagnostic::new(format!("`{other}` declares no `{name}`"), *span, "unknown");
            let help = match all.is_empty() {
                true => "it declares nothing".to_owned(),
                false => format!("it declares {}", all.join(", ")),
            };
            return self.found.push(d.help(help));
        }
        let scope = &mut self.scopes[self.file];
        let again = !scope.imported.insert(alias.clone());
        record.map(|declared| scope.structs.insert(alias.clone(), declared));
        function.map(|declared| scope.functions.insert(alias.clone(), declared));
        constant.map(|value| self.names.insert(alias.clone(), value));
        if again {
            let message = format!("`{alias}` is used from two places");
            self.found.push(Diagnostic::new(message, *span, "again"));
        }
    }

    /// Reads one function, with its records and views.
    fn function(&mut self, function: Declared<'a, syn::ItemFn>) -> Option<Program> {
        self.names = self.scopes[function.file].constants.clone();
        self.signature(function.item)?;
        self.walking = self.walks(function, &mut HashSet::new());
        (self.mutable, self.walk_dimensions) = (HashSet::new(), HashSet::new());
        self.calls.push(function);
        let body = self.block(&function.item.block);
        self.calls.pop();
        let loop_reads = body.map(|mut body| {
            self.resolve_loop_reads(&mut body)?;
            Some(body)
        });
        let body = loop_reads.flatten();
        self.loop_reads.clear();
        let views = std::mem::take(&mut self.views);
        let stored_lengths = std::mem::take(&mut self.stored_lengths);
        let (mut body, input) = (body?, self.input.clone()?);
        let equations = equations(&input, &views);
        let count = equations.len();
        body.extend(equations);
        Some(Program {
            name: String::new(),
            input,
            output: self.output.clone()?,
            vars: std::mem::take(&mut self.vars),
            walks: walk::any(&body),
            body,
            equations: count,
            views,
            stored_lengths,
            source: self.source.clone(),
        })
    }

    fn constant(&mut self, c: &syn::ItemConst) {
        if let Some(value) = self.expr(&c.expr) {
            if matches!(value, Expr::Int(_)) {
                self.names.insert(c.ident.to_string(), Meaning::Number(value));
            } else {
                let d =
                    Diagnostic::new("a constant is an integer", self.span_of(&*c.expr), "not one");
                self.found.push(d);
            }
        }
    }

    /// Reads the records of a stage.
    fn signature(&mut self, function: &syn::ItemFn) -> Option<()> {
        let [input, output] = self.parameters(function)?;
        self.types = Some([input.record, output.record]);
        self.input = self.record(input, Side::Input);
        self.output = self.record(output, Side::Output);
        (self.input.is_some() && self.output.is_some()).then_some(())
    }

    /// Reads the parameters of a function of the current file.
    pub(super) fn parameters(&mut self, function: &syn::ItemFn) -> Option<[Parameter<'a>; 2]> {
        let sig = &function.sig;
        let at = self.span_of(&sig.inputs);
        let whole = self.span(sig.ident.span());
        let odd = [
            sig.asyncness.as_ref().map(|t| (self.span_of(t), "it is not `async`")),
            (!matches!(sig.safety, syn::Safety::Default))
                .then(|| (self.span_of(&sig.safety), "it is not `unsafe`")),
            sig.abi.as_ref().map(|t| (self.span_of(t), "it has no ABI")),
            sig.variadic.as_ref().map(|t| (self.span_of(t), "it has two parameters")),
            (!sig.generics.params.is_empty())
                .then(|| (self.span_of(&sig.generics), "it is not generic")),
            sig.generics.where_clause.as_ref().map(|w| (self.span_of(w), "it is not generic")),
            match &sig.output {
                syn::ReturnType::Default => None,
                syn::ReturnType::Type(..) => {
                    Some((self.span_of(&sig.output), "it returns nothing: it fills its output"))
                }
            },
        ];
        if let Some((at, why)) = odd.into_iter().flatten().next() {
            let message = "this is not allowed in the function of a spec";
            return self.refuse(Diagnostic::new(message, at, why).help(SIGNATURE));
        }
        let params: Vec<_> = sig.inputs.iter().collect();
        let [input, output] = params[..] else {
            let message = format!("the function has {} parameters, not two", params.len());
            let at = if params.is_empty() { whole } else { at };
            return self.refuse(Diagnostic::new(message, at, "here").help(SIGNATURE));
        };
        let (input, output) = (self.parameter(input, false), self.parameter(output, true));
        let (input, output) = (input?, output?);
        if input.binder == output.binder {
            let message = format!("both parameters are called `{}`", input.binder);
            return self.refuse(Diagnostic::new(message, at, "here"));
        }
        Some([input, output])
    }

    fn parameter(&mut self, param: &syn::FnArg, mutable: bool) -> Option<Parameter<'a>> {
        let at = self.span_of(param);
        let bad = Diagnostic::new("this parameter is not of the form of a spec", at, "here")
            .help(SIGNATURE);
        let syn::FnArg::Typed(typed) = param else { return self.refuse(bad) };
        let (syn::Pat::Ident(binder), syn::Type::Reference(reference)) = (&*typed.pat, &*typed.ty)
        else {
            return self.refuse(bad);
        };
        if reference.mutability.is_some() != mutable {
            return self.refuse(bad);
        }
        let syn::Type::Path(path) = &*reference.elem else { return self.refuse(bad) };
        let Some(type_name) = path.path.get_ident().map(ToString::to_string) else {
            return self.refuse(bad);
        };
        let Some(record) = self.scopes[self.file].structs.get(&type_name).copied() else {
            let at = self.span_of(path);
            let d =
                Diagnostic::new(format!("there is no struct `{type_name}` here"), at, "unknown")
                    .help(
                        "input and output records are structs of this file, or of one that it uses",
                    );
            return self.refuse(d);
        };
        Some(Parameter { binder: binder.ident.to_string(), type_name, record })
    }

    /// Reads the record of a parameter, in the file that declares it.
    fn record(&mut self, parameter: Parameter<'a>, side: Side) -> Option<RecordType> {
        let Parameter { binder, type_name, record } = parameter;
        let file = std::mem::replace(&mut self.file, record.file);
        let constants = self.scopes[record.file].constants.clone();
        let names = std::mem::replace(&mut self.names, constants);
        let fields = self.fields(record.item, side);
        (self.file, self.names) = (file, names);
        Some(RecordType { type_name, binder, fields: fields? })
    }

    fn fields(&mut self, item: &syn::ItemStruct, side: Side) -> Option<Vec<Field>> {
        if !item.generics.params.is_empty() {
            let d =
                Diagnostic::new("a record is not generic", self.span_of(&item.generics), "here");
            return self.refuse(d);
        }
        let syn::Fields::Named(named) = &item.fields else {
            let d = Diagnostic::new("a record has named fields", self.span_of(item), "has none")
                .help("write `struct Name { field: u32, .. }`");
            return self.refuse(d);
        };
        let mut fields: Vec<Field> = Vec::new();
        let mut complete = true;
        let outer = self.names.clone();
        for field in &named.named {
            let Some(ident) = &field.ident else { continue };
            let name = ident.to_string();
            let at = self.span(ident.span());
            if fields.iter().any(|f| f.name == name) {
                let d = Diagnostic::new(format!("field `{name}` is declared twice"), at, "again");
                self.found.push(d);
                complete = false;
            }
            let element = self.element(&field.attrs);
            let Some((int, lengths)) = self.field_type(&field.ty) else {
                complete = false;
                continue;
            };
            if lengths.is_empty() {
                // The lengths of later fields may use scalars by their bare names.
                let r = Ref { side, field: FieldId(fields.len()), index: Vec::new(), span: at };
                self.names.insert(name.clone(), Meaning::Number(Expr::Ref(r)));
            }
            fields.push(Field { name, int, lengths, element, span: at });
        }
        self.names = outer;
        complete.then_some(fields)
    }

    fn element(&mut self, attrs: &[syn::Attribute]) -> Option<String> {
        let mut element = None;
        for attr in attrs {
            if attr.path().is_ident("doc") {
                continue;
            }
            match attr.parse_args::<syn::LitStr>() {
                Ok(name) if attr.path().is_ident("element") && !name.value().is_empty() => {
                    element = Some(name.value());
                }
                _ => self.found.push(
                    Diagnostic::new("this attribute is not allowed", self.span_of(attr), "here")
                        .help(
                            "fields may have doc comments and #[element(\"strip\")]: what one of \
                         them is called in the names of dimensions",
                        ),
                ),
            }
        }
        element
    }

    fn field_type(&mut self, ty: &syn::Type) -> Option<(IntType, Vec<Length>)> {
        let mut lengths = Vec::new();
        let mut inner = ty;
        loop {
            match inner {
                syn::Type::Slice(slice) => {
                    lengths.push(Length::Free);
                    inner = &slice.elem;
                }
                syn::Type::Array(array) => {
                    lengths.push(Length::Is(self.expr(&array.len)?));
                    inner = &array.elem;
                }
                _ => break,
            }
        }
        let help = "fields are integers (u8, u16, u32, u64, i8, i16, i32, i64) or arrays of them \
                    of one to three dimensions: [u8], [u8; length], [[u8; width]; height]";
        let int = match inner {
            syn::Type::Path(path) => path
                .path
                .get_ident()
                .and_then(|ident| IntType::ALL.into_iter().find(|t| ident == t.name())),
            _ => None,
        };
        let Some(int) = int else {
            let d = Diagnostic::new(
                "this type is not allowed in a record",
                self.span_of(inner),
                "here",
            );
            return self.refuse(d.help(help));
        };
        if lengths.len() > 3 {
            let message = format!("an array of {} dimensions", lengths.len());
            return self
                .refuse(Diagnostic::new(message, self.span_of(ty), "at most three").help(help));
        }
        Some((int, lengths))
    }
}
