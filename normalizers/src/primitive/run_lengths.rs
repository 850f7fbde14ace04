//! Runs of equal values, each stored as a count and the value.

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;
use rand::RngExt;

use super::policy::{Policy, plainest};

/// `run_lengths(x.a, count, value, big, shortest)`: decodes pairs of a count of `count` bytes and a value of `value`
/// bytes, and repeats each value as often as its count states.
///
/// Counts are big-endian if `big` is 1, little-endian if it is 0. `shortest` is the run length that a stored count of 0
/// represents, and is subtracted from each stored count: 1 if a run of one is stored as 0. If it is 0, counts are
/// stored unchanged, and a count of 0 is refused. Values are copied byte by byte.
///
/// | dimension | value | |
/// |---|---|---|
/// | `runs` | `longest` | as few runs as possible |
/// | | `single` | each value in a separate run |
/// | | `random:N` | runs end at random |
pub struct RunLengths;

const RUNS: &str = "runs";

/// The form of a pair.
#[derive(Clone, Copy)]
struct Form {
    /// The number of bytes of a count, and that of a value.
    count: usize,
    value: usize,
    big: bool,
    shortest: usize,
}

fn form(args: &[i128]) -> Result<Form, Unfit> {
    let [count, value, big, shortest] = *args else {
        return Err(Unfit { argument: None, why: "four arguments".into() });
    };
    let unfit = |argument, why: String| Err(Unfit { argument: Some(argument), why: why.into() });
    if !(1..=4).contains(&count) {
        return unfit(0, format!("counts of {count} bytes; they have 1 to 4"));
    }
    if !(1..=256).contains(&value) {
        return unfit(1, format!("values of {value} bytes; they have 1 to 256"));
    }
    if !(0..=1).contains(&big) {
        return unfit(2, format!("the byte order {big}; it is 0 or 1"));
    }
    if !(0..=1).contains(&shortest) {
        return unfit(3, format!("a shortest run of {shortest}; it is 0 or 1"));
    }
    Ok(Form {
        count: count as usize,
        value: value as usize,
        big: big == 1,
        shortest: shortest as usize,
    })
}

impl Form {
    /// The length of the longest run.
    fn longest(self) -> usize {
        (1 << (8 * self.count)) - 1 + self.shortest
    }

    /// The run length that a stored count represents.
    fn run(self, stored: &[u8]) -> usize {
        let add = |n: usize, byte: &u8| n << 8 | usize::from(*byte);
        let n = match self.big {
            true => stored.iter().fold(0, add),
            false => stored.iter().rev().fold(0, add),
        };
        n + self.shortest
    }

    /// Appends a run.
    fn write(self, run: usize, value: &[u8], out: &mut Vec<u8>) {
        let digits = ((run - self.shortest) as u64).to_le_bytes();
        let digits = digits[..self.count].iter();
        match self.big {
            true => out.extend(digits.rev()),
            false => out.extend(digits),
        }
        out.extend(value);
    }

    fn whole(self, data: &[u8]) -> Result<(), PrimitiveError> {
        match data.len().is_multiple_of(self.value) {
            true => Ok(()),
            false => {
                let (found, value) = (data.len(), self.value);
                Err(format!("{found} bytes are no whole number of values of {value}").into())
            }
        }
    }
}

impl Primitive for RunLengths {
    fn signature(&self) -> Signature<'_> {
        Signature::new("run_lengths").arguments(4).dimensions(&[RUNS])
    }

    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let form = form(args).map_err(|unfit| unfit.why)?;
        let mut out = Vec::new();
        for pair in stored.chunks(form.count + form.value) {
            let (count, value) = pair.split_at(form.count.min(pair.len()));
            if value.len() < form.value {
                return Err("the stream ends inside a run".into());
            }
            let run = form.run(count);
            if run == 0 {
                return Err("a run has no values".into());
            }
            if run > most.saturating_sub(out.len()) / form.value {
                return Err(PrimitiveError::of_size());
            }
            (0..run).for_each(|_| out.extend(value));
        }
        Ok(out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, source }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let form = form(args)?;
        form.whole(data)?;
        let runs = Policy::choose(source, RUNS, &["longest", "single"])?;
        let mut rng = runs.rng();
        let mut out = Vec::new();
        let values: Vec<&[u8]> = data.chunks(form.value).collect();
        let mut rest = &values[..];
        while let [value, ..] = rest {
            let alike = rest.iter().take(form.longest()).take_while(|v| *v == value).count();
            let run = match (&mut rng, runs) {
                (Some(rng), _) => match rng.random_ratio(1, 4) {
                    true => rng.random_range(1..=alike),
                    false => alike,
                },
                (None, Policy::Word(1)) => 1,
                (None, _) => alike,
            };
            form.write(run, value, &mut out);
            rest = &rest[run..];
        }
        of_length(out, lengths)
    }

    fn accepts(&self, data: &[u8], args: &[i128]) -> Result<(), Unfit> {
        form(args)?.whole(data).map_err(|why| Unfit { argument: None, why })
    }

    /// Returns choices only for the longest runs.
    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        plainest(self, stored, data, args)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::{encoded, round_trips};
    use inverter::solve::Choice;

    use super::*;

    #[test]
    fn pairs_are_read_in_any_form() {
        for (args, stored, data) in [
            ([1, 1, 0, 0], &[3, 7, 1, 8][..], &[7, 7, 7, 8][..]),
            ([1, 1, 0, 1], &[2, 7, 0, 8], &[7, 7, 7, 8]),
            ([2, 1, 0, 0], &[3, 0, 7], &[7, 7, 7]),
            ([2, 1, 1, 0], &[0, 3, 7], &[7, 7, 7]),
            ([1, 2, 0, 0], &[2, 7, 8], &[7, 8, 7, 8]),
        ] {
            assert_eq!(RunLengths.decode(stored, &args, 9).unwrap(), data);
            assert_eq!(encoded(&RunLengths, &args, data, []).unwrap(), stored);
        }
        for (args, stored, why) in [
            ([1, 1, 0, 0], &[0, 7][..], "a run has no values"),
            ([1, 1, 0, 0], &[3], "the stream ends inside a run"),
            ([4, 1, 0, 1], &[255, 255, 255, 255, 7], "there is more data than fits"),
            ([5, 1, 0, 0], &[], "counts of 5 bytes"),
            ([1, 0, 0, 0], &[], "values of 0 bytes"),
        ] {
            let found = RunLengths.decode(stored, &args, 9).unwrap_err().to_string();
            assert!(found.contains(why), "{found}");
        }
    }

    #[test]
    fn runs_end_where_they_are_full_or_as_chosen() {
        let stored = encoded(&RunLengths, &[1, 1, 0, 0], &[5; 300], []).unwrap();
        assert_eq!(stored, [255, 5, 45, 5]);
        let single = [(RUNS, Choice::from("single"))];
        assert_eq!(
            encoded(&RunLengths, &[1, 1, 0, 1], &[5; 3], single).unwrap(),
            [0, 5, 0, 5, 0, 5]
        );
    }

    #[test]
    fn all_data_round_trips() {
        let args: [&[i128]; 4] = [&[1, 1, 0, 0], &[1, 1, 0, 1], &[2, 1, 1, 0], &[4, 8, 0, 1]];
        round_trips(&RunLengths, &args, 300).unwrap();
    }
}
