//! Tests the property that every primitive must have, on random data or on data of a format.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use rand::{Rng, RngExt};

use super::contract::{EncodeError, Encoding, Primitive};
use crate::solve::{Choice, ChoiceSource, Choices, Fill};

/// Encodes `data` under these choices, to test the values of an encoder.
///
/// # Errors
///
/// As [`Primitive::encode`].
pub fn encoded<'a>(
    primitive: &dyn Primitive,
    args: &[i128],
    data: &[u8],
    choices: impl IntoIterator<Item = (&'a str, Choice)>,
) -> Result<Vec<u8>, EncodeError> {
    let mut given = Choices::new();
    for (dimension, value) in choices {
        given.set(dimension, value);
    }
    let mut source = ChoiceSource::replaying(given);
    primitive.encode(data, Encoding::any_length(args, &mut source))
}

/// Tests a primitive on `cases` random data for each of `args`. Encoded data must decode to the original, in time and
/// within bounds; the same choices must give the same stream, even if only its length is requested; every choice must
/// belong to a declared dimension; a stream's own choices must reproduce it; and damaged streams must be decoded or
/// refused.
///
/// Data without an encoding is skipped; a primitive that encodes hardly any data fails.
///
/// # Errors
///
/// The first counterexample, in one line.
pub fn round_trips(primitive: &dyn Primitive, args: &[&[i128]], cases: u64) -> Result<(), String> {
    for args in args {
        let mut encoded = 0;
        let mut rng = Fill::rng(SEED);
        for case in 0..cases {
            let data = random_data(&mut rng, case);
            encoded += u64::from(tested(primitive, args, &data, case, &mut rng)?.is_some());
        }
        if encoded * 16 < cases {
            return Err(format!("{}{args:?} encodes hardly any data", primitive.name()));
        }
    }
    Ok(())
}

/// Tests `cases` encodings of one `data`, for primitives that do not accept random data. Returns the streams that were
/// made.
///
/// # Errors
///
/// The first counterexample, in one line; this includes data without an encoding.
pub fn encodings(
    primitive: &dyn Primitive,
    args: &[i128],
    data: &[u8],
    cases: u64,
) -> Result<BTreeSet<Vec<u8>>, String> {
    let mut rng = Fill::rng(SEED);
    let none = || format!("{}{args:?} does not encode the data", primitive.name());
    (0..cases).map(|case| tested(primitive, args, data, case, &mut rng)?.ok_or_else(none)).collect()
}

/// The seed of test data and of its damage.
const SEED: u64 = 0x5EED;

/// One round trip, and a damaged stream; the stream, or `None` if the data has no encoding.
fn tested(
    primitive: &dyn Primitive,
    args: &[i128],
    data: &[u8],
    case: u64,
    rng: &mut impl Rng,
) -> Result<Option<Vec<u8>>, String> {
    let failed = |why: String| {
        let shown = &data[..data.len().min(40)];
        let name = primitive.name();
        format!("{name}{args:?}, case {case}, {} bytes {shown:?}: {why}", data.len())
    };
    if !primitive.takes(args.len()) {
        return Err(failed(format!("it takes {} arguments", primitive.arity())));
    }
    let stored = one(primitive, args, data, case).map_err(failed)?;
    let bytes = stored.as_deref().unwrap_or(data);
    damaged(primitive, args, bytes, data.len(), rng).map_err(failed)?;
    Ok(stored)
}

/// One round trip; `None` if the data has no encoding.
fn one(
    primitive: &dyn Primitive,
    args: &[i128],
    data: &[u8],
    case: u64,
) -> Result<Option<Vec<u8>>, String> {
    let free = 0..=usize::MAX;
    let mut source = ChoiceSource::seeded(1, case);
    let stored = match primitive.encode(data, Encoding::any_length(args, &mut source)) {
        Ok(stored) => stored,
        Err(EncodeError::Impossible(_)) => return Ok(None),
        Err(EncodeError::Choice(e)) => return Err(format!("nothing was given, and {e}")),
    };
    if primitive.keeps_length() && stored.len() != data.len() {
        return Err(format!("the stream has {} bytes", stored.len()));
    }
    let choices = source.into_recorded();
    let declared = primitive.dimensions();
    if let Some((name, _)) = choices.iter().find(|(name, _)| !declared.contains(name)) {
        return Err(format!("the dimension `{name}` is not declared"));
    }
    match primitive.decode(&stored, args, data.len()) {
        Ok(back) if back == data => {}
        Ok(back) => return Err(format!("{choices:?} decode to {} other bytes", back.len())),
        Err(why) => return Err(format!("{choices:?} do not decode: {why}")),
    }
    let again = |what: &str, choices: Choices, lengths: RangeInclusive<usize>| {
        let mut source = ChoiceSource::replaying(choices.clone());
        match primitive.encode(data, Encoding { args, lengths: &lengths, source: &mut source }) {
            Ok(twin) if twin == stored && source.unused().is_empty() => Ok(()),
            Ok(twin) if twin == stored => {
                Err(format!("{what}: {:?} mean nothing", source.unused()))
            }
            Ok(_) => Err(format!("{what}: {choices:?} make another stream")),
            Err(e) => Err(format!("{what}: {choices:?}: {e}")),
        }
    };
    again("replayed", choices.clone(), free.clone())?;
    again("replayed at this length", choices, stored.len()..=stored.len())?;
    if let Some(own) = primitive.own_choices(&stored, data, args) {
        again("own choices", own, free)?;
    }
    Ok(Some(stored))
}

/// Damaged streams must give a result that is not too long, or be refused.
fn damaged(
    primitive: &dyn Primitive,
    args: &[i128],
    stored: &[u8],
    most: usize,
    rng: &mut impl Rng,
) -> Result<(), String> {
    let mut bad = stored.to_vec();
    for _ in 0..rng.random_range(1..4) {
        match rng.random_range(0..3) {
            0 if !bad.is_empty() => {
                let at = rng.random_range(0..bad.len());
                bad[at] = rng.random();
            }
            1 => bad.truncate(rng.random_range(0..=bad.len())),
            _ => bad.push(rng.random()),
        }
    }
    // Far more than is useful: the stored and the requested length.
    let bound = most.max(bad.len()) + (1 << 16);
    match primitive.decode(&bad, args, most) {
        Ok(data) if data.len() > bound => {
            Err(format!("{} bytes came of a damaged stream", data.len()))
        }
        Err(why) if why.to_string().contains('\n') => Err(format!("not one line: {why:?}")),
        _ => Ok(()),
    }
}

/// Bytes of one of several kinds (constant, runs, few values, any), with lengths up to a few thousand, most of them
/// small or near a power of two.
fn random_data(rng: &mut impl Rng, case: u64) -> Vec<u8> {
    let length = match case % 4 {
        0 => rng.random_range(0..=16),
        1 => (1usize << rng.random_range(0..=9)) + rng.random_range(0..3) - 1,
        2 => 8 * rng.random_range(0..=40),
        _ => rng.random_range(0..=3000),
    };
    let habit = rng.random_range(0..4);
    let mut data = Vec::with_capacity(length);
    while data.len() < length {
        let byte: u8 = if habit == 1 { rng.random_range(0..2) } else { rng.random() };
        let run = match habit {
            0 => length,
            2 => rng.random_range(1..=300),
            _ => 1,
        };
        data.resize(length.min(data.len() + run), byte);
    }
    data
}
