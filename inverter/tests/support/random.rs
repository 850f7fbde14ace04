//! Random normalization programs, as text: well typed, and with every output location
//! assigned once by construction. An output array's index space is *covered* by loops: each
//! way to cover it (whole, reversed, in halves, even and odd, in chunks, ..) reaches every
//! index once.

use std::fmt::Write;

use super::dice::Dice;

/// One dimension of what a piece covers.
#[derive(Clone)]
struct Dim {
    /// As a record's length: bare names.
    length: String,
    /// As an expression of the function.
    count: String,
}

/// A place that a cover has reached: the index in each dimension, once all are settled.
#[derive(Clone)]
struct Point {
    dims: Vec<Dim>,
    index: Vec<Option<String>>,
}

impl Point {
    fn settled(&self) -> Vec<(String, Dim)> {
        let pairs = self.index.iter().zip(&self.dims);
        pairs.filter_map(|(i, d)| Some((i.clone()?, d.clone()))).collect()
    }
}

/// An input array.
#[derive(Clone)]
struct Array {
    name: String,
    rank: usize,
    /// Whether something else reads elements of it as places.
    places: bool,
}

/// A program in the making.
struct Maker<'d, D: Dice> {
    dice: &'d mut D,
    input: Vec<String>,
    output: Vec<String>,
    body: String,
    next: usize,
    /// Scalar inputs that may be anything.
    scalars: Vec<String>,
    /// Scalars that both sides have.
    sizes: Vec<String>,
    arrays: Vec<Array>,
    /// Elements read since the innermost loop began.
    read: Vec<String>,
    /// Loop variables in scope, as they can be used in guards.
    vars: Vec<String>,
    depth: usize,
    /// How much more may be covered.
    fuel: usize,
}

/// The text of a random program.
pub fn program<D: Dice>(dice: &mut D) -> String {
    let mut maker = Maker {
        dice,
        input: Vec::new(),
        output: Vec::new(),
        body: String::new(),
        next: 0,
        scalars: Vec::new(),
        sizes: Vec::new(),
        arrays: Vec::new(),
        read: Vec::new(),
        vars: Vec::new(),
        depth: 1,
        fuel: 10,
    };
    for _ in 0..=maker.dice.below(4) {
        maker.piece();
    }
    format!(
        "struct X {{\n{}}}\n\nstruct Y {{\n{}}}\n\nfn normalize(x: &X, y: &mut Y) {{\n{}}}\n",
        maker.input.concat(),
        maker.output.concat(),
        maker.body
    )
}

const UNSIGNED: [&str; 3] = ["u8", "u16", "u32"];
const ANY: [&str; 8] = ["u8", "i16", "i32", "u16", "u32", "i8", "i64", "u64"];

impl<D: Dice> Maker<'_, D> {
    fn name(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    fn line(&mut self, text: &str) {
        let pad = "    ".repeat(self.depth);
        let _ = writeln!(self.body, "{pad}{text}");
    }

    fn open(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
    }

    /// `} else {`
    fn other(&mut self, head: &str) {
        self.depth -= 1;
        self.open(&format!("}} {head}"));
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    /// A name for `e`, sometimes.
    fn named(&mut self, e: String) -> String {
        if !self.dice.chance(10) {
            return e;
        }
        let name = self.name("v");
        self.line(&format!("let {name} = {e};"));
        name
    }

    fn declare(&mut self, name: &str, ty: &str, element: bool) {
        let attr = if element { "    #[element(\"one of " } else { "" };
        let attr = if element { format!("{attr}{name}\")]\n") } else { String::new() };
        self.input.push(format!("{attr}    {name}: {ty},\n"));
    }

    // --- scalars ---

    fn fresh_scalar(&mut self, int: &str) -> String {
        let name = self.name("b");
        self.declare(&name, int, false);
        self.scalars.push(name.clone());
        format!("x.{name}")
    }

    /// A scalar input that may be anything.
    fn scalar(&mut self) -> String {
        if !self.scalars.is_empty() && self.dice.chance(50) {
            return format!("x.{}", self.dice.of(&self.scalars));
        }
        let int = self.dice.of(&ANY);
        self.fresh_scalar(int)
    }

    /// A scalar that both sides have.
    fn size(&mut self) -> String {
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

    fn dim(&mut self) -> Dim {
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

    // --- expressions and predicates ---

    fn linear(&mut self) -> String {
        let mut text = String::new();
        for k in 0..=self.dice.below(3) {
            let name = self.scalar();
            let sign = if self.dice.chance(30) { "-" } else { "+" };
            let times = self.dice.of(&["", "", "", "2 * ", "3 * "]);
            let sign = if k == 0 && sign == "+" { String::new() } else { format!("{sign} ") };
            let _ = write!(text, "{sign}{times}{name} ");
        }
        let text = text.trim_end().to_owned();
        match self.dice.below(8) {
            0 => text + " + 5",
            1 => text + " - 3",
            2 => format!("{} * {}", self.scalar(), self.scalar()),
            3 => format!("{} / {}", self.scalar(), self.dice.between(2, 4)),
            4 => format!("{} % {}", self.scalar(), self.dice.between(2, 4)),
            5 => format!("min({}, {})", self.scalar(), self.dice.between(3, 9)),
            _ => text,
        }
    }

    /// Something that a guard may compare.
    fn subject(&mut self, at: &Point) -> String {
        let settled = at.settled();
        match self.dice.below(if settled.is_empty() { 4 } else { 10 }) {
            0 => self.scalar(),
            1 => format!("x.{}", self.size()),
            2 => format!("{} + {}", self.scalar(), self.scalar()),
            3 if !self.vars.is_empty() => self.dice.of(&self.vars),
            3 => format!("{} * {}", self.scalar(), self.scalar()),
            4..8 => self.dice.of(&settled).0,
            _ => self.element(at),
        }
    }

    fn simple(&mut self, at: &Point) -> String {
        let subject = self.subject(at);
        let cmp = self.dice.of(&["==", "!=", "<", "<=", ">", ">="]);
        match self.dice.below(5) {
            0 => format!("{subject} == 1"),
            1 => format!("{subject} {cmp} {}", self.dice.between(0, 11)),
            2 => {
                let m = self.dice.between(2, 4);
                format!("{subject} % {m} == {}", self.dice.between(0, m - 1))
            }
            3 => {
                let other = self.subject(at);
                format!("{subject} {cmp} {other}")
            }
            _ => format!("{subject} / 2 {cmp} {}", self.dice.between(0, 4)),
        }
    }

    fn predicate(&mut self, at: &Point) -> String {
        let first = self.simple(at);
        let p = match self.dice.below(6) {
            0 => {
                let second = self.simple(at);
                format!("{first} || {second}")
            }
            1 => {
                let second = self.simple(at);
                format!("{first} && {second}")
            }
            2 => format!("!({first})"),
            _ => first,
        };
        self.named(p)
    }

    // --- elements of input arrays ---

    fn array(&mut self, prefix: &str, int: &str, lengths: &[String], places: bool) -> String {
        let name = self.name(prefix);
        let ty = lengths.iter().rev().fold(int.to_owned(), |ty, l| match l.as_str() {
            "" => format!("[{ty}]"),
            l => format!("[{ty}; {l}]"),
        });
        self.declare(&name, &ty, places);
        self.arrays.push(Array { name: name.clone(), rank: lengths.len(), places });
        name
    }

    /// A new element for every point, mostly.
    fn element(&mut self, at: &Point) -> String {
        if !self.read.is_empty() && self.dice.chance(15) {
            return self.dice.of(&self.read);
        }
        let points = at.settled();
        let old: Vec<Array> = self
            .arrays
            .iter()
            .filter(|a| !a.places && (a.rank == 1 || a.rank == points.len()))
            .cloned()
            .collect();
        let element = if !old.is_empty() && self.dice.chance(20) {
            let array = self.dice.of(&old);
            self.again(&array, &points)
        } else {
            self.fresh(&points)
        };
        self.read.push(element.clone());
        element
    }

    /// An element of an array that has been read elsewhere.
    fn again(&mut self, array: &Array, points: &[(String, Dim)]) -> String {
        let mut text = format!("x.{}", array.name);
        for k in 0..array.rank {
            let (i, dim) = match (array.rank == points.len(), points.is_empty()) {
                (true, _) => points[k].clone(),
                (_, true) => ("0".to_owned(), Dim { length: "1".into(), count: "1".into() }),
                _ => self.dice.of(points),
            };
            let index = match self.dice.below(6) {
                0 => i,
                1 => format!("{i} + 1"),
                2 => format!("{} - 1 - ({i})", dim.count),
                3 => format!("({i}) / 2"),
                4 => format!("2 * ({i}) + 1"),
                _ => self.dice.between(0, 3).to_string(),
            };
            let _ = write!(text, "[{index}]");
        }
        text
    }

    /// An element of a new array.
    fn fresh(&mut self, points: &[(String, Dim)]) -> String {
        let int = self.dice.of(&ANY);
        let lengths: Vec<String> = points.iter().map(|p| p.1.length.clone()).collect();
        let index: Vec<String> = points.iter().map(|p| p.0.clone()).collect();
        match self.dice.below(if points.is_empty() { 3 } else { 9 }) {
            // Of just the size, as it is or with a dimension reversed.
            0..3 if !points.is_empty() => {
                let d = self.array("d", int, &lengths, false);
                let back = self.dice.below(2 * points.len() as u64) as usize;
                let each = points.iter().enumerate().map(|(k, (i, dim))| {
                    if back == points.len() + k {
                        format!("[{} - 1 - ({i})]", dim.count)
                    } else {
                        format!("[{i}]")
                    }
                });
                format!("x.{d}{}", each.collect::<String>())
            }
            0..2 => {
                let d = self.array("d", int, &[String::new()], false);
                format!("x.{d}[{}]", self.dice.below(4))
            }
            2 => self.scalar(),
            // Strides.
            3 | 4 => {
                let d = self.array("d", int, &[String::new()], false);
                let e = self.strided(points);
                let e = self.named(e);
                format!("x.{d}[{e}]")
            }
            // Indirect, one to three deep, with the rest as an offset.
            5 | 6 => {
                let d = self.array("d", int, &[String::new()], false);
                let (base, rest) = self.indirect(&points[0]);
                let offset = if points.len() == 1 {
                    match rest {
                        true => String::new(),
                        false => self.dice.of(&["", " + 1"]).to_owned(),
                    }
                } else {
                    format!(" + {}", self.strided(&points[1..]))
                };
                format!("x.{d}[{base}{offset}]")
            }
            // Rows picked through a table.
            7 => {
                let d = self.array("d", int, &lengths, false);
                let (base, _) = self.indirect(&points[0]);
                let rest: String = index[1..].iter().map(|i| format!("[{i}]")).collect();
                format!("x.{d}[{base}]{rest}")
            }
            // Free lengths in some dimensions.
            _ => {
                let free: Vec<String> = lengths
                    .iter()
                    .map(|l| if self.dice.chance(50) { String::new() } else { l.clone() })
                    .collect();
                let d = self.array("d", int, &free, false);
                format!("x.{d}{}", index.iter().map(|i| format!("[{i}]")).collect::<String>())
            }
        }
    }

    /// `x.p[i]`, `x.p[x.q[i]]` or `x.p[x.q[x.r[i]]]`, and whether it is more than one deep.
    fn indirect(&mut self, (i, dim): &(String, Dim)) -> (String, bool) {
        let deep = self.dice.below(8);
        let levels = 1 + usize::from(deep >= 5) + usize::from(deep >= 7);
        let mut index = i.clone();
        for _ in 0..levels {
            let length = if self.dice.chance(20) { String::new() } else { dim.length.clone() };
            let int = self.dice.of(&UNSIGNED);
            let p = self.array("p", int, &[length], true);
            index = format!("x.{p}[{index}]");
        }
        (index, levels > 1)
    }

    /// A linear index that should give every point an element of its own.
    fn strided(&mut self, points: &[(String, Dim)]) -> String {
        let mut text = String::new();
        if self.dice.chance(25) {
            let base = self.fresh_scalar("u16");
            text = format!("{base} + ");
        }
        let k = self.dice.below(3) + 1;
        let times = if k > 1 { format!(" * {k}") } else { String::new() };
        let plus =
            if k > 1 && self.dice.chance(50) { format!(" + {}", k - 1) } else { String::new() };
        // The innermost first, each outer one by the size of what is inside or by a pitch.
        let back = self.dice.below(2 * points.len() as u64) as usize;
        let mut sum: Option<String> = None;
        for (n, (i, dim)) in points.iter().enumerate() {
            let i = if back == points.len() + n {
                format!("({} - 1 - ({i}))", dim.count)
            } else if i.chars().all(char::is_alphanumeric) {
                i.clone()
            } else {
                format!("({i})")
            };
            sum = Some(match sum {
                None => i,
                Some(outer) => {
                    let pitch = match self.dice.below(4) {
                        0 | 1 => dim.count.clone(),
                        2 => self.fresh_scalar("u16"),
                        _ => "9".to_owned(),
                    };
                    format!("({outer}) * {pitch} + {i}")
                }
            });
        }
        let sum = sum.unwrap_or_default();
        if points.len() == 1 && k == 1 && self.dice.chance(25) {
            let pitch = self.fresh_scalar("u16");
            return format!("{text}{sum} * {pitch}");
        }
        if times.is_empty() { text + &sum } else { format!("{text}({sum}){times}{plus}") }
    }

    // --- what is assigned ---

    /// The type of an output and a value for it.
    fn value(&mut self, at: &Point) -> String {
        let value = match self.dice.below(20) {
            0..8 => self.element(at),
            8 => format!("{} + 1", self.element(at)),
            9 => format!("7 - {}", self.element(at)),
            10 => format!("{} + {}", self.element(at), self.element(at)),
            11 => format!("{} - {}", self.element(at), self.element(at)),
            12 => format!("{} * {}", self.dice.between(2, 3), self.element(at)),
            13 => format!("{} / {}", self.element(at), self.dice.between(2, 4)),
            14 => format!("{} % {}", self.element(at), self.dice.between(2, 4)),
            15 => format!("{} + {}", self.scalar(), self.element(at)),
            16 => format!("{} * {}", self.scalar(), self.element(at)),
            17 => format!("min({}, {})", self.element(at), self.dice.between(3, 300)),
            18 => {
                let i = self.dice.of(&at.settled()).0;
                format!("{} + {i}", self.element(at))
            }
            // The first elements of neighbouring pairs.
            _ => {
                let d = self.array("d", "i32", &[String::new()], false);
                let i = self.dice.of(&at.settled()).0;
                let op = self.dice.of(&["-", "+"]);
                format!("x.{d}[{i} + 1] {op} x.{d}[{i}]")
            }
        };
        self.named(value)
    }

    /// Assigns each of `outputs` at this point, once.
    fn leaf(&mut self, outputs: &[String], at: &Point) {
        self.read.clear();
        let index: String = at.settled().iter().map(|(i, _)| format!("[{i}]")).collect();
        if self.dice.chance(12) {
            let p = self.predicate(at);
            self.line(&format!("assume({p});"));
        }
        let targets: Vec<String> = outputs.iter().map(|o| format!("y.{o}{index}")).collect();
        let guards = self.fuel.min(2);
        self.settle(&targets, at, guards);
    }

    /// `targets` get values, under guards or not.
    fn settle(&mut self, targets: &[String], at: &Point, guards: usize) {
        if guards > 0 && self.dice.chance(25) {
            self.fuel = self.fuel.saturating_sub(1);
            let p = self.predicate(at);
            let read = self.read.clone();
            self.open(&format!("if {p}"));
            self.settle(targets, at, guards - 1);
            self.read = read.clone();
            self.other("else");
            self.settle(targets, at, guards - 1);
            self.close();
            self.read = read;
            return;
        }
        for target in targets {
            let value = self.value(at);
            self.line(&format!("{target} = {value};"));
        }
    }

    fn output(&mut self, dims: &[Dim]) -> String {
        let int = self.dice.of(&["i64", "u8", "i32", "u16", "i16", "u32"]);
        let name = self.name("y");
        let ty = dims.iter().rev().fold(int.to_owned(), |ty, d| format!("[{ty}; {}]", d.length));
        self.output.push(format!("    {name}: {ty},\n"));
        name
    }

    /// Reaches every index of the dimensions that are not settled yet, once each.
    fn cover(&mut self, outputs: &[String], rows: &[String], at: &Point) {
        let open: Vec<usize> = (0..at.dims.len()).filter(|d| at.index[*d].is_none()).collect();
        if open.is_empty() {
            return self.leaf(outputs, at);
        }
        // Arrays of fewer dimensions, on the way.
        if open.len() == 1 && !rows.is_empty() {
            let prefix = at.index.len() - 1;
            let index: String =
                at.index[..prefix].iter().flatten().map(|i| format!("[{i}]")).collect();
            let targets: Vec<String> = rows.iter().map(|r| format!("y.{r}{index}")).collect();
            self.read.clear();
            self.settle(&targets, at, 1);
            return self.cover(outputs, &[], at);
        }
        self.fuel = self.fuel.saturating_sub(1);
        // Rows ask for the dimensions in their order.
        let dimension = match rows.is_empty() && self.dice.chance(20) {
            true => self.dice.of(&open),
            false => open[0],
        };
        let dim = at.dims[dimension].clone();
        let n = &dim.count;
        let with = |index: String| {
            let mut at = at.clone();
            at.index[dimension] = Some(index);
            at
        };
        match if self.fuel == 0 { 0 } else { self.dice.below(16) } {
            0..5 => {
                let i = self.begin(n);
                self.cover(outputs, rows, &with(i));
                self.end();
            }
            5 => {
                let i = self.begin(n);
                self.cover(outputs, rows, &with(format!("{n} - 1 - {i}")));
                self.end();
            }
            6 | 7 => {
                let half = match self.dice.below(3) {
                    0 => format!("{n} / 2"),
                    1 => format!("min(2, {n})"),
                    _ => format!("min({}, {n})", self.fresh_scalar("u8")),
                };
                let i = self.begin(&half);
                self.cover(outputs, rows, &with(i));
                self.end();
                let i = self.begin(&format!("{n} - {half}"));
                self.cover(outputs, rows, &with(format!("{half} + {i}")));
                self.end();
            }
            8 => {
                let i = self.begin(&format!("div_ceil({n}, 2)"));
                self.cover(outputs, rows, &with(format!("2 * {i}")));
                self.end();
                let i = self.begin(&format!("{n} / 2"));
                self.cover(outputs, rows, &with(format!("2 * {i} + 1")));
                self.end();
            }
            9..12 => {
                let per = match self.dice.below(3) {
                    0 => "3".to_owned(),
                    _ => self.fresh_scalar("u8"),
                };
                let s = self.begin(&format!("div_ceil({n}, {per})"));
                let r = self.begin(&format!("min({per}, {n} - {s} * {per})"));
                self.cover(outputs, rows, &with(format!("{s} * {per} + {r}")));
                self.end();
                self.end();
            }
            12 => {
                self.open(&format!("if {n} >= 1"));
                self.cover(outputs, rows, &with("0".to_owned()));
                self.close();
                let i = self.begin(&format!("{n} - 1"));
                self.cover(outputs, rows, &with(format!("{i} + 1")));
                self.end();
            }
            13 | 14 => {
                let p = self.predicate(at);
                self.open(&format!("if {p}"));
                self.cover(outputs, rows, at);
                self.other("else");
                self.cover(outputs, rows, at);
                self.close();
            }
            _ => match n.parse::<u8>() {
                Ok(n) => (0..n).for_each(|k| self.cover(outputs, rows, &with(k.to_string()))),
                Err(_) => {
                    let i = self.begin(n);
                    let i = self.named(i);
                    self.cover(outputs, rows, &with(i));
                    self.end();
                }
            },
        }
    }

    fn begin(&mut self, count: &str) -> String {
        let var = self.name("i");
        self.open(&format!("for {var} in 0..{count}"));
        self.vars.push(var.clone());
        self.read.clear();
        var
    }

    fn end(&mut self) {
        self.vars.pop();
        self.read.clear();
        self.close();
    }

    // --- pieces ---

    fn piece(&mut self) {
        match self.dice.below(20) {
            0..8 => self.covered(),
            8 | 9 => self.scalar_outputs(),
            10 => self.assumption(),
            11 => self.reservation(),
            12 => self.pitched(),
            13 => self.segments(),
            14 => self.interleaved(),
            15 => self.permuted_rows(),
            16 => self.two_regions(),
            17 => self.chunks(),
            18 => self.flagged(),
            _ => self.shared(),
        }
    }

    fn covered(&mut self) {
        let rank = [1, 1, 1, 2, 2, 3][self.dice.below(6) as usize];
        let dims: Vec<Dim> = (0..rank).map(|_| self.dim()).collect();
        let outputs: Vec<String> =
            (0..=self.dice.below(3) / 2).map(|_| self.output(&dims)).collect();
        let rows = match rank > 1 && self.dice.chance(25) {
            true => vec![self.output(&dims[..rank - 1])],
            false => Vec::new(),
        };
        let at = Point { index: vec![None; rank], dims };
        self.fuel = 6;
        self.cover(&outputs, &rows, &at);
    }

    fn nowhere() -> Point {
        Point { dims: Vec::new(), index: Vec::new() }
    }

    fn scalar_outputs(&mut self) {
        let names: Vec<String> = (0..=self.dice.below(2)).map(|_| self.output(&[])).collect();
        self.scalar_values(&names, 2);
    }

    fn scalar_values(&mut self, names: &[String], guards: usize) {
        if guards > 0 && self.dice.chance(40) {
            let p = self.predicate(&Self::nowhere());
            self.open(&format!("if {p}"));
            self.scalar_values(names, guards - 1);
            if self.dice.chance(30) {
                let q = self.predicate(&Self::nowhere());
                // A `let` may not stand between the branches.
                if q.starts_with('v') {
                    self.other("else");
                    self.scalar_values(names, guards - 1);
                    return self.close();
                }
                self.other(&format!("else if {q}"));
                self.scalar_values(names, guards - 1);
            }
            self.other("else");
            self.scalar_values(names, guards - 1);
            return self.close();
        }
        for name in names {
            let e = self.linear();
            let e = self.named(e);
            self.line(&format!("y.{name} = {e};"));
        }
    }

    fn assumption(&mut self) {
        let p = self.predicate(&Self::nowhere());
        self.line(&format!("assume({p});"));
    }

    /// Part of an array that something has been read from belongs to somebody else.
    fn reservation(&mut self) {
        let lines: Vec<&Array> = self.arrays.iter().filter(|a| a.rank == 1 && !a.places).collect();
        let free = |a: &&&Array| {
            self.input.iter().any(|f| f.contains(&format!(" {}: [", a.name)) && !f.contains(';'))
        };
        let Some(array) = lines.iter().rfind(free).map(|a| a.name.clone()) else {
            return self.covered();
        };
        match self.dice.below(3) {
            0 => self.line(&format!("reserve(x.{array}[0..{}]);", self.next % 7)),
            1 => {
                let at = self.fresh_scalar("u16");
                self.line(&format!("reserve(x.{array}[{at}..{at} + 4]);"));
            }
            _ => {
                let n = self.size();
                let p = self.array("p", "u16", std::slice::from_ref(&n), true);
                let i = self.begin(&format!("x.{n}"));
                self.line(&format!("reserve(x.{array}[x.{p}[{i}]..x.{p}[{i}] + 2]);"));
                self.end();
            }
        }
    }

    // --- pieces as formats have them ---

    fn pitched(&mut self) {
        let (h, w, pitch) = (self.size(), self.size(), self.fresh_scalar("u16"));
        let d = self.array("d", "u8", &[String::new()], false);
        let to = self.name("y");
        self.output.push(format!("    {to}: [[u8; {w}]; {h}],\n"));
        let i = self.begin(&format!("x.{h}"));
        let j = self.begin(&format!("x.{w}"));
        let row = if self.dice.chance(50) { format!("(x.{h} - 1 - {i})") } else { i.clone() };
        self.line(&format!("y.{to}[{i}][{j}] = x.{d}[{row} * {pitch} + {j}];"));
        self.end();
        self.end();
    }

    fn segments(&mut self) {
        let (h, w) = (self.size(), self.size());
        let at = self.array("p", "u16", std::slice::from_ref(&h), true);
        let d = self.array("d", "u8", &[String::new()], false);
        let to = self.name("y");
        self.output.push(format!("    {to}: [[u8; {w}]; {h}],\n"));
        if self.dice.chance(30) {
            self.line(&format!("reserve(x.{d}[0..{}]);", self.next % 7));
        }
        let i = self.begin(&format!("x.{h}"));
        if self.dice.chance(40) {
            self.line(&format!("assume(x.{at}[{i}] % 2 == 0);"));
        }
        let j = self.begin(&format!("x.{w}"));
        self.line(&format!("y.{to}[{i}][{j}] = x.{d}[x.{at}[{i}] + {j}];"));
        self.end();
        self.end();
    }

    fn interleaved(&mut self) {
        let (h, w) = (self.size(), self.size());
        let d = self.array("d", "u8", &[String::new()], false);
        let planes: Vec<String> = (0..self.dice.between(2, 3)).map(|_| self.name("y")).collect();
        for plane in &planes {
            self.output.push(format!("    {plane}: [[u8; {w}]; {h}],\n"));
        }
        let i = self.begin(&format!("x.{h}"));
        let j = self.begin(&format!("x.{w}"));
        for (k, plane) in planes.iter().enumerate() {
            let n = planes.len();
            self.line(&format!("y.{plane}[{i}][{j}] = x.{d}[({i} * x.{w} + {j}) * {n} + {k}];"));
        }
        self.end();
        self.end();
    }

    fn permuted_rows(&mut self) {
        let (h, w) = (self.size(), self.size());
        let order = self.array("p", "u8", std::slice::from_ref(&h), true);
        let d = self.array("d", "u8", &[h.clone(), w.clone()], false);
        let to = self.name("y");
        self.output.push(format!("    {to}: [[u8; {w}]; {h}],\n"));
        let i = self.begin(&format!("x.{h}"));
        let j = self.begin(&format!("x.{w}"));
        self.line(&format!("y.{to}[{i}][{j}] = x.{d}[x.{order}[{i}]][{j}];"));
        self.end();
        self.end();
    }

    fn two_regions(&mut self) {
        let d = self.array("d", "u8", &[String::new()], false);
        for _ in 0..2 {
            let (n, p) = (self.size(), self.fresh_scalar("u16"));
            let to = self.name("y");
            self.output.push(format!("    {to}: [u8; {n}],\n"));
            let i = self.begin(&format!("x.{n}"));
            self.line(&format!("y.{to}[{i}] = x.{d}[{p} + {i}];"));
            self.end();
        }
    }

    fn chunks(&mut self) {
        let (n, per) = (self.size(), self.fresh_scalar("u8"));
        let bare = per.trim_start_matches("x.").to_owned();
        let at = self.array("p", "u16", &[format!("div_ceil({n}, {bare})")], true);
        let d = self.array("d", "u8", &[String::new()], false);
        let to = self.name("y");
        self.output.push(format!("    {to}: [u8; {n}],\n"));
        if self.dice.chance(50) {
            self.line(&format!("assume({per} >= 1);"));
        }
        let s = self.begin(&format!("div_ceil(x.{n}, {per})"));
        let r = self.begin(&format!("min({per}, x.{n} - {s} * {per})"));
        self.line(&format!("y.{to}[{s} * {per} + {r}] = x.{d}[x.{at}[{s}] + {r}];"));
        self.end();
        self.end();
    }

    /// The guard is an element of the input.
    fn flagged(&mut self) {
        let n = self.size();
        let flag = self.array("f", "u8", std::slice::from_ref(&n), true);
        let a = self.array("d", "u8", &[String::new()], false);
        let b = self.array("d", "i16", &[String::new()], false);
        let to = self.name("y");
        self.output.push(format!("    {to}: [i16; {n}],\n"));
        let i = self.begin(&format!("x.{n}"));
        self.open(&format!("if x.{flag}[{i}] == 1"));
        self.line(&format!("y.{to}[{i}] = x.{a}[{i}];"));
        self.other("else");
        self.line(&format!("y.{to}[{i}] = x.{b}[{i}];"));
        self.close();
        self.end();
    }

    /// One element for two outputs.
    fn shared(&mut self) {
        let n = self.size();
        let d = self.array("d", "u8", std::slice::from_ref(&n), false);
        let (a, b) = (self.name("y"), self.name("y"));
        self.output.push(format!("    {a}: [u8; {n}],\n    {b}: [u8; {n}],\n"));
        let i = self.begin(&format!("x.{n}"));
        let back = if self.dice.chance(50) { format!("x.{n} - 1 - {i}") } else { i.clone() };
        self.line(&format!("y.{a}[{i}] = x.{d}[{i}];"));
        self.line(&format!("y.{b}[{i}] = x.{d}[{back}];"));
        self.end();
    }
}
