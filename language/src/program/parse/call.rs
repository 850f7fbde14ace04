//! Calls of functions: `shown(x, y);` stands for the body of `shown`.
//!
//! A function takes the two records of its caller and may come from another file. Its body is read in place of the
//! call, with the names of its own file and parameters.

use super::item::Parameter;
use super::{Declared, Reader, Scope};
use crate::program::diagnostic::Diagnostic;
use crate::program::source::{Span, file_name};
use crate::program::syntax::{RecordType, Stmt};

/// The minimum similarity (Jaro-Winkler) of a misspelt name to the name that is suggested.
const SIMILAR: f64 = 0.85;

/// The names of statements that look like calls of functions.
const STATEMENTS: [&str; 3] = ["assume", "reserve", "magic"];

impl<'a> Reader<'a> {
    /// Reads the statements for which a call of a function stands: `None` for any other statement, `Some(None)` after
    /// an error.
    pub(super) fn function_call(&mut self, e: &syn::Expr) -> Option<Option<Vec<Stmt>>> {
        let syn::Expr::Call(call) = e else { return None };
        let syn::Expr::Path(path) = &*call.func else { return None };
        let name = path.path.get_ident()?.to_string();
        let function = *self.scopes[self.file].functions.get(&name)?;
        if STATEMENTS.contains(&name.as_str()) {
            return None;
        }
        Some(self.deeper(call, |reader| reader.inlined(&name, function, call)))
    }

    /// The error for a call of a function that is not declared here, with the most likely remedy.
    pub(super) fn no_function(&self, name: &str, at: Span) -> Diagnostic {
        let d = Diagnostic::new(format!("there is no function `{name}`"), at, "unknown");
        if self.primitive(name).is_some() {
            return d.help(format!("`{name}` is a primitive: {}", super::primitive::FORM));
        }
        let declares =
            |scope: &Scope| scope.functions.contains_key(name) && !scope.imported.contains(name);
        // Used files do not use the spec's own file.
        let mut used = self.scopes.iter().zip(self.source.files()).skip(1);
        if let Some((_, file)) = used.find(|(scope, _)| declares(scope)) {
            let file = file_name(&file.name);
            return d.help(format!("`{file}` declares it: add it to the `use`"));
        }
        let functions = self.scopes[self.file].functions.keys().map(String::as_str);
        let primitives = self.primitives.iter().map(|p| p.name.as_str());
        let mut known: Vec<&str> = functions.chain(STATEMENTS).chain(primitives).collect();
        // The order of functions does not matter.
        known.sort_unstable();
        let similar = known.into_iter().map(|k| (strsim::jaro_winkler(k, name), k));
        let nearest = similar.filter(|(s, _)| *s >= SIMILAR).max_by(|a, b| a.0.total_cmp(&b.0));
        d.help(match nearest {
            Some((_, known)) => format!("did you mean `{known}`?"),
            None => super::stmt::STATEMENTS.to_owned(),
        })
    }

    fn inlined(
        &mut self,
        name: &str,
        function: Declared<'a, syn::ItemFn>,
        call: &syn::ExprCall,
    ) -> Option<Vec<Stmt>> {
        let at = self.span_of(call);
        if self.calls.iter().any(|open| open.is(function)) {
            let d = Diagnostic::new(format!("`{name}` calls itself"), at, "here");
            return self.refuse(d.help("a call stands for the body of the function"));
        }
        if function.file == 0 {
            self.called.insert(function.item.sig.ident.to_string());
        }
        let records = [&self.input, &self.output].map(|r| r.as_ref().map(|r| r.binder.clone()));
        let [Some(input), Some(output)] = records else { return None };
        let given: Vec<&syn::Expr> = call.args.iter().collect();
        let names = |e: &syn::Expr, binder: &str| matches!(e, syn::Expr::Path(path) if path.path.is_ident(binder));
        if !matches!(given[..], [x, y] if names(x, &input) && names(y, &output)) {
            let message = "a function takes the two records of its caller";
            let d = Diagnostic::new(message, at, "here");
            return self.refuse(d.help(format!("write `{name}({input}, {output});`")));
        }

        let file = std::mem::replace(&mut self.file, function.file);
        let parameters = self.parameters(function.item);
        self.file = file;
        let parameters = parameters?;
        let types = self.types?;
        for (parameter, own) in parameters.iter().zip(types) {
            if !parameter.record.is(own) {
                let named = |record: Declared<'_, syn::ItemStruct>| {
                    let file = file_name(&self.source.files()[record.file].name);
                    format!("the `{}` of `{file}`", record.item.ident)
                };
                let (takes, given) = (named(parameter.record), named(own));
                let message = format!("`{name}` takes {takes}, but its caller has {given}");
                let d = Diagnostic::new(message, at, "here");
                return self.refuse(d.help("a function takes the records of its caller"));
            }
        }
        self.body(function, parameters)
    }

    /// Reads the body of a function with its own names.
    fn body(
        &mut self,
        function: Declared<'a, syn::ItemFn>,
        parameters: [Parameter<'a>; 2],
    ) -> Option<Vec<Stmt>> {
        let rename = |record: &mut Option<RecordType>, binder: String| match record {
            Some(record) => std::mem::replace(&mut record.binder, binder),
            None => binder,
        };
        let [input, output] = parameters;
        let binders =
            [rename(&mut self.input, input.binder), rename(&mut self.output, output.binder)];
        let constants = self.scopes[function.file].constants.clone();
        let names = std::mem::replace(&mut self.names, constants);
        let file = std::mem::replace(&mut self.file, function.file);
        self.calls.push(function);
        let body = self.block(&function.item.block);
        self.calls.pop();
        (self.file, self.names) = (file, names);
        let [input, output] = binders;
        rename(&mut self.input, input);
        rename(&mut self.output, output);
        body
    }
}
