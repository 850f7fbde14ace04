//! The chunks that a parser expects, in order: `b"fmt ", b"*", b"data"`.

use inverter::primitive::PrimitiveError;

use super::form::{Form, Name};

/// The number of times that a chunk occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Times {
    /// Exactly once.
    Once,
    /// Once, with content, or not at all.
    Optional,
    /// Several times in a row, which are pieces of one content.
    Pieces,
}

/// A chunk that the walk returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) name: Name,
    pub(super) times: Times,
}

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// The chunk at this position in the list.
    Chunk(usize),
    /// Any number of other chunks.
    Others,
    /// These chunks in any order, with other chunks anywhere among them if `others` is true.
    Shuffled { chunks: Vec<usize>, others: bool },
}

/// The chunks that a walk expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// The chunks that are returned, in this order.
    pub(super) listed: Vec<Listed>,
    /// The order of the chunks in the data.
    pub(super) steps: Vec<Step>,
    /// True if the last chunk need not state its length.
    pub(super) open: bool,
}

/// Returns the bytes of an argument without leading zeros.
fn text(arg: i128) -> Vec<u8> {
    let all = arg.to_be_bytes();
    let zeros = all.iter().take_while(|b| **b == 0).count();
    all[zeros..].to_vec()
}

impl Pattern {
    /// Reads the arguments of a walk.
    pub(super) fn parse(form: Form, args: &[i128]) -> Result<Pattern, PrimitiveError> {
        let mut pattern = Pattern { listed: Vec::new(), steps: Vec::new(), open: false };
        let mut shuffled = false;
        for arg in args {
            let item = text(*arg);
            let (name, times) = match &item[..] {
                b"*" => {
                    pattern.others(shuffled);
                    continue;
                }
                b"shuffled" if !shuffled => {
                    shuffled = true;
                    pattern.steps.push(Step::Shuffled { chunks: Vec::new(), others: false });
                    continue;
                }
                b"ordered" if shuffled => {
                    shuffled = false;
                    continue;
                }
                b"end" if form == Form::Box && !pattern.open => {
                    pattern.open = true;
                    continue;
                }
                [name @ .., b'?'] if name.len() == 4 => (name, Times::Optional),
                [name @ .., b'+'] if name.len() == 4 => (name, Times::Pieces),
                name => (name, Times::Once),
            };
            let shown = item.escape_ascii();
            let Ok(name) = Name::try_from(name) else {
                return Err(format!("`{shown}` is no name of four bytes").into());
            };
            if pattern.find(&name).is_some() {
                return Err(format!("`{shown}` is listed twice").into());
            }
            let place = pattern.listed.len();
            pattern.listed.push(Listed { name, times });
            match pattern.steps.last_mut() {
                Some(Step::Shuffled { chunks, .. }) if shuffled => chunks.push(place),
                _ => pattern.steps.push(Step::Chunk(place)),
            }
        }
        match pattern.listed.is_empty() {
            true => Err("no chunk is listed".into()),
            false => Ok(pattern),
        }
    }

    fn others(&mut self, shuffled: bool) {
        match self.steps.last_mut() {
            Some(Step::Shuffled { others, .. }) if shuffled => *others = true,
            Some(Step::Others) => {}
            _ => self.steps.push(Step::Others),
        }
    }

    /// Returns the position of a name in the list.
    pub(super) fn find(&self, name: &Name) -> Option<usize> {
        self.listed.iter().position(|l| l.name == *name)
    }

    /// Returns true if other chunks may occur.
    pub(super) fn has_others(&self) -> bool {
        self.steps.iter().any(|s| matches!(s, Step::Others | Step::Shuffled { others: true, .. }))
    }

    /// Returns the contents of the listed chunks, in the order of the list.
    ///
    /// # Errors
    ///
    /// Returns an error if the chunks in `rest` do not have this pattern.
    pub(super) fn read(&self, form: Form, rest: &[u8]) -> Result<Vec<Vec<u8>>, PrimitiveError> {
        let (mut rest, mut chunks) = (rest, Vec::new());
        while !rest.is_empty() {
            if form == Form::Box && !self.open && rest.starts_with(&[0; 4]) {
                return Err("a box states no length".into());
            }
            chunks.push(form.next(&mut rest)?);
        }
        let mut reading = Reading { form, pattern: self, rest: &chunks, out: Vec::new() };
        reading.out.resize(self.listed.len(), Vec::new());
        for step in &self.steps {
            match step {
                Step::Chunk(place) => {
                    if !reading.take(*place)? {
                        reading.missing(*place)?;
                    }
                }
                Step::Others => while reading.other() {},
                Step::Shuffled { chunks, others } => reading.shuffled(chunks, *others)?,
            }
        }
        match reading.rest.first() {
            None => Ok(reading.out),
            Some((name, _)) => Err(reading.misplaced(name)),
        }
    }
}

/// A walk in progress.
struct Reading<'a> {
    form: Form,
    pattern: &'a Pattern,
    rest: &'a [(&'a Name, &'a [u8])],
    out: Vec<Vec<u8>>,
}

impl Reading<'_> {
    /// Takes the chunk at this position in the list, if it is next.
    fn take(&mut self, place: usize) -> Result<bool, PrimitiveError> {
        let Listed { name, times } = self.pattern.listed[place];
        let mut taken = false;
        while let [(next, data), rest @ ..] = self.rest
            && **next == name
            && !(taken && times != Times::Pieces)
        {
            if times == Times::Optional && data.is_empty() {
                let shown = name.escape_ascii();
                return Err(format!("{shown} is empty, which counts as absent").into());
            }
            self.out[place].extend_from_slice(data);
            (taken, self.rest) = (true, rest);
        }
        Ok(taken)
    }

    /// Skips a chunk that is not listed, if one is next.
    fn other(&mut self) -> bool {
        match self.rest {
            [(name, _), rest @ ..]
                if self.pattern.find(name).is_none() && self.form.ignorable(name) =>
            {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn shuffled(&mut self, chunks: &[usize], others: bool) -> Result<(), PrimitiveError> {
        let mut left = chunks.to_vec();
        loop {
            if others && self.other() {
                continue;
            }
            let mut next = None;
            for (k, place) in left.iter().enumerate() {
                if self.take(*place)? {
                    next = Some(k);
                    break;
                }
            }
            match next {
                Some(k) => drop(left.remove(k)),
                None => break,
            }
        }
        left.into_iter().try_for_each(|place| self.missing(place))
    }

    /// The error if a chunk is missing that has to be next.
    fn missing(&self, place: usize) -> Result<(), PrimitiveError> {
        let Listed { name, times } = self.pattern.listed[place];
        if times == Times::Optional {
            return Ok(());
        }
        let shown = name.escape_ascii();
        Err(match self.rest.first() {
            None => format!("{shown} is missing").into(),
            Some((next, _)) => format!("{} stands where {shown} must", next.escape_ascii()).into(),
        })
    }

    /// The error if a chunk is next that must not be.
    fn misplaced(&self, name: &Name) -> PrimitiveError {
        let shown = name.escape_ascii();
        match self.pattern.find(name) {
            Some(_) => format!("{shown} is in the wrong place, or occurs twice").into(),
            None if !self.form.ignorable(name) => {
                format!("{shown} is critical and not listed").into()
            }
            None => format!("{shown} is not listed, and no `*` stands here").into(),
        }
    }
}
