//! Random small programs in C, with loops, calls, pointers, structs and arrays.

use std::fmt::Write;

use rand::{RngExt, SeedableRng};

/// The generator.
pub type Rng = rand_chacha::ChaCha8Rng;

struct Writer {
    random: Rng,
    text: String,
    loops: u32,
}

/// A program that ends, reads inputs, and has assertions that may fail.
pub fn random_program(seed: u64) -> String {
    let mut writer = Writer { random: Rng::seed_from_u64(seed), text: String::new(), loops: 0 };
    writer.program();
    writer.text
}

impl Writer {
    fn pick(&mut self, of: &[&str]) -> String {
        let k = self.random.random_range(0..of.len());
        of[k].to_owned()
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(depth));
    }

    fn program(&mut self) {
        self.text += "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
            void reach_error(void) {}\n\
            void check(int c) { if (!c) reach_error(); }\n\
            struct pair { int first; unsigned char second; int rest[3]; };\n\
            int g = 2; unsigned int h; static struct pair s; int table[4] = {1, 2};\n\
            void set(int *p, int v) { *p = v; }\n\
            int twice(int v) { g = g + 1; return v + v; }\n\
            int down(int n) { if (n <= 0) return 0; return 1 + down(n - 1); }\n\
            int main(void) {\n  int a = 0, b = 1, c; unsigned int u = 3; unsigned char k = 1; int *p = &a;\n  \
            struct pair q; q.first = 1; c = b;\n";
        let count = self.random.random_range(3..9);
        for _ in 0..count {
            self.statement(1, 2);
        }
        self.text += "  return 0;\n}\n";
    }

    fn variable(&mut self) -> String {
        self.pick(&[
            "a",
            "b",
            "c",
            "g",
            "h",
            "u",
            "k",
            "s.first",
            "s.second",
            "q.first",
            "table[1]",
            "s.rest[2]",
            "*p",
        ])
    }

    fn value(&mut self, depth: u32) -> String {
        let choice = self.random.random_range(0..if depth == 0 { 3 } else { 9 });
        match choice {
            0 => self.random.random_range(-3..12).to_string(),
            1 | 2 => self.variable(),
            3 => self.pick(&[
                "__VERIFIER_nondet_int()",
                "__VERIFIER_nondet_uchar()",
                "table[k & 3]",
                "(long)u - 4",
            ]),
            4 => format!("(unsigned char)({})", self.value(depth - 1)),
            _ => {
                let operator =
                    self.pick(&["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "=="]);
                let right = match operator.as_str() {
                    "<<" | ">>" => "2".to_owned(),
                    "/" | "%" => self.pick(&["3", "7", "-2"]),
                    _ => self.value(depth - 1),
                };
                format!("({} {operator} {right})", self.value(depth - 1))
            }
        }
    }

    fn condition(&mut self) -> String {
        let operator = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let (a, b) = (self.variable(), self.value(1));
        match self.random.random_range(0..5) {
            0 => format!("{a} {operator} {b} && {} > 0", self.variable()),
            1 => format!("!({a} {operator} {b})"),
            _ => format!("{a} {operator} {b}"),
        }
    }

    fn statement(&mut self, indent: usize, depth: u32) {
        let choice = self.random.random_range(0..if depth == 0 { 6 } else { 10 });
        match choice {
            0..=2 => {
                let (target, value) = (self.variable(), self.value(2));
                self.line(indent, &format!("{target} = {value};"));
            }
            3 => {
                let name = self.pick(&["a", "b", "g", "s.first", "q.first", "table[2]"]);
                let value = self.value(1);
                let call = match self.random.random_range(0..5) {
                    0 => format!("set(&{name}, {value});"),
                    1 => format!("{name} = twice({value});"),
                    2 => format!("{name} = down({value} & 7);"),
                    3 => format!("p = &{name};"),
                    _ => "q = s;".to_owned(),
                };
                self.line(indent, &call);
            }
            4 | 5 => {
                let condition = self.condition();
                self.line(indent, &format!("check({condition});"));
            }
            6 | 7 => {
                let condition = self.condition();
                self.line(indent, &format!("if ({condition}) {{"));
                self.statement(indent + 1, depth - 1);
                self.line(indent, "} else {");
                self.statement(indent + 1, depth - 1);
                self.line(indent, "}");
            }
            _ => {
                self.loops += 1;
                let (name, bound) = (format!("i{}", self.loops), self.random.random_range(1..7));
                let step = self.pick(&["++", " += 2", "++"]);
                self.line(
                    indent,
                    &format!("for (int {name} = 0; {name} < {bound}; {name}{step}) {{"),
                );
                self.statement(indent + 1, depth - 1);
                self.statement(indent + 1, depth - 1);
                self.line(indent + 1, &format!("check({name} < {bound});"));
                self.line(indent, "}");
            }
        }
    }
}
