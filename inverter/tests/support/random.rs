//! Random normalization programs, as text: what a person could write, in the class that
//! inverts, with every output location assigned once.

use std::fmt::Write;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// A program in the making.
struct Maker<'r> {
    rng: &'r mut ChaCha8Rng,
    input: Vec<String>,
    output: Vec<String>,
    body: String,
    next: usize,
    /// Scalar inputs.
    scalars: Vec<String>,
    depth: usize,
}

/// The text of a random program.
pub fn program(rng: &mut ChaCha8Rng) -> String {
    let mut maker = Maker {
        rng,
        input: Vec::new(),
        output: Vec::new(),
        body: String::new(),
        next: 0,
        scalars: Vec::new(),
        depth: 1,
    };
    for _ in 0..maker.rng.random_range(1..=4) {
        maker.piece();
    }
    format!(
        "struct X {{\n{}}}\n\nstruct Y {{\n{}}}\n\nfn normalize(x: &X, y: &mut Y) {{\n{}}}\n",
        maker.input.concat(),
        maker.output.concat(),
        maker.body
    )
}

impl Maker<'_> {
    fn name(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        of.choose(self.rng).copied().unwrap_or_default()
    }

    fn line(&mut self, text: &str) {
        let pad = "    ".repeat(self.depth);
        let _ = writeln!(self.body, "{pad}{text}");
    }

    fn open(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn input_scalar(&mut self) -> String {
        if !self.scalars.is_empty() && self.rng.random_bool(0.4) {
            return self.scalars.choose(self.rng).cloned().unwrap_or_default();
        }
        let name = self.name("a");
        let int = self.pick(&["u8", "u16", "i16", "u32", "i32"]);
        self.input.push(format!("    {name}: {int},\n"));
        self.scalars.push(name.clone());
        name
    }

    fn fresh_scalar(&mut self, int: &str) -> String {
        let name = self.name("b");
        self.input.push(format!("    {name}: {int},\n"));
        name
    }

    /// A scalar that both sides have: a size.
    fn size(&mut self) -> String {
        let name = self.name("n");
        self.input.push(format!("    {name}: u8,\n"));
        self.output.push(format!("    {name}: u8,\n"));
        self.line(&format!("y.{name} = x.{name};"));
        name
    }

    fn piece(&mut self) {
        match self.rng.random_range(0..17) {
            0 | 1 => self.scalar_output(),
            2 => self.conditional(),
            3 => self.assumption(),
            4 => self.copied_array(),
            5 => self.pitched(),
            6 => self.segments(),
            7 => self.interleaved(),
            8 => self.sum_of_arrays(),
            9 => self.permuted_rows(),
            10 => self.two_regions(),
            11 => self.chunks(),
            12 => self.switched(),
            13 => self.alternating(),
            14 => self.flagged(),
            15 => self.nested_conditional(),
            _ => self.shared(),
        }
    }

    fn linear(&mut self) -> String {
        let mut text = String::new();
        for k in 0..self.rng.random_range(1..=3) {
            let name = self.input_scalar();
            let sign = if self.rng.random_bool(0.3) { "-" } else { "+" };
            let times = self.pick(&["", "", "", "2 * ", "3 * "]);
            let sign = if k == 0 && sign == "+" { String::new() } else { format!("{sign} ") };
            let _ = write!(text, "{sign}{times}x.{name} ");
        }
        match self.rng.random_range(0..4) {
            0 => text + "+ 5",
            1 => text + "- 3",
            _ => text.trim_end().to_owned(),
        }
    }

    fn predicate(&mut self) -> String {
        let simple = |m: &mut Self| {
            let (name, cmp) = (m.input_scalar(), m.pick(&["==", "!=", "<", "<=", ">", ">="]));
            match m.rng.random_range(0..4) {
                0 => format!("x.{name} {cmp} x.{}", m.input_scalar()),
                1 => format!("x.{name} + x.{} {cmp} 9", m.input_scalar()),
                2 => format!(
                    "x.{name} % {} == {}",
                    m.rng.random_range(2..5),
                    m.rng.random_range(0..2)
                ),
                _ => format!("x.{name} {cmp} {}", m.rng.random_range(0..12)),
            }
        };
        let first = simple(self);
        match self.rng.random_range(0..4) {
            0 => format!("{first} || {}", simple(self)),
            1 => format!("{first} && {}", simple(self)),
            2 => format!("!({first})"),
            _ => first,
        }
    }

    fn scalar_output(&mut self) {
        let (name, e) = (self.name("y"), self.linear());
        self.output.push(format!("    {name}: i64,\n"));
        self.line(&format!("y.{name} = {e};"));
    }

    fn assumption(&mut self) {
        let p = self.predicate();
        self.line(&format!("assume({p});"));
    }

    fn conditional(&mut self) {
        let name = self.name("y");
        self.output.push(format!("    {name}: i64,\n"));
        let (p, then, els) = (self.predicate(), self.linear(), self.linear());
        self.open(&format!("if {p}"));
        self.line(&format!("y.{name} = {then};"));
        self.depth -= 1;
        self.open("} else");
        self.line(&format!("y.{name} = {els};"));
        self.close();
    }

    fn copied_array(&mut self) {
        let n = self.size();
        let (from, to) = (self.name("d"), self.name("y"));
        self.input.push(format!("    {from}: [u8],\n"));
        self.output.push(format!("    {to}: [i16; {n}],\n"));
        let index = match self.rng.random_range(0..6) {
            0 => "i".to_owned(),
            1 => format!("x.{n} - 1 - i"),
            2 => "2 * i + 1".to_owned(),
            3 => format!("x.{} + i", self.fresh_scalar("u16")),
            4 => format!("i * x.{}", self.fresh_scalar("u16")),
            _ => "3 * i".to_owned(),
        };
        let value = self.pick(&["", " + 1", " - 7"]);
        self.open(&format!("for i in 0..x.{n}"));
        self.line(&format!("y.{to}[i] = x.{from}[{index}]{value};"));
        self.close();
    }

    fn pitched(&mut self) {
        let (h, w, pitch) = (self.size(), self.size(), self.fresh_scalar("u16"));
        let (from, to) = (self.name("d"), self.name("y"));
        self.input.push(format!("    {from}: [u8],\n"));
        self.output.push(format!("    {to}: [[u8; {w}]; {h}],\n"));
        let row = self.pick(&["i", "BOTTOM"]).replace("BOTTOM", &format!("(x.{h} - 1 - i)"));
        self.open(&format!("for i in 0..x.{h}"));
        self.open(&format!("for j in 0..x.{w}"));
        self.line(&format!("y.{to}[i][j] = x.{from}[{row} * x.{pitch} + j];"));
        self.close();
        self.close();
    }

    fn segments(&mut self) {
        let (h, w) = (self.size(), self.size());
        let (at, from, to) = (self.name("p"), self.name("d"), self.name("y"));
        self.input.push(format!("    {at}: [u16; {h}],\n    {from}: [u8],\n"));
        self.output.push(format!("    {to}: [[u8; {w}]; {h}],\n"));
        if self.rng.random_bool(0.3) {
            self.line(&format!("reserve(x.{from}[0..{}]);", self.next % 7));
        }
        self.open(&format!("for i in 0..x.{h}"));
        if self.rng.random_bool(0.4) {
            self.line(&format!("assume(x.{at}[i] % 2 == 0);"));
        }
        self.open(&format!("for j in 0..x.{w}"));
        self.line(&format!("y.{to}[i][j] = x.{from}[x.{at}[i] + j];"));
        self.close();
        self.close();
    }

    fn interleaved(&mut self) {
        let (h, w) = (self.size(), self.size());
        let from = self.name("d");
        self.input.push(format!("    {from}: [u8],\n"));
        let planes: Vec<String> =
            (0..self.rng.random_range(2..=3)).map(|_| self.name("y")).collect();
        for plane in &planes {
            self.output.push(format!("    {plane}: [[u8; {w}]; {h}],\n"));
        }
        self.open(&format!("for i in 0..x.{h}"));
        self.open(&format!("for j in 0..x.{w}"));
        for (k, plane) in planes.iter().enumerate() {
            let n = planes.len();
            self.line(&format!("y.{plane}[i][j] = x.{from}[(i * x.{w} + j) * {n} + {k}];"));
        }
        self.close();
        self.close();
    }

    fn sum_of_arrays(&mut self) {
        let n = self.size();
        let (a, b, to) = (self.name("d"), self.name("d"), self.name("y"));
        self.input.push(format!("    {a}: [u8; {n}],\n    {b}: [u16; {n}],\n"));
        self.output.push(format!("    {to}: [i16; {n}],\n"));
        let op = self.pick(&["+", "-"]);
        self.open(&format!("for i in 0..x.{n}"));
        self.line(&format!("y.{to}[i] = x.{a}[i] {op} x.{b}[i];"));
        self.close();
        if self.rng.random_bool(0.4) {
            let again = self.name("y");
            self.output.push(format!("    {again}: [i16; {n}],\n"));
            self.open(&format!("for i in 0..x.{n}"));
            self.line(&format!("y.{again}[i] = x.{a}[i];"));
            self.close();
        }
    }

    fn permuted_rows(&mut self) {
        let (h, w) = (self.size(), self.size());
        let (order, from, to) = (self.name("p"), self.name("d"), self.name("y"));
        self.input.push(format!("    {order}: [u8; {h}],\n    {from}: [[u8; {w}]; {h}],\n"));
        self.output.push(format!("    {to}: [[u8; {w}]; {h}],\n"));
        self.open(&format!("for i in 0..x.{h}"));
        self.open(&format!("for j in 0..x.{w}"));
        self.line(&format!("y.{to}[i][j] = x.{from}[x.{order}[i]][j];"));
        self.close();
        self.close();
    }

    fn two_regions(&mut self) {
        let (m, n) = (self.size(), self.size());
        let (p, q) = (self.fresh_scalar("u16"), self.fresh_scalar("u16"));
        let from = self.name("d");
        self.input.push(format!("    {from}: [u8],\n"));
        for (n, p) in [(m, p), (n, q)] {
            let to = self.name("y");
            self.output.push(format!("    {to}: [u8; {n}],\n"));
            self.open(&format!("for i in 0..x.{n}"));
            self.line(&format!("y.{to}[i] = x.{from}[x.{p} + i];"));
            self.close();
        }
    }

    fn chunks(&mut self) {
        let (n, per) = (self.size(), self.fresh_scalar("u8"));
        let (at, from, to) = (self.name("p"), self.name("d"), self.name("y"));
        self.input.push(format!("    {at}: [u16; div_ceil({n}, {per})],\n    {from}: [u8],\n"));
        self.output.push(format!("    {to}: [u8; {n}],\n"));
        self.line(&format!("assume(x.{per} >= 1);"));
        self.open(&format!("for s in 0..div_ceil(x.{n}, x.{per})"));
        self.open(&format!("for r in 0..min(x.{per}, x.{n} - s * x.{per})"));
        self.line(&format!("y.{to}[s * x.{per} + r] = x.{from}[x.{at}[s] + r];"));
        self.close();
        self.close();
    }

    fn switched(&mut self) {
        let (n, switch) = (self.size(), self.fresh_scalar("u8"));
        let (from, to) = (self.name("d"), self.name("y"));
        self.input.push(format!("    {from}: [u8; {n}],\n"));
        self.output.push(format!("    {to}: [u8; {n}],\n"));
        self.line(&format!("assume(x.{switch} <= 1);"));
        self.open(&format!("if x.{switch} == 0"));
        self.open(&format!("for i in 0..x.{n}"));
        self.line(&format!("y.{to}[i] = x.{from}[i];"));
        self.close();
        self.depth -= 1;
        self.open("} else");
        self.open(&format!("for i in 0..x.{n}"));
        self.line(&format!("y.{to}[x.{n} - 1 - i] = x.{from}[i];"));
        self.close();
        self.close();
    }

    fn shared(&mut self) {
        let n = self.size();
        let (from, a, b) = (self.name("d"), self.name("y"), self.name("y"));
        self.input.push(format!("    {from}: [u8; {n}],\n"));
        self.output.push(format!("    {a}: [u8; {n}],\n    {b}: [u8; {n}],\n"));
        let index = self.pick(&["i", "BACK"]).replace("BACK", &format!("x.{n} - 1 - i"));
        self.open(&format!("for i in 0..x.{n}"));
        self.line(&format!("y.{a}[i] = x.{from}[i];"));
        self.line(&format!("y.{b}[i] = x.{from}[{index}];"));
        self.close();
    }

    /// The guard depends on the loop variable.
    fn alternating(&mut self) {
        let n = self.size();
        let (a, b, to) = (self.name("d"), self.name("d"), self.name("y"));
        self.input.push(format!("    {a}: [u8],\n    {b}: [u8],\n"));
        self.output.push(format!("    {to}: [u8; {n}],\n"));
        let (p, q) = match self.rng.random_range(0..3) {
            0 => (format!("x.{a}[i]"), format!("x.{b}[i]")),
            1 => (format!("x.{a}[0]"), format!("x.{a}[i]")),
            _ => (format!("x.{a}[i / 2]"), format!("x.{b}[i / 2]")),
        };
        let guard = self.pick(&["i % 2 == 0", "i == 0", "i < 3"]);
        self.open(&format!("for i in 0..x.{n}"));
        self.open(&format!("if {guard}"));
        self.line(&format!("y.{to}[i] = {p};"));
        self.depth -= 1;
        self.open("} else");
        self.line(&format!("y.{to}[i] = {q};"));
        self.close();
        self.close();
    }

    /// The guard is an element of the input.
    fn flagged(&mut self) {
        let n = self.size();
        let (flag, a, b, to) = (self.name("f"), self.name("d"), self.name("d"), self.name("y"));
        self.input.push(format!("    {flag}: [u8; {n}],\n    {a}: [u8],\n    {b}: [i16],\n"));
        self.output.push(format!("    {to}: [i16; {n}],\n"));
        self.open(&format!("for i in 0..x.{n}"));
        self.open(&format!("if x.{flag}[i] == 1"));
        self.line(&format!("y.{to}[i] = x.{a}[i];"));
        self.depth -= 1;
        self.open("} else");
        self.line(&format!("y.{to}[i] = x.{b}[i];"));
        self.close();
        self.close();
    }

    fn nested_conditional(&mut self) {
        let (p, q) = (self.predicate(), self.predicate());
        let names: Vec<String> = (0..2).map(|_| self.name("y")).collect();
        for name in &names {
            self.output.push(format!("    {name}: i64,\n"));
        }
        let values: Vec<String> = (0..6).map(|_| self.linear()).collect();
        let mut k = 0;
        let mut both = |m: &mut Self| {
            for name in &names {
                m.line(&format!("y.{name} = {};", values[k]));
                k += 1;
            }
        };
        self.open(&format!("if {p}"));
        both(self);
        self.depth -= 1;
        self.open(&format!("}} else if {q}"));
        both(self);
        self.depth -= 1;
        self.open("} else");
        both(self);
        self.close();
    }
}
