//! The lines of a program, its names, records and sizes.

use std::fmt::Write;

use super::super::dice::Dice;
use super::{ANY, Dim, Maker};

impl<D: Dice> Maker<'_, D> {
    pub(super) fn name(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    pub(super) fn line(&mut self, text: &str) {
        let pad = "    ".repeat(self.depth);
        let _ = writeln!(self.body, "{pad}{text}");
    }

    pub(super) fn open(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
    }

    /// `} else {`
    pub(super) fn other(&mut self, head: &str) {
        self.depth -= 1;
        self.open(&format!("}} {head}"));
    }

    pub(super) fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    /// A name for `e`, sometimes.
    pub(super) fn named(&mut self, e: String) -> String {
        if !self.dice.chance(10) {
            return e;
        }
        let name = self.name("v");
        self.line(&format!("let {name} = {e};"));
        name
    }

    pub(super) fn declare(&mut self, name: &str, ty: &str, element: bool) {
        let attr = if element { "    #[element(\"one of " } else { "" };
        let attr = if element { format!("{attr}{name}\")]\n") } else { String::new() };
        self.input.push(format!("{attr}    {name}: {ty},\n"));
    }

    // --- scalars ---

    pub(super) fn fresh_scalar(&mut self, int: &str) -> String {
        let name = self.name("b");
        self.declare(&name, int, false);
        self.scalars.push(name.clone());
        format!("x.{name}")
    }

    /// A scalar input that may be anything.
    pub(super) fn scalar(&mut self) -> String {
        if !self.scalars.is_empty() && self.dice.chance(50) {
            return format!("x.{}", self.dice.of(&self.scalars));
        }
        let int = self.dice.of(&ANY);
        self.fresh_scalar(int)
    }

    /// A scalar that both sides have.
    pub(super) fn size(&mut self) -> String {
        if !self.sizes.is_empty() && self.dice.chance(40) {
            return self.dice.of(&self.sizes);
        }
        let name = self.name("n");
        self.declare(&name, "u8", false);
        self.output.push(format!("    {name}: u8,\n"));
        // The function's very first lines: whatever loop this comes up in, it is assigned once.
        self.body.insert_str(0, &format!("    y.{name} = x.{name};\n"));
        self.sizes.push(name.clone());
        name
    }

    pub(super) fn dim(&mut self) -> Dim {
        match self.dice.below(10) {
            0..7 => {
                let n = self.size();
                Dim { count: format!("x.{n}"), length: n }
            }
            7 => {
                let n = self.dice.between(1, 4).to_string();
                Dim { count: n.clone(), length: n }
            }
            8 => {
                let (m, n) = (self.size(), self.size());
                Dim { count: format!("x.{m} * x.{n}"), length: format!("{m} * {n}") }
            }
            _ => {
                let n = self.size();
                Dim { count: format!("(x.{n} + 2)"), length: format!("{n} + 2") }
            }
        }
    }
}
