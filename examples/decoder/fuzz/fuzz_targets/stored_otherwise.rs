//! Files that mean the same as the seed are decoded to the same picture.

#![no_main]

use std::cell::RefCell;
use std::sync::LazyLock;

use equivalents::{Format, Mutator, Reference};
use example_decoder::{Sprite, decode};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

static SPRITES: LazyLock<Format> = LazyLock::new(|| {
    Format::from_text("sprite.rs", include_str!("../../spec/sprite.rs")).expect("the spec is fine")
});

static SEED: LazyLock<Reference<Option<Sprite>>> = LazyLock::new(|| {
    let seed = include_bytes!("../../seeds/seed.spr");
    Reference::new(SPRITES.clone(), seed, decode).expect("the seed is a sprite")
});

thread_local! {
    static MUTATOR: RefCell<Mutator> = RefCell::new(Mutator::new(SPRITES.clone()));
}

fuzz_target!(|data: &[u8]| {
    if let Err(difference) = SEED.check(data, decode) {
        panic!("{difference}");
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    MUTATOR
        .with_borrow_mut(|mutator| mutator.mutate_in_place(data, size, max_size, seed))
        .unwrap_or_else(|| fuzzer_mutate(data, size, max_size))
});
