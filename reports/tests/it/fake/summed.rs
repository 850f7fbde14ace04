//! A fake subject with a checksum: `check` is 1000 times `kind` plus `mode`. A file is the text `SUMS` and its
//! choices as JSON.

use equivalents::subject::{Subject, Variant, VariantError};
use inverter::solve::{Choice, ChoiceError, ChoiceSource, Choices, IntervalSet, Vary};
use tiff_harness::Picture;

use super::Class;

/// The subject.
pub struct Summed {
    seed: Vec<u8>,
    own: Choices,
    picture: Picture,
    dimensions: Vec<String>,
}

const NAMES: [&str; 3] = ["check", "kind", "mode"];

impl Summed {
    pub fn new() -> Self {
        let own: Choices =
            NAMES.into_iter().zip([1001, 1, 1]).map(|(n, v)| (n.to_owned(), v.into())).collect();
        Self {
            seed: file(&own),
            own,
            picture: Picture::from_8bit(2, 1, 1, &[10, 200]).expect("it fits"),
            dimensions: NAMES.map(str::to_owned).to_vec(),
        }
    }

    fn make(&self, mut source: ChoiceSource) -> Result<Choices, VariantError> {
        let no = |e: ChoiceError| VariantError::Impossible(e.to_string());
        let kind = source.integer("kind", &IntervalSet::range(0, 20), &[]).map_err(no)?;
        let mode = source.integer("mode", &IntervalSet::range(0, 9), &[]).map_err(no)?;
        let check = 1000 * kind + mode;
        source.integer("check", &IntervalSet::range(check, check), &[]).map_err(no)?;
        Ok(source.into_recorded())
    }
}

fn file(choices: &Choices) -> Vec<u8> {
    format!("SUMS{}", serde_json::to_string(choices).expect("choices are JSON")).into_bytes()
}

/// Reads the `kind` of a file.
pub fn kind(file: &[u8]) -> i128 {
    let choices: Choices = serde_json::from_slice(&file[4..]).expect("a fake file");
    match choices.get("kind") {
        Some(Choice::Int(kind)) => *kind,
        _ => panic!("no kind"),
    }
}

impl Subject for Summed {
    fn seed_bytes(&self) -> &[u8] {
        &self.seed
    }
    fn own_choices(&self) -> &Choices {
        &self.own
    }
    fn picture(&self) -> &Picture {
        &self.picture
    }
    fn dimensions(&self) -> &[String] {
        &self.dimensions
    }
    fn variant_from(&self, source: ChoiceSource) -> Result<Variant, VariantError> {
        let choices = self.make(source.with_baseline(self.own.clone()))?;
        let bytes = file(&choices);
        Ok(Variant { bytes, choices, translated: Choices::new(), class: Class::Baseline })
    }
    fn choices_from(&self, source: ChoiceSource) -> Result<Choices, VariantError> {
        self.make(source.with_baseline(self.own.clone()))
    }
    fn toward(
        &self,
        seed: u64,
        index: u64,
        vary: Vary,
        _: &Choices,
    ) -> Result<Variant, VariantError> {
        self.variant(seed, index, vary)
    }
    /// Solves for the parts of a checksum that is given, as an inverse does.
    fn replay(&self, choices: &Choices) -> Result<Variant, VariantError> {
        let mut all = choices.clone();
        if let Some(Choice::Int(check)) = choices.get("check").cloned() {
            all.set("kind", check / 1000);
            all.set("mode", check % 1000);
        }
        self.variant_from(ChoiceSource::replaying(all))
    }
    fn value_class(&self, _: &str, value: &Choice) -> String {
        value.to_string()
    }
}
