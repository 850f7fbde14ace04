//! Random programs, random canonical values, random choices: whatever the inverse makes
//! normalizes to its value.

mod support;

use inverter::invert::invert;
use inverter::program::parse;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use support::Tally;

fn run(programs: u64, values: u64, draws: u64) {
    let (mut total, mut inverted, mut fruitful) = (Tally::default(), 0, 0);
    for seed in 0..programs {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let text = support::random::program(&mut rng);
        let what = format!("program {seed}:\n{text}");
        let program = parse("random.rs", &text).unwrap_or_else(|e| {
            panic!("{what}\n{:?}", e.each().map(|e| e.to_string()).collect::<Vec<_>>())
        });
        let Ok(inverse) = invert(&program) else { continue };
        inverted += 1;
        let tally = support::draw(&what, &inverse, &mut rng, values, draws);
        total.made += tally.made;
        total.none += tally.none;
        fruitful += u64::from(tally.made > 0);
    }
    println!("{programs} programs, {inverted} inverted, {fruitful} fruitful: {total:?}");
    // The generator is of no use if little comes of it.
    assert!(inverted * 10 >= programs * 9, "only {inverted} of {programs} invert");
    assert!(fruitful * 10 >= inverted * 7, "only {fruitful} of {inverted} give anything");
}

#[test]
fn random_programs_have_sound_inverses() {
    run(200, 3, 3);
}

#[test]
#[ignore = "slow"]
fn two_thousand_random_programs_have_sound_inverses() {
    run(2000, 5, 4);
}
