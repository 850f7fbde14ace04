//! The smallest set of choices that still fails: delta debugging, then simpler values.

use inverter::solve::{Choice, Choices};

use super::{Answer, Verdict, minimize, nearest_failing, simpler_list};

/// The maximum number of questions about one value.
const QUESTIONS: usize = 24;

/// Reduces `choices`, for which `ask` is assumed to return yes: first removes as many of them as possible, then
/// replaces the values of the rest by simpler ones, nearer to the baseline `own` of the seed. Returns the last set for
/// which `ask` returned yes.
pub fn least(own: &Choices, choices: &Choices, ask: &mut dyn FnMut(&Choices) -> Answer) -> Choices {
    if choices.is_empty() {
        return Choices::new();
    }
    match ask(&Choices::new()) {
        Answer::Yes => return Choices::new(),
        Answer::No => {}
        Answer::Stop => return choices.clone(),
    }
    let items: Vec<(String, Choice)> =
        choices.iter().map(|(dimension, value)| (dimension.to_owned(), value.clone())).collect();
    let (kept, whole) =
        minimize(&items, &mut |part: &[(String, Choice)]| ask(&part.iter().cloned().collect()));
    let mut least: Choices = kept.iter().cloned().collect();
    let mut stopped = !whole;
    for (dimension, value) in kept {
        if stopped {
            break;
        }
        let mut best = least.clone();
        let mut tried = |value: Choice| {
            if stopped {
                return Verdict::Unknown;
            }
            let mut choices = least.clone();
            choices.set(&dimension, value);
            match ask(&choices) {
                Answer::Yes => {
                    best = choices;
                    Verdict::Fails
                }
                Answer::No => Verdict::Passes,
                Answer::Stop => {
                    stopped = true;
                    Verdict::Unknown
                }
            }
        };
        match (&value, own.get(&dimension)) {
            (Choice::Int(n), Some(Choice::Int(own))) if n != own => {
                nearest_failing(*own, *n, QUESTIONS, &mut |n| tried(Choice::Int(n)));
            }
            (Choice::List(items), own) => simpler_list(items, own, QUESTIONS, &mut tried),
            _ => {}
        }
        least = best;
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(pairs: &[(&str, Choice)]) -> Choices {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    #[test]
    fn fewer_choices_and_then_simpler_values() {
        let own = choices(&[("pitch", 4.into()), ("gap", 0.into()), ("fill", "zeros".into())]);
        let order = Choice::List(vec![3, 1, 0, 2]);
        let all = choices(&[
            ("pitch", 900.into()),
            ("gap", 7.into()),
            ("order", order),
            ("fill", "ones".into()),
        ]);
        let shows = |asked: &Choices| {
            let pitch = matches!(asked.get("pitch"), Some(Choice::Int(n)) if *n >= 257);
            pitch && matches!(asked.get("order"), Some(Choice::List(o)) if o[0] != 0)
        };
        let found = least(&own, &all, &mut |asked| match shows(asked) {
            true => Answer::Yes,
            false => Answer::No,
        });
        let expected = [("pitch", 257.into()), ("order", Choice::List(vec![1, 0, 2, 3]))];
        assert_eq!(found, choices(&expected));
    }

    #[test]
    fn a_failing_seed_needs_no_choice() {
        let all = choices(&[("a", 1.into())]);
        assert!(least(&Choices::new(), &all, &mut |_| Answer::Yes).is_empty());
        assert_eq!(least(&Choices::new(), &all, &mut |_| Answer::Stop), all);
    }
}
