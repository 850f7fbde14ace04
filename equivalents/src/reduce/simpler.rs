//! The search for a simpler list that still fails.

use inverter::solve::Choice;

use super::lists::{is_order, simpler_orders, single_places};
use super::{Verdict, nearest_failing};

/// Tries lists that are simpler than the failing list `items`, with at most `most` calls of `ask`: for
/// an order, one swap or the reversed order; for another list, a difference from `own` in one element,
/// as small as possible. The last one that fails is the simplest.
pub fn simpler_list(
    items: &[i128],
    own: Option<&Choice>,
    most: usize,
    ask: &mut dyn FnMut(Choice) -> Verdict,
) {
    let mut left = most;
    let mut ask = |list: Vec<i128>| {
        if left == 0 {
            return Verdict::Unknown;
        }
        left -= 1;
        ask(Choice::List(list))
    };
    if is_order(items) {
        let other = |order: &Vec<i128>| own != Some(&Choice::List(order.clone()));
        simpler_orders(items).into_iter().filter(other).any(|order| ask(order) == Verdict::Fails);
        return;
    }
    let base = match own {
        Some(Choice::List(own)) if own.len() == items.len() => own.clone(),
        _ => vec![0; items.len()],
    };
    let singles = single_places(items, &base);
    let alone = singles.len() == 1 && singles[0].1 == items;
    for (k, (place, single)) in singles.into_iter().enumerate() {
        if alone || ask(single.clone()) == Verdict::Fails {
            let asked = if alone { 0 } else { k + 1 };
            // The number of questions that a single integer may use.
            let left = most.saturating_sub(asked + 2);
            nearest_failing(base[place], single[place], left, &mut |n| {
                let mut list = single.clone();
                list[place] = n;
                ask(list)
            });
            return;
        }
    }
}
