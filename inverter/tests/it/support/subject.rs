//! A program that runs on its record, or on the bytes of a file, and its draws.

use inverter::check::load;
use inverter::pipeline::{Pipeline, from_text};
use inverter::primitive::Primitives;
use inverter::program::{Program, SpecText};
use inverter::run::{Executable, Limits, Record, from_json, invert_value, normalize, to_json};
use inverter::solve::ChoiceSource;
use serde_json::Value;

/// A program that is drawn from.
pub enum Subject {
    /// It takes its record.
    Record(Box<Executable>),
    /// It takes the bytes of a file.
    File(Box<Pipeline>),
}

impl Subject {
    /// Reads a spec.
    pub fn of(name: &str, text: &str) -> Result<Subject, String> {
        let inverse = load(name, text).map_err(|e| e.to_string())?;
        if inverse.program.views.is_empty() {
            return Ok(Subject::Record(Box::new(inverse)));
        }
        let pipeline = from_text(&SpecText::alone(name, text), &Primitives::shipped());
        Ok(Subject::File(Box::new(pipeline.map_err(|e| e.to_string())?)))
    }

    /// Its inverse.
    pub fn inverse(&self) -> &Executable {
        match self {
            Subject::Record(inverse) => inverse,
            Subject::File(pipeline) => pipeline.stages()[0].inverse(),
        }
    }

    /// Its program.
    pub fn program(&self) -> &Program {
        &self.inverse().program
    }

    /// A canonical value.
    pub fn value(&self, json: &Value) -> Record {
        from_json(&self.program().output, json).unwrap_or_else(|e| panic!("{e}"))
    }

    /// The canonical value of a file.
    pub fn value_of(&self, file: &[u8]) -> Record {
        let Subject::File(pipeline) = self else { panic!("it takes no file") };
        pipeline.normalize(&pipeline.open(file.to_vec()).unwrap()).unwrap()
    }

    /// Draws a representation, and reads it back: a file, or a record as JSON. Returns the reason if there is
    /// none.
    pub fn draw(&self, y: &Record, mut source: ChoiceSource) -> Result<Vec<u8>, String> {
        let limits = Limits::default();
        let (drawn, again) = match self {
            Subject::Record(inverse) => {
                let x = invert_value(inverse, y, &mut source, &limits);
                let x = x.map_err(|e| e.to_string())?;
                let json = to_json(&inverse.program.input, &x).to_string();
                let again = normalize(&inverse.program, &x).map_err(|e| e.to_string());
                (json.into_bytes(), again)
            }
            Subject::File(pipeline) => {
                let x = pipeline.invert(y, &mut source, &limits).map_err(|e| e.to_string())?;
                let file = pipeline.file(x).unwrap();
                let again = pipeline.open(file.clone()).and_then(|x| pipeline.normalize(&x));
                (file, again.map_err(|e| e.to_string()))
            }
        };
        assert_eq!(again.as_ref(), Ok(y), "unsound: {drawn:?}");
        Ok(drawn)
    }
}
