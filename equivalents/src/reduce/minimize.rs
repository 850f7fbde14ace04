//! Delta debugging: a 1-minimal set that still fails (ddmin; Zeller and Hildebrandt, 2002).

use std::collections::HashSet;

/// The answer to "does it still fail with just these?".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// The search must stop because its time is over.
    Stop,
}

/// Returns the subset of `items` that delta debugging leaves. `ask` returns yes for it. If the second value is true,
/// the subset is 1-minimal: `ask` returns no for each set that lacks one more item. `ask` is assumed to return yes for
/// all items, and is never called with the empty set.
pub fn minimize<T: Clone>(items: &[T], ask: &mut dyn FnMut(&[T]) -> Answer) -> (Vec<T>, bool) {
    minimize_ahead(items, &mut |_| {}, ask)
}

/// The maximum number of sets that [`minimize_ahead`] announces at once.
pub const AHEAD: usize = 8;

/// Like [`minimize`], for questions that are answered faster together. `ahead` is called with sets, at most [`AHEAD`]
/// of them, for which `ask` is called next unless it returns yes for one of them. After two halves it is called with
/// their halves, which come next whatever the answers are.
pub fn minimize_ahead<T: Clone>(
    items: &[T],
    ahead: &mut dyn FnMut(&[Vec<T>]),
    ask: &mut dyn FnMut(&[T]) -> Answer,
) -> (Vec<T>, bool) {
    let chosen = |set: &[usize]| -> Vec<T> { set.iter().map(|k| items[*k].clone()).collect() };
    // The sets contain indices. No set is tried twice.
    let mut refused: HashSet<Vec<usize>> = HashSet::new();
    let mut kept: Vec<usize> = (0..items.len()).collect();
    let mut parts = 2;
    'smaller: while kept.len() > 1 {
        let chunk = kept.len().div_ceil(parts);
        let chunks: Vec<Vec<usize>> = kept.chunks(chunk).map(<[usize]>::to_vec).collect();
        let rest = |c: &Vec<usize>| kept.iter().copied().filter(|k| !c.contains(k)).collect();
        let complements: Vec<Vec<usize>> = chunks.iter().map(rest).collect();
        let subsets = chunks.iter().map(|set| (set, 2));
        let complements = complements.iter().map(|set| (set, chunks.len() - 1));
        let mut open: Vec<(&Vec<usize>, usize)> = Vec::new();
        for (set, then) in subsets.chain(complements) {
            let asked = refused.contains(set) || open.iter().any(|(known, _)| *known == set);
            if !set.is_empty() && set.len() < kept.len() && !asked {
                open.push((set, then));
            }
        }
        for (n, (set, then)) in open.iter().enumerate() {
            if n % AHEAD == 0 {
                let next = &open[n..open.len().min(n + AHEAD)];
                let halves = next.iter().filter(|(set, _)| chunks.len() == 2 && set.len() > 1);
                let quarters = halves.flat_map(|(set, _)| set.chunks(set.len().div_ceil(2)));
                let sets = next.iter().map(|(set, _)| &set[..]).chain(quarters);
                ahead(&sets.map(chosen).collect::<Vec<_>>());
            }
            match ask(&chosen(set)) {
                Answer::Yes => {
                    kept = (*set).clone();
                    parts = (*then).max(2);
                    continue 'smaller;
                }
                Answer::No => {
                    refused.insert((*set).clone());
                }
                Answer::Stop => return (chosen(&kept), false),
            }
        }
        if chunk == 1 {
            break;
        }
        parts = (2 * parts).min(kept.len());
    }
    (chosen(&kept), true)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn planted(needed: &[u32], all: u32) -> (Vec<u32>, usize) {
        let items: Vec<u32> = (0..all).collect();
        let mut asked = 0;
        let (kept, minimal) = minimize(&items, &mut |part| {
            asked += 1;
            assert!(!part.is_empty());
            if needed.iter().all(|n| part.contains(n)) { Answer::Yes } else { Answer::No }
        });
        assert!(minimal);
        (kept, asked)
    }

    #[test]
    fn needed_items_remain() {
        for needed in [&[7][..], &[0, 19], &[3, 4, 18], &[0, 1, 2, 3, 4, 5]] {
            assert_eq!(planted(needed, 20).0, needed);
        }
        assert_eq!(planted(&[0], 1), (vec![0], 0));
        assert!(planted(&[33], 64).1 <= 16, "a single cause is found by halving");
    }

    #[test]
    fn no_remaining_item_can_be_removed() {
        // This is not monotone: there are two ways to show it, and a third item hides one of them.
        let shows =
            |p: &[u32]| (p.contains(&1) && p.contains(&5)) || (p.contains(&2) && p.len() < 4);
        let (kept, minimal) = minimize(&[0, 1, 2, 3, 4, 5, 6], &mut |part| {
            if shows(part) { Answer::Yes } else { Answer::No }
        });
        assert!(minimal && shows(&kept));
        for k in 0..kept.len() {
            let mut fewer = kept.clone();
            fewer.remove(k);
            assert!(fewer.is_empty() || !shows(&fewer));
        }
    }

    #[test]
    fn sets_are_announced_before_they_are_asked_for() {
        let announced: RefCell<Vec<Vec<u32>>> = RefCell::default();
        let items: Vec<u32> = (0..12).collect();
        let mut ask = |part: &[u32]| {
            assert!(announced.borrow().iter().any(|set| set == part), "{part:?}");
            if [2, 3, 9].iter().all(|n| part.contains(n)) { Answer::Yes } else { Answer::No }
        };
        let mut ahead = |sets: &[Vec<u32>]| {
            assert!((1..=AHEAD).contains(&sets.len()));
            if announced.replace(sets.to_vec()).is_empty() {
                let ends = sets.iter().map(|set| (set[0], set[set.len() - 1]));
                let expected = [(0, 5), (6, 11), (0, 2), (3, 5), (6, 8), (9, 11)];
                assert_eq!(ends.collect::<Vec<_>>(), expected);
            }
        };
        let (kept, minimal) = minimize_ahead(&items, &mut ahead, &mut ask);
        assert_eq!((kept, minimal), (vec![2, 3, 9], true));
    }

    #[test]
    fn out_of_time_returns_the_best_set_so_far() {
        let (kept, minimal) = minimize(&[1, 2, 3], &mut |_| Answer::Stop);
        assert_eq!((kept, minimal), (vec![1, 2, 3], false));
    }
}
