//! The way in which a sprite is stored must make no difference. Here it does, and the tests find it.

use equivalents::{Format, shrink};
use example_decoder::decode;
use proptest::prelude::*;

const SPEC: &str = include_str!("../../spec/sprite.rs");
const SEED: &[u8] = include_bytes!("../../seeds/seed.spr");

fn sprites() -> Format {
    Format::from_text("sprite.rs", SPEC).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    // In a project this test would fail with the message that is expected here: the single choice that
    // matters, with its least value. 244 bytes before the pixels put them at 256.
    #[test]
    #[should_panic(expected = r#"minimal failing input: file = a file of 262 bytes that differs in {"pixels gap":244}"#)]
    fn it_does_not_matter_how_a_sprite_is_stored(file in sprites().equivalent_to(SEED).unwrap()) {
        prop_assert_eq!(decode(&file), decode(SEED));
    }

    // If the pixels are right behind the header, nothing else matters.
    #[test]
    fn it_does_not_matter_but_for_the_place(
        file in sprites().equivalent_to(SEED).unwrap().keeping(["pixels gap"])
    ) {
        prop_assert_eq!(decode(&file), decode(SEED));
    }
}

/// Finds the fault without `proptest`.
#[test]
fn a_loop_finds_it_as_well() {
    let differs = |file: &[u8]| decode(file) != decode(SEED);
    let found = sprites().equivalents(SEED).unwrap().take(100).find(|file| differs(file)).unwrap();
    let least = shrink(&sprites(), SEED, &found, differs).unwrap().unwrap();
    assert_eq!(format!("{least:?}"), r#"a file of 262 bytes that differs in {"pixels gap":244}"#);
}
