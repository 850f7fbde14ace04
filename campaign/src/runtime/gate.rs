//! A counting semaphore that admits the waiter with the longest work first.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Limits how many threads work at once. Among waiting threads, the one with the longest work goes first (the LPT
/// rule), so that no long work remains at the end while other threads are idle.
pub struct Gate {
    size: usize,
    state: Mutex<State>,
    wake: Condvar,
}

struct State {
    free: usize,
    tickets: u64,
    waiting: BTreeSet<(Reverse<Duration>, u64)>,
}

impl Gate {
    /// A gate that admits `size` threads at once; at least one.
    pub fn new(size: usize) -> Self {
        let size = size.max(1);
        let state = State { free: size, tickets: 0, waiting: BTreeSet::new() };
        Self { size, state: Mutex::new(state), wake: Condvar::new() }
    }

    /// Returns the number of threads that it admits at once.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Waits for its turn and runs `work`, which takes about as long as `cost`. Admitted work must not call this again,
    /// because it might wait for itself.
    pub fn pass<R>(&self, cost: Duration, work: impl FnOnce() -> R) -> R {
        let mut state = self.lock();
        state.tickets += 1;
        let ticket = (Reverse(cost), state.tickets);
        state.waiting.insert(ticket);
        while state.free == 0 || state.waiting.first() != Some(&ticket) {
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting.remove(&ticket);
        state.free -= 1;
        drop(state);
        // There may be room for another thread.
        self.wake.notify_all();
        // The permit is released even if the work panics.
        let _permit = Permit(self);
        work()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Permit<'g>(&'g Gate);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.lock().free += 1;
        self.0.wake.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn no_more_than_so_many_are_inside() {
        let gate = Gate::new(2);
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for k in 0..16 {
                let (gate, inside, most) = (&gate, &inside, &most);
                scope.spawn(move || {
                    gate.pass(Duration::from_millis(k), || {
                        most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                    });
                });
            }
        });
        assert!((1..=2).contains(&most.into_inner()));
        assert_eq!(inside.into_inner(), 0);
    }

    #[test]
    fn a_panic_inside_makes_room() {
        let gate = Gate::new(1);
        let panic = super::super::parallel::guarded(|| {
            gate.pass(Duration::ZERO, || panic!("in the midst"));
        });
        assert!(panic.is_err());
        assert_eq!(gate.pass(Duration::ZERO, || 7), 7);
    }
}
