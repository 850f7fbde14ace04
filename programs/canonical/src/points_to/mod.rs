//! Computes the targets of calls through pointers, by Andersen's points-to analysis.
//!
//! The analysis is inclusion-based, and insensitive to flow, context and fields (Andersen, *Program Analysis and
//! Specialization for the C Programming Language*, 1994, chapter 4): a variable has one set of objects to which it, or
//! any part of it, may point. Code outside the program may do anything with objects whose addresses it receives, and
//! nothing with others; known functions of C's library do less. Numbers hold no pointers unless they have 64 bits, or
//! are bytes.

mod constraints;
mod library;
mod solve;

use crate::model::{Action, Callee, FunctionId, Program};
use constraints::Constraints;

/// Returns true for a C library function that is known not to keep or call pointers.
pub fn is_known(name: &str) -> bool {
    library::model(name) != library::Model::Unknown
}

/// Sets [`Callee::Pointer`]'s targets in all calls of a program.
///
/// If the analysis needs too much work, the targets are all functions whose address is taken, and none of these lists
/// is complete.
pub fn resolve(program: &mut Program) {
    let pointers = program.defined().flat_map(|(_, _, graph)| graph.calls());
    if !pointers.into_iter().any(|(_, call)| matches!(call.callee, Callee::Pointer { .. })) {
        return;
    }
    let constraints = Constraints::of(program);
    let all: Vec<FunctionId> = constraints.taken();
    let sites = constraints.sites.clone();
    let solution = solve::solve(constraints, program);
    for site in sites {
        let graph = program.functions[site.function.index()].body.as_mut();
        let Some(edge) = graph.and_then(|g| g.edges.get_mut(site.edge.index())) else { continue };
        let Action::Call(call) = &mut edge.action else { continue };
        if let Callee::Pointer { targets, complete, .. } = &mut call.callee {
            (*targets, *complete) = match &solution {
                Some(solution) => solution.functions(site.pointer),
                None => (all.clone(), false),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::c::{Options, read_text};
    use crate::model::{Callee, Program};

    /// Names of the targets of the calls through pointers of `main`, and whether they are complete.
    fn targets(text: &str) -> Vec<(Vec<String>, bool)> {
        let program: Program = read_text("t.c", text, &Options::default());
        assert_eq!(program.diagnostics, []);
        let main = program.function_named("main").expect("there is a main");
        let graph = program.function(main).body.as_ref().expect("it has a body");
        let of = |call: &crate::model::Call| match &call.callee {
            Callee::Pointer { targets, complete, .. } => {
                let name = |id: &crate::model::FunctionId| program.function(*id).name.clone();
                Some((targets.iter().map(name).collect(), *complete))
            }
            Callee::Function(_) => None,
        };
        graph.calls().filter_map(|(_, call)| of(call)).collect()
    }

    #[test]
    fn a_global_pointer_has_the_functions_that_were_assigned() {
        let found = targets(
            "int zip(int a) { return a; } int unzip(int a) { return -a; } int list(int a) { return 0; }
             int (*work)(int) = zip;
             void choose(int d) { if (d) work = unzip; }
             int main(void) { choose(1); return (*work)(1) + list(2); }",
        );
        assert_eq!(found, [(vec!["zip".to_owned(), "unzip".to_owned()], true)]);
    }

    #[test]
    fn tables_structs_parameters_and_results_are_followed() {
        let found = targets(
            "typedef int (*op)(int); int a(int x) { return x; } int b(int x) { return x; }
             int c(int x) { return x; } int d(int x) { return x; }
             struct s { int k; op f; }; static const struct s table[] = { {1, a}, {2, b} };
             op pick(op x, op *y) { *y = d; return x; }
             int main(void) { op o; op p = pick(c, &o);
               int r = table[1].f(1); r += p(2); r += o(3); return r; }",
        );
        let names = |list: &[&str]| list.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            found,
            [(names(&["a", "b"]), true), (names(&["c"]), true), (names(&["d"]), true)]
        );
    }

    #[test]
    fn pointers_from_unknown_code_are_incomplete() {
        let found = targets(
            "typedef int (*op)(int); op unknown(void); int f(int x) { return x; }
             void keep(op *);
             int main(void) { op o = unknown(); op p = f; keep(&p); op q = f;
               return o(1) + p(2) + q(3); }",
        );
        let f = vec!["f".to_owned()];
        // `unknown` may return what `keep` was given.
        assert_eq!(found, [(f.clone(), false), (f.clone(), false), (f, true)]);
    }

    #[test]
    fn pointers_survive_copies_of_memory_and_the_heap() {
        let found = targets(
            "#include <stdlib.h>\n#include <string.h>\n
             typedef int (*op)(int); struct s { op f; }; int f(int x) { return x; }
             int main(void) { struct s a = { f }; struct s *b = malloc(sizeof *b);
               memcpy(b, &a, sizeof a); return b->f(1); }",
        );
        assert_eq!(found, [(vec!["f".to_owned()], true)]);
    }
}
