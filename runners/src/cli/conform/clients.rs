//! Predictions for a client of libtiff, from its source.

use std::path::Path;

use conformance::client::{self, Effect, Interface, Origin, Prediction, Uses};
use serde::Serialize;

use super::super::{SUCCESS, say, wrapped};
use clients::contract::Contract;
use clients::contract::convention::{Depth, Orientation, Palette, Photometric};
use clients::{Catalogue, Sandbox};

/// The comparison of a prediction with the client's contract, which was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Measured {
    Confirmed,
    Refuted,
}

#[derive(Serialize)]
struct Json<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<&'a str>,
    #[serde(flatten)]
    uses: &'a Uses,
    predictions: Vec<JsonPrediction<'a>>,
}

#[derive(Serialize)]
struct JsonPrediction<'a> {
    dimension: &'a str,
    values: &'a str,
    effect: Effect,
    why: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    libtiff: Option<&'a str>,
    contract: Option<Measured>,
}

/// Predicts, and prints; returns the exit code.
pub fn predict(folder: &Path, name: Option<&str>, json: bool) -> Result<u8, String> {
    let contract = match name {
        None => None,
        Some(name) => {
            let catalogue =
                Catalogue::load_within(&[], Sandbox::off()).map_err(|e| e.to_string())?;
            let entry = catalogue.get(name).map_err(|e| e.to_string())?;
            entry.client().contract().cloned()
        }
    };
    let uses = client::read(folder).map_err(|e| e.to_string())?;
    let predictions = client::predict(&uses);
    let measured: Vec<Option<Measured>> =
        predictions.iter().map(|p| contract.as_ref().and_then(|c| measured(p, c))).collect();
    if json {
        let predictions = predictions.iter().zip(measured).map(|(p, contract)| JsonPrediction {
            dimension: p.dimension,
            values: &p.values,
            effect: p.effect,
            why: &p.why,
            file: p.place.as_ref().map(|place| place.file.as_str()),
            line: p.place.as_ref().map(|place| place.line),
            libtiff: libtiff(p),
            contract,
        });
        let json = Json { client: name, uses: &uses, predictions: predictions.collect() };
        say(serde_json::to_string(&json).unwrap_or_default());
        return Ok(SUCCESS);
    }
    print(&uses, &predictions, &measured);
    Ok(SUCCESS)
}

/// The place in libtiff's source, if the fault is in libtiff.
fn libtiff(prediction: &Prediction) -> Option<&'static str> {
    match prediction.origin {
        Origin::Client => None,
        Origin::Libtiff(source) => Some(source),
    }
}

/// Compares a prediction with the contract; `None` if the contract does not cover it.
fn measured(prediction: &Prediction, contract: &Contract) -> Option<Measured> {
    if libtiff(prediction).is_some() {
        return None;
    }
    let confirmed = match (prediction.dimension, prediction.effect) {
        ("orientation", _) => contract.orientation? != Orientation::Applied,
        ("bits", Effect::BitsLost) => contract.depth? != Depth::Exact,
        ("photometric", _) => contract.photometric? == Photometric::Raw,
        ("palette", _) => contract.palette? == Palette::Indices,
        _ => return None,
    };
    Some(if confirmed { Measured::Confirmed } else { Measured::Refuted })
}

fn print(uses: &Uses, predictions: &[Prediction], measured: &[Option<Measured>]) {
    say("reads pixels by");
    for (interface, places) in &uses.interfaces {
        let name = match interface {
            Interface::Rgba => "the RGBA interface",
            Interface::Scanline => "scanlines",
            Interface::Strip => "strips",
            Interface::Tile => "tiles",
        };
        let at: Vec<String> =
            places.iter().take(3).map(|p| format!("{}:{}", p.file, p.line)).collect();
        let more = if places.len() > 3 { ", ..." } else { "" };
        say(format!("  {name:<20} {}{more}", at.join(", ")));
    }
    let asked: Vec<&str> = uses.asked.keys().map(String::as_str).collect();
    say("asks for");
    for line in wrapped(&asked.join(", "), 96) {
        say(format!("  {line}"));
    }
    say(if predictions.is_empty() { "predicts nothing" } else { "predictions" });
    for (prediction, measured) in predictions.iter().zip(measured) {
        let Prediction { dimension, values, effect, why, place, .. } = prediction;
        let at = place.as_ref().map(|p| format!(" ({}:{})", p.file, p.line)).unwrap_or_default();
        let inside = libtiff(prediction).map(|source| format!(", {} {source}", client::LIBTIFF));
        let at = at + &inside.unwrap_or_default();
        let contract = match measured {
            None => "",
            Some(Measured::Confirmed) => "; its contract confirms this",
            Some(Measured::Refuted) => "; its contract refutes this",
        };
        say(format!("  {dimension} {values}: {}{contract}", effect.words()));
        for line in wrapped(&format!("{why}{at}"), 92) {
            say(format!("      {line}"));
        }
    }
}
