//! Dictionaries: outputs that one array of indices picks from another array.

use std::collections::BTreeSet;

use inverter::check::load;
use inverter::run::{Limits, from_json, invert_value, normalize, to_json};
use inverter::solve::ChoiceSource;
use serde_json::{Value, json};

/// Draws representations; each is normalized again and compared.
fn draw(text: &str, y: &Value, draws: u64) -> Vec<Result<Value, String>> {
    let inverse = load("dictionary.rs", text).unwrap();
    let y = from_json(&inverse.program.output, y).unwrap();
    let one = |k| {
        let mut source = ChoiceSource::seeded(5, k);
        let x = invert_value(&inverse, &y, &mut source, &Limits::default());
        let x = x.map_err(|e| e.to_string())?;
        assert_eq!(normalize(&inverse.program, &x).unwrap(), y);
        let mut replay = ChoiceSource::replaying(source.into_recorded());
        let again = invert_value(&inverse, &y, &mut replay, &Limits::default()).unwrap();
        assert!(again == x, "the choices replay it");
        Ok(to_json(&inverse.program.input, &x))
    };
    (0..draws).map(one).collect()
}

fn palette(entries: &str, index: &str) -> String {
    format!(
        "struct Indexed {{ n: u16, palette: [u16{entries}], index: [{index}; n] }}
        struct Image {{ n: u16, data: [u16; n] }}
        fn normalize(x: &Indexed, y: &mut Image) {{
            y.n = x.n;
            for k in 0..x.n {{ y.data[k] = x.palette[x.index[k]]; }}
        }}"
    )
}

/// The numbers of a field.
fn list(x: &Value, field: &str) -> Vec<u64> {
    x[field].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect()
}

#[test]
fn three_colors_in_a_palette_of_four() {
    let text = include_str!("../specs/pal_u8.rs");
    let y: Value = serde_json::from_str(include_str!("../specs/pal_u8.json")).unwrap();
    let colors = list(&y, "data");
    let drawn = draw(text, &y, 200);
    let mut assignments = BTreeSet::new();
    let mut duplicates = 0;
    for x in drawn {
        let x = x.unwrap();
        let (palette, index) = (list(&x, "palette"), list(&x, "index"));
        let place = |color: u64| -> BTreeSet<u64> {
            let picked = index.iter().zip(&colors).filter(|(_, c)| **c == color);
            picked.map(|(at, _)| *at).collect()
        };
        let places = [0, 1, 2].map(place);
        duplicates += usize::from(places.iter().any(|p| p.len() > 1));
        assignments.insert(places.map(|p| p.first().copied()));
        assert_eq!(palette.len(), 4);
    }
    // 24 injections of three colors into four places, of which a duplicate hides a few.
    assert!(assignments.len() >= 20, "{assignments:?}");
    assert!(duplicates >= 20, "{duplicates}");
}

#[test]
fn thousands_of_pixels() {
    let data: Vec<usize> = (0..4000).map(|k| (k / 3) % 4).collect();
    assert_eq!(data.iter().collect::<BTreeSet<_>>().len(), 4);
    let drawn = draw(&palette("; 4", "u8"), &json!({ "n": 4000, "data": data }), 20);
    let drawn: BTreeSet<Vec<u64>> =
        drawn.into_iter().map(|x| list(&x.unwrap(), "palette")).collect();
    assert!(drawn.len() >= 10, "permutations vary: {drawn:?}");
}

#[test]
fn more_colors_than_places_are_refused_in_words() {
    let data: Vec<usize> = (0..300).collect();
    let y = json!({ "n": 300, "data": data });
    for text in [palette("; 256", "u8"), palette("", "u8")] {
        let why = draw(&text, &y, 1).remove(0).unwrap_err();
        assert!(
            why.contains(
                "300 different entries of x.palette are picked, and x.index has 256 values"
            ),
            "{why}"
        );
    }
    let made = draw(&palette("", "u16"), &y, 20);
    assert!(made.iter().all(Result::is_ok), "{made:?}");
}

#[test]
fn a_palette_of_free_length_grows_with_the_colors() {
    let text = "struct Indexed { n: u8, colors: u8, palette: [u8; colors], index: [u8; n] }
        struct Image { n: u8, data: [u8; n] }
        fn normalize(x: &Indexed, y: &mut Image) {
            y.n = x.n;
            for k in 0..x.n { y.data[k] = x.palette[x.index[k]]; }
        }";
    let data: Vec<usize> = (0..200).map(|k| k % 40).collect();
    let made = draw(text, &json!({ "n": 200, "data": data }), 40);
    let sizes: BTreeSet<u64> =
        made.into_iter().map(|x| x.unwrap()["colors"].as_u64().unwrap()).collect();
    assert!(sizes.iter().all(|n| *n >= 40) && sizes.len() >= 5, "{sizes:?}");
}

#[test]
fn entries_of_several_elements_are_picked_whole() {
    let text = "struct Indexed { n: u8, palette: [[u8; 3]; 5], index: [u8; n] }
        struct Image { n: u8, data: [[u8; 3]; n] }
        fn normalize(x: &Indexed, y: &mut Image) {
            y.n = x.n;
            for k in 0..x.n { for c in 0..3 { y.data[k][c] = x.palette[x.index[k]][c]; } }
        }";
    let colors = [[1, 2, 3], [1, 2, 4], [9, 2, 3]];
    let data: Vec<[u8; 3]> = (0..30).map(|k| colors[k % 3]).collect();
    let made = draw(text, &json!({ "n": 30, "data": data }), 40);
    let made: BTreeSet<String> = made.into_iter().map(|x| x.unwrap().to_string()).collect();
    assert!(made.len() >= 20, "{}", made.len());
}

#[test]
fn groups_that_differ_in_their_places_are_matched() {
    // The first pixel has the first entry, the second one of the first two, and so on.
    let text = "struct Indexed { n: u8, palette: [u8; 8], index: [u8; n] }
        struct Image { n: u8, data: [u8; n] }
        fn normalize(x: &Indexed, y: &mut Image) {
            y.n = x.n;
            for k in 0..x.n {
                assume(x.index[k] <= k);
                y.data[k] = x.palette[x.index[k]];
            }
        }";
    let made = draw(text, &json!({ "n": 8, "data": [7, 3, 5, 1, 2, 8, 9, 4] }), 20);
    for x in made {
        assert_eq!(list(&x.unwrap(), "palette"), [7, 3, 5, 1, 2, 8, 9, 4]);
    }
    let made = draw(text, &json!({ "n": 6, "data": [7, 3, 7, 3, 7, 3] }), 40);
    let made: BTreeSet<String> = made.into_iter().map(|x| x.unwrap().to_string()).collect();
    assert!(made.len() >= 5, "{made:?}");
}
