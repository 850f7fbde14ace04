//! Any bytes must be read, or refused in one line. A file that is read must have variants, or report why not.

#![no_main]

use inverter::solve::ChoiceSource;
use libfuzzer_sys::{Corpus, fuzz_target};
use tiff_harness::{ImageFile, Seed, VariantError};

/// Larger pictures take longer, and run no other code.
const MOST_PIXELS: u64 = 1 << 12;

/// The specs are proved and inverted once, when they are first used.
fn warm_up() {
    let plain = include_bytes!("../../../corpus/seeds/tiny.tif");
    Seed::open(plain.to_vec()).unwrap();
}

fuzz_target!(init: warm_up(), |bytes: &[u8]| -> Corpus {
    match ImageFile::read(bytes) {
        Ok(image) if u64::from(image.width) * u64::from(image.height) > MOST_PIXELS => {
            return Corpus::Reject;
        }
        Ok(_) => {}
        Err(e) => {
            assert!(!e.to_string().contains('\n'), "{e}");
            return Corpus::Keep;
        }
    }
    let Ok(seed) = Seed::open(bytes.to_vec()) else {
        return Corpus::Keep;
    };
    for index in 0..2 {
        match seed.variant(ChoiceSource::seeded(1, index)) {
            Ok(_) | Err(VariantError::Impossible(_)) => {}
            Err(internal) => panic!("variant {index}: {internal}"),
        }
    }
    Corpus::Keep
});
