//! Parallel searches with the same result as a sequential search.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The stack of a thread: specs may be deeply nested.
const STACK: usize = 256 << 20;

/// Returns the first of `questions` to which `ask` has an answer, by its position, with the answer: the same result as
/// if they were tried in order. Later questions may be tried in vain meanwhile, so `ask` must depend only on its
/// question. In particular it must not use Z3, whose answers up to a limit differ while other threads use it as well.
pub(super) fn first<Q: Sync, R: Send>(
    questions: &[Q],
    ask: impl Fn(&Q) -> Option<R> + Sync,
) -> Option<(usize, R)> {
    let next = AtomicUsize::new(0);
    let best: Mutex<Option<(usize, R)>> = Mutex::new(None);
    let found = || best.lock().unwrap_or_else(PoisonError::into_inner);
    let work = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(question) = questions.get(k) else { return };
            // Questions are taken in order, so all that follow are later than the best one as well.
            if found().as_ref().is_some_and(|(best, _)| *best < k) {
                return;
            }
            if let Some(answer) = ask(question) {
                let mut found = found();
                if found.as_ref().is_none_or(|(best, _)| k < *best) {
                    *found = Some((k, answer));
                }
            }
        }
    };
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        for _ in 1..processors.min(questions.len()) {
            // Without another thread, this one does all the work.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
        work();
    });
    best.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::first;

    #[test]
    fn the_first_answer_counts_even_if_a_later_one_is_quicker() {
        let questions: Vec<u64> = (0..20).collect();
        let slow_first = |n: &u64| {
            std::thread::sleep(Duration::from_millis(if *n == 3 { 30 } else { 0 }));
            (*n >= 3).then_some(n * n)
        };
        assert_eq!(first(&questions, slow_first), Some((3, 9)));
        assert_eq!(first(&questions, |n| (*n > 40).then_some(())), None);
        assert_eq!(first(&[], |n: &u64| Some(*n)), None);
    }
}
