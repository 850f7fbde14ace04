//! Property: whatever the pages of a file are, each variant has them all, in their order, and each means
//! there what it means alone.

use inverter::solve::ChoiceSource;
use proptest::prelude::*;
use tiff_harness::container::{Profile, Tag, Values};
use tiff_harness::{Page, Seed, VariantError};

use crate::support::document;
use crate::support::plain;
use document::document;
use plain::Plain;

/// A page: its sides, its samples, and whether it is a reduced version of another one.
#[derive(Debug, Clone)]
struct Drawn {
    width: u16,
    height: u16,
    bits: u16,
    /// PhotometricInterpretation; 5 stands for CMYK, which has no exact colors.
    photometric: u16,
    rows_per_strip: u16,
    from: u8,
    reduced: bool,
}

impl Drawn {
    fn samples(&self) -> u16 {
        match self.photometric {
            5 => 4,
            2 => 3,
            _ => 1,
        }
    }

    /// Returns a file of this page alone.
    fn file(&self) -> Vec<u8> {
        let bits = usize::from(self.width) * usize::from(self.samples()) * usize::from(self.bits);
        let row = bits.div_ceil(8);
        let strip = |top: u16| {
            let rows = self.rows_per_strip.min(self.height - top);
            let len = row * usize::from(rows);
            (0..len)
                .map(|k| (k * 57 + usize::from(top) * 13 + usize::from(self.from)) as u8)
                .collect()
        };
        let tops = (0..self.height).step_by(self.rows_per_strip.into());
        let sides = [
            (Tag::IMAGE_WIDTH, self.width.into()),
            (Tag::IMAGE_LENGTH, self.height.into()),
            (Tag::SAMPLES_PER_PIXEL, self.samples().into()),
            (Tag::ROWS_PER_STRIP, self.rows_per_strip.into()),
        ];
        Plain::new(&sides, tops.map(strip).collect())
            .with(Tag::BITS_PER_SAMPLE, Values::shorts(&vec![self.bits; self.samples().into()]))
            .with(Tag::PHOTOMETRIC_INTERPRETATION, Values::shorts(&[self.photometric]))
            .bytes()
    }
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let kinds = prop_oneof![
        (Just(1u16), prop_oneof![Just(0u16), Just(1)]),
        (prop_oneof![Just(8u16), Just(16)], prop_oneof![Just(0u16), Just(1), Just(2), Just(5)]),
    ];
    (kinds, 1u16..12, 1u16..9, 1u16..5, any::<u8>(), any::<bool>()).prop_map(
        |((bits, photometric), width, height, rows, from, reduced)| Drawn {
            width,
            height,
            bits,
            photometric,
            rows_per_strip: rows.min(height),
            from,
            reduced,
        },
    )
}

/// Returns the canonical value of each page in one line, and NewSubfileType.
fn values(seed: &Seed) -> Vec<(String, u64)> {
    let first = seed.value().unwrap_or_else(|| {
        let picture = seed.picture();
        format!("{}x{} {}", picture.width(), picture.height(), picture.digest())
    });
    let others =
        seed.pages().iter().map(|page: &Page| (page.summary(), page.file().subfile_type()));
    std::iter::once((first, seed.file().subfile_type())).chain(others).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn variants_have_the_pages_of_their_seed(
        pages in prop::collection::vec(drawn(), 1..7),
        from in 0u64..1000,
        wide: bool,
    ) {
        let files: Vec<Vec<u8>> = pages.iter().map(Drawn::file).collect();
        let reduced = [(Tag::NEW_SUBFILE_TYPE, Values::longs(&[1]))];
        // The first page of a document is no reduced version of another.
        let more: Vec<&[(Tag, Values)]> = (0..pages.len())
            .map(|k| if k > 0 && pages[k].reduced { &reduced[..] } else { &[] })
            .collect();
        let seed = Seed::open(document(&files, &more)).unwrap();
        let profile = if wide { Profile::Wide } else { Profile::Strict };
        let seed = seed.with_profile(profile);
        let own = values(&seed);
        let alone: Vec<String> = files
            .into_iter()
            .map(|file| values(&Seed::open(file).unwrap()).remove(0).0)
            .collect();
        prop_assert_eq!(own.iter().map(|page| page.0.clone()).collect::<Vec<_>>(), alone);
        for index in from..from + 3 {
            let made = match seed.variant(ChoiceSource::seeded(7, index)) {
                Ok(made) => made,
                Err(VariantError::Impossible(_)) => continue,
                Err(internal) => return Err(TestCaseError::fail(internal.to_string())),
            };
            let twin = Seed::open(made.bytes.clone()).unwrap();
            prop_assert_eq!(twin.pages_left_out(), None);
            prop_assert_eq!(&values(&twin)[..own.len()], &own[..], "variant {}", index);
            let further = made.choices.get("further pages").map(ToString::to_string);
            let added = match further.as_deref() {
                None | Some("none") => 0,
                Some(name) if name.contains("two") || name.contains("and") => 2,
                Some(_) => 1,
            };
            prop_assert_eq!(values(&twin).len(), own.len() + added);
            let again = seed.variant(ChoiceSource::replaying(made.choices)).unwrap();
            prop_assert!(again.bytes == made.bytes, "variant {} is another when replayed", index);
        }
    }
}
