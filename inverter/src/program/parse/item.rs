//! Items: the records, constants, and the functions.

use std::collections::HashMap;

use super::{Meaning, Reader, span, span_of};
use crate::program::diagnostic::Diagnostic;
use crate::program::syntax::{Expr, Field, IntType, Length, Program, Record, Ref, Side, Span};
use crate::program::views::equations;

const SIGNATURE: &str =
    "write `fn normalize(x: &Input, y: &mut Output) { .. }` with two structs of this file";

impl Reader {
    pub(super) fn file(&mut self, file: &syn::File) -> Option<Vec<Program>> {
        let mut structs: HashMap<String, &syn::ItemStruct> = HashMap::new();
        let mut functions: Vec<&syn::ItemFn> = Vec::new();
        for item in &file.items {
            match item {
                syn::Item::Struct(s) => {
                    if structs.insert(s.ident.to_string(), s).is_some() {
                        let message = format!("struct `{}` is defined twice", s.ident);
                        self.found.push(Diagnostic::new(message, span(s.ident.span()), "again"));
                    }
                }
                syn::Item::Const(c) => self.constant(c),
                syn::Item::Fn(f) => functions.push(f),
                // Only for the Rust reader: the language has its own `min`, `max`, ….
                syn::Item::Use(_) => {}
                other => self.found.push(
                    Diagnostic::new("this item is not allowed in a spec", span_of(other), "here")
                        .help("a spec has structs, integer constants and functions"),
                ),
            }
        }
        if functions.is_empty() {
            let all = Span { start: 0, end: 0 };
            return self
                .refuse(Diagnostic::new("the spec has no function", all, "").help(SIGNATURE));
        }
        let stem = std::path::Path::new(&self.source.name)
            .file_stem()
            .map_or_else(|| self.source.name.clone(), |s| s.to_string_lossy().into_owned());
        let several = functions.len() > 1;
        let mut programs = Vec::new();
        for (k, function) in functions.iter().enumerate() {
            let name = function.sig.ident.to_string();
            if functions[..k].iter().any(|f| f.sig.ident == name) {
                let at = span(function.sig.ident.span());
                let message = format!("two functions are called `{name}`");
                self.found.push(Diagnostic::new(message, at, "a second"));
            }
            let program = self.function(function, &structs);
            let name = if several { name } else { stem.clone() };
            programs.push(program.map(|p| Program { name, ..p }));
        }
        programs.into_iter().collect()
    }

    /// One function, with its records and the views that it reads.
    fn function(
        &mut self,
        function: &syn::ItemFn,
        structs: &HashMap<String, &syn::ItemStruct>,
    ) -> Option<Program> {
        self.signature(function, structs)?;
        let mut body = self.block(&function.block)?;
        let (views, told) = (std::mem::take(&mut self.views), std::mem::take(&mut self.told));
        let input = self.input.clone()?;
        let equations = equations(&input, &views);
        let count = equations.len();
        body.extend(equations);
        Some(Program {
            name: String::new(),
            input,
            output: self.output.clone()?,
            vars: std::mem::take(&mut self.vars),
            body,
            equations: count,
            views,
            told,
            source: self.source.clone(),
        })
    }

    fn constant(&mut self, c: &syn::ItemConst) {
        if let Some(value) = self.expr(&c.expr) {
            if matches!(value, Expr::Int(_)) {
                self.names.insert(c.ident.to_string(), Meaning::Number(value));
            } else {
                let d = Diagnostic::new("a constant is an integer", span_of(&*c.expr), "not one");
                self.found.push(d);
            }
        }
    }

    fn signature(
        &mut self,
        function: &syn::ItemFn,
        structs: &HashMap<String, &syn::ItemStruct>,
    ) -> Option<()> {
        let sig = &function.sig;
        let at = span_of(&sig.inputs);
        let whole = span(sig.ident.span());
        let odd = [
            sig.asyncness.as_ref().map(|t| (span_of(t), "it is not `async`")),
            (!matches!(sig.safety, syn::Safety::Default))
                .then(|| (span_of(&sig.safety), "it is not `unsafe`")),
            sig.abi.as_ref().map(|t| (span_of(t), "it has no ABI")),
            sig.variadic.as_ref().map(|t| (span_of(t), "it has two parameters")),
            (!sig.generics.params.is_empty())
                .then(|| (span_of(&sig.generics), "it is not generic")),
            sig.generics.where_clause.as_ref().map(|w| (span_of(w), "it is not generic")),
            match &sig.output {
                syn::ReturnType::Default => None,
                syn::ReturnType::Type(..) => {
                    Some((span_of(&sig.output), "it returns nothing: it fills its output"))
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
        let input = self.record(input, false, structs);
        let output = self.record(output, true, structs);
        let (input, output) = (input?, output?);
        if input.binder == output.binder {
            let message = format!("both parameters are called `{}`", input.binder);
            return self.refuse(Diagnostic::new(message, at, "here"));
        }
        self.input = Some(input);
        self.output = Some(output);
        Some(())
    }

    fn record(
        &mut self,
        param: &syn::FnArg,
        mutable: bool,
        structs: &HashMap<String, &syn::ItemStruct>,
    ) -> Option<Record> {
        let bad =
            Diagnostic::new("this parameter is not of the form of a spec", span_of(param), "here")
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
        let Some(item) = structs.get(&type_name) else {
            let at = span_of(path);
            let d =
                Diagnostic::new(format!("there is no struct `{type_name}` here"), at, "unknown")
                    .help("input and output records are structs of the same file");
            return self.refuse(d);
        };
        let side = if mutable { Side::Output } else { Side::Input };
        let fields = self.fields(item, side)?;
        Some(Record { type_name, binder: binder.ident.to_string(), fields })
    }

    fn fields(&mut self, item: &syn::ItemStruct, side: Side) -> Option<Vec<Field>> {
        if !item.generics.params.is_empty() {
            let d = Diagnostic::new("a record is not generic", span_of(&item.generics), "here");
            return self.refuse(d);
        }
        let syn::Fields::Named(named) = &item.fields else {
            let d = Diagnostic::new("a record has named fields", span_of(item), "has none")
                .help("write `struct Name { field: u32, .. }`");
            return self.refuse(d);
        };
        let mut fields: Vec<Field> = Vec::new();
        let mut complete = true;
        let outer = self.names.clone();
        for field in &named.named {
            let Some(ident) = &field.ident else { continue };
            let name = ident.to_string();
            let at = span(ident.span());
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
                // Scalars may be used, by their bare name, in the lengths of later fields.
                let r = Ref { side, field: fields.len(), index: Vec::new(), span: at };
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
                    Diagnostic::new("this attribute is not allowed", span_of(attr), "here").help(
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
            let d = Diagnostic::new("this type is not allowed in a record", span_of(inner), "here");
            return self.refuse(d.help(help));
        };
        if lengths.len() > 3 {
            let message = format!("an array of {} dimensions", lengths.len());
            return self.refuse(Diagnostic::new(message, span_of(ty), "at most three").help(help));
        }
        Some((int, lengths))
    }
}
