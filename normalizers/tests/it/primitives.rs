//! The reference of the primitives is complete, and its examples are specs.

use inverter::program::parse_with;
use normalizers::{PRIMITIVES, primitives};

/// The text of the first fenced block of this kind after `from`.
fn block<'a>(text: &'a str, kind: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!("```{kind}\n")).unwrap_or_else(|| panic!("{kind}"));
    rest.split_once("\n```").unwrap().0
}

#[test]
fn every_primitive_has_a_section_with_its_arguments_and_an_example() {
    use inverter::program::Signatures;
    let all = primitives();
    let records = block(PRIMITIVES, "text,frame");
    for callee in all.signatures() {
        let name = &callee.name;
        let heading = format!("## `{name}`\n");
        let (_, section) =
            PRIMITIVES.split_once(&heading).unwrap_or_else(|| panic!("{name} has no section"));
        let call = section.trim_start().strip_prefix(&format!("`{name}("));
        let call = call.and_then(|call| call.split_once(")`")).unwrap_or_else(|| panic!("{name}"));
        let count = callee.arity + 1 + usize::from(callee.more);
        assert_eq!(call.0.split(", ").count(), count, "{name}({})", call.0);
        assert_eq!(call.0.ends_with(", .."), callee.more, "{name}({})", call.0);
        let example = block(section, "text,example");
        assert!(example.starts_with(&format!("y.data = {name}(")), "{example}");
        let spec = format!("{records}\nfn normalize(x: &In, y: &mut Out) {{ {example} }}");
        parse_with("example.rs", &spec, &all).unwrap_or_else(|e| panic!("{name}: {e}\n{spec}"));
    }
    let sections = PRIMITIVES.lines().filter(|line| line.starts_with("## ")).count();
    assert_eq!(sections, all.signatures().len(), "sections of no primitive");
}
