//! Random normalization programs, as text: well typed, and with every output location
//! assigned once by construction. An output array's index space is *covered* by loops: each
//! way to cover it (whole, reversed, in halves, even and odd, in chunks, ..) reaches every
//! index once.

mod arrays;
mod covers;
mod expressions;
mod pieces;
mod structures;
mod text;

use super::dice::Dice;

/// One dimension of what a piece covers.
#[derive(Clone)]
struct Dim {
    /// Its form as a record's length: bare names.
    length: String,
    /// Its form as an expression of the function.
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
    /// True if something else uses its elements as positions.
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
    /// The number of elements that may still be covered.
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
