//! The order of two dimensions, one of which follows from the other, as shown by the variants of a run.
//!
//! A number of bytes follows from a number of bits, and a checksum from the data over which it is computed. A reader
//! fails because of the dimension from which others follow.

use std::collections::HashMap;
use std::sync::Arc;

use inverter::solve::Choice;

use crate::records::VariantInfo;

/// The number of variants that must repeat a value before another value that always accompanies it counts as a function
/// of it.
const SUPPORT: usize = 3;

/// The variants of a run.
pub struct Dependence<'a>(pub &'a [Arc<VariantInfo>]);

impl Dependence<'_> {
    /// Returns true if `dimension` follows from `other`: it is a function of `other`, but not vice versa. If both or
    /// neither are functions, it follows if it differs from the seed whenever `other` does, and at other times as well.
    pub fn follows(&self, dimension: &str, other: &str) -> bool {
        match (self.is_function(dimension, other), self.is_function(other, dimension)) {
            (true, false) => true,
            (false, true) => false,
            _ => {
                let differs = |info: &VariantInfo, name: &str| info.choices.get(name).is_some();
                let pairs = self.0.iter().map(|v| (differs(v, dimension), differs(v, other)));
                pairs.clone().all(|(this, that)| this || !that)
                    && pairs.clone().any(|(this, that)| this && !that)
            }
        }
    }

    /// Returns true if each value of `other` occurs with one value of `dimension`, and values were repeated often
    /// enough to be sure.
    fn is_function(&self, dimension: &str, other: &str) -> bool {
        let mut known: HashMap<String, Option<&Choice>> = HashMap::new();
        let mut repeated = 0;
        for info in self.0 {
            let value = info.choices.get(dimension);
            let argument = info.choices.get(other);
            match known.get(&argument.map(Choice::to_string).unwrap_or_default()) {
                Some(before) if *before != value => return false,
                Some(_) => repeated += usize::from(argument.is_some()),
                None => {
                    known.insert(argument.map(Choice::to_string).unwrap_or_default(), value);
                }
            }
        }
        repeated >= SUPPORT
    }
}

#[cfg(test)]
mod tests {
    use inverter::solve::Choices;

    use super::*;
    use equivalents::subject::Class;

    fn variants(all: &[&[(&str, i128)]]) -> Vec<Arc<VariantInfo>> {
        let variant = |choices: &&[(&str, i128)]| {
            let choices = choices.iter().map(|(name, n)| ((*name).to_owned(), Choice::Int(*n)));
            let choices: Choices = choices.collect();
            Arc::new(VariantInfo { class: Class::Baseline, size: 1, choices, varied: Vec::new() })
        };
        all.iter().map(variant).collect()
    }

    #[test]
    fn a_number_of_bytes_follows_from_bits() {
        // The seed has 16 bits in two bytes.
        let of = |bits: i128| [("bits", bits), ("bytes", (bits + 7) / 8)];
        let (a, b, c) = (of(24), of(20), of(7));
        let all = variants(&[&a, &a, &b, &b, &c, &c, &c, &[("bits", 12)], &[]]);
        let dependence = Dependence(&all);
        assert!(dependence.follows("bytes", "bits"));
        assert!(!dependence.follows("bits", "bytes"));
    }

    #[test]
    fn a_checksum_follows_from_each_of_its_parts() {
        let of = |kind: i128, mode: i128| {
            [("kind", kind), ("mode", mode), ("check", 1000 * kind + mode)]
        };
        let files = [of(2, 5), of(2, 6), of(3, 5), of(3, 7), of(4, 8)];
        let mode = [("mode", 9), ("check", 1009)];
        let kind = [("kind", 7), ("check", 7001)];
        let mut all: Vec<&[(&str, i128)]> = files.iter().map(|f| &f[..]).collect();
        all.extend([&mode[..], &kind[..], &[]]);
        let all = variants(&all);
        let dependence = Dependence(&all);
        for part in ["kind", "mode"] {
            assert!(dependence.follows("check", part), "{part}");
            assert!(!dependence.follows(part, "check"), "{part}");
        }
        assert!(!dependence.follows("kind", "mode") && !dependence.follows("mode", "kind"));
    }
}
