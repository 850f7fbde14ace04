//! A crate that compiles a spec of its own: `build.rs` compiles it, this file includes the result, and
//! the inverse uses it from then on.
//!
//! Compiled code only moves data: the same choices give the same representation, byte for byte, and the
//! same errors have the same messages.

use inverter::check;
use inverter::program::SpecError;
use inverter::run::Executable;

mod surface {
    include!(concat!(env!("OUT_DIR"), "/surface.rs"));
}

/// The spec with its inverse, compiled.
///
/// # Errors
///
/// If the spec is no longer the one that was compiled.
pub fn surface() -> Result<Executable, SpecError> {
    check::load("surface.rs", include_str!("../specs/surface.rs"))?
        .with_compiled(&surface::COMPILED)
}

#[cfg(test)]
mod tests {
    use super::surface;
    use inverter::check;
    use inverter::run::compiled::Budget;
    use inverter::run::{
        Array, FieldValue, Limits, Record, invert_value, normalize, normalize_with,
    };
    use inverter::solve::ChoiceSource;

    #[test]
    fn compiled_is_as_interpreted() {
        let inverse = surface().unwrap();
        let picture =
            Array { lengths: vec![2, 3], cells: inverter::run::Cells::U8((1..7).collect()) };
        let y = Record {
            fields: vec![FieldValue::Scalar(3), FieldValue::Scalar(2), FieldValue::Array(picture)],
        };
        for k in 0..20 {
            let limits = Limits::default();
            let x = invert_value(&inverse, &y, &mut ChoiceSource::seeded(1, k), &limits).unwrap();
            let plain = check::load("surface.rs", inverse.program.source.text()).unwrap();
            let twin = invert_value(&plain, &y, &mut ChoiceSource::seeded(1, k), &limits).unwrap();
            assert_eq!(x, twin);
            assert_eq!(normalize_with(&inverse, &x).unwrap(), y);
            assert_eq!(normalize(&inverse.program, &x).unwrap(), y);
            // The compiled program ran.
            assert_eq!(
                super::surface::COMPILED.normalize.unwrap()(&x, None, Budget::for_value(&x)),
                Ok(y.clone())
            );
        }
    }

    #[test]
    fn another_text_is_refused() {
        let spec = include_str!("../specs/surface.rs").replace("i * x.pitch", "i * (x.pitch + 1)");
        let other = check::load("surface.rs", &spec).unwrap();
        let why = other.with_compiled(&super::surface::COMPILED).unwrap_err().to_string();
        assert!(why.contains("another text"), "{why}");
    }
}
