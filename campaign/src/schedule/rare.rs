//! Files for a dimension that rarely varies, because it exists, or has an effect, only with some values of others.
//!
//! For instance, an order of strips needs several strips. Such requirements are known only from an example: the
//! smallest judged file in which the dimension varied. Candidates keep more and more of the example, and the first one
//! in which the dimension varies is made. If it is smaller, it becomes the next example, so that examples lose choices
//! that the dimension does not need.

use inverter::solve::{Choices, Vary};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::plan::PlanStep;

/// The share of the other choices of an example that each candidate keeps.
pub const KEPT: [f64; 3] = [0.15, 0.5, 1.0];

/// Returns a step in which `dimension` has its value from the `example`, or varies if `vary` includes it. Dimensions
/// that do not vary have their values from the example with probability `kept`, and otherwise the `plain` ones. If
/// there is no example yet, the dimension varies alone in the first candidate, and with all others in the next.
pub fn step(
    dimension: &str,
    example: Option<&Choices>,
    kept: f64,
    plain: Choices,
    vary: Vary,
    index: u64,
) -> PlanStep {
    let Some(example) = example else {
        let vary = if kept == KEPT[0] { Vary::only([dimension]) } else { Vary::All };
        return PlanStep { overrides: plain, ..PlanStep::plain(index, vary) };
    };
    let mut random = ChaCha8Rng::seed_from_u64(index);
    let mut overrides = plain;
    for (name, value) in example.iter() {
        if name == dimension || random.random_bool(kept) {
            overrides.set(name, value.clone());
        }
    }
    PlanStep { index, vary, overrides, from: None }
}

#[cfg(test)]
mod tests {
    use inverter::solve::Choice;

    use super::*;

    #[test]
    fn candidates_keep_more_and_more_of_the_example() {
        let all = (0..40).map(|n| (format!("d{n}"), Choice::Int(n)));
        let example: Choices = all.collect();
        let of = |kept, index| {
            let vary = Vary::only(["d3"]);
            step("d3", Some(&example), kept, Choices::new(), vary, index).overrides
        };
        let sizes = KEPT.map(|kept| of(kept, 5).len());
        assert!(sizes[0] < 15 && (12..28).contains(&sizes[1]) && sizes[2] == 40, "{sizes:?}");
        assert!((0..20).all(|index| of(0.0, index).get("d3") == Some(&Choice::Int(3))));
        assert_ne!(of(0.5, 1), of(0.5, 2));
    }

    #[test]
    fn it_varies_alone_or_with_all_others_until_there_is_an_example() {
        let vary = KEPT.map(|kept| step("d", None, kept, Choices::new(), Vary::All, 1).vary);
        assert_eq!(vary, [Vary::only(["d"]), Vary::All, Vary::All]);
    }
}
