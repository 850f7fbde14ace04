//! The types of `bmp.fan`, one for each rule.

use fandango::Fandango;

/// BMP files of one picture.
#[allow(dead_code)]
#[derive(Fandango)]
#[fandango(grammar = "bmp.fan", parse = false)]
pub struct Bmp;
