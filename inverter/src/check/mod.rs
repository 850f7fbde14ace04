//! What can be known of a spec before it is used: that each output element is assigned once,
//! that the inverse is sound, which representations it reaches, how evenly.

pub mod complete;
pub mod coverage;
pub mod explore;

pub use complete::{Completeness, completeness};
pub use coverage::{Coverage, assigned_once};
pub use explore::Bounds;

use rand::{RngExt, SeedableRng};

use crate::program::Program;
use crate::run::{Value, normalize};

/// Up to `count` different small canonical values that have a representation.
pub fn small_values(program: &Program, count: usize, seed: u64) -> Vec<Value> {
    const TRIES: usize = 400;
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut out: Vec<Value> = Vec::new();
    for _ in 0..TRIES {
        let bounds = Bounds { window: 3, runs: 1, steps: 20_000 };
        let x = explore::any_input(program, bounds, &mut |n| rng.random_range(0..n));
        let Some(y) = x.and_then(|x| normalize(program, &x).ok()) else { continue };
        if !out.contains(&y) {
            out.push(y);
        }
        if out.len() == count {
            break;
        }
    }
    out
}
