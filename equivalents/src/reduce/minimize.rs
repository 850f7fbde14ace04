//! Delta debugging: a 1-minimal set that still fails (ddmin; Zeller and Hildebrandt, 2002).

use std::collections::HashSet;

/// The answer to "does it still fail with just these?".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// The search must stop, as its time is over.
    Stop,
}

/// Returns the subset of `items` that delta debugging leaves. `ask` returns yes for it and, if the
/// second value is true, for none of the sets that lack one more item: the subset is 1-minimal. `ask`
/// is assumed to return yes for all items, and is never called with the empty set.
pub fn minimize<T: Clone>(items: &[T], ask: &mut dyn FnMut(&[T]) -> Answer) -> (Vec<T>, bool) {
    // Sets of indices: no set is tried twice.
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
        for (set, then) in subsets.chain(complements) {
            if set.is_empty() || set.len() == kept.len() || refused.contains(set) {
                continue;
            }
            let chosen: Vec<T> = set.iter().map(|k| items[*k].clone()).collect();
            match ask(&chosen) {
                Answer::Yes => {
                    kept = set.clone();
                    parts = then.max(2);
                    continue 'smaller;
                }
                Answer::No => {
                    refused.insert(set.clone());
                }
                Answer::Stop => return (kept.iter().map(|k| items[*k].clone()).collect(), false),
            }
        }
        if chunk == 1 {
            break;
        }
        parts = (2 * parts).min(kept.len());
    }
    (kept.iter().map(|k| items[*k].clone()).collect(), true)
}

#[cfg(test)]
mod tests {
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
        // Not monotone: two ways to show it, one of which a third item hides.
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
    fn out_of_time_returns_the_best_set_so_far() {
        let (kept, minimal) = minimize(&[1, 2, 3], &mut |_| Answer::Stop);
        assert_eq!((kept, minimal), (vec![1, 2, 3], false));
    }
}
