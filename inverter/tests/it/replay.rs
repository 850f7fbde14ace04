//! Recorded choices make the same representation again: programs for which they once did not.

use inverter::check::load;
use inverter::run::{Limits, from_json_text, invert_value};
use inverter::solve::ChoiceSource;

/// Tables of places that only one flagged element reads: to see whether a layout has room, they
/// were filled, and the fill was kept without its record.
const UNUSED_TABLES: &str = r#"
    struct X {
        n8: u8,
        n9: u8,
        n10: u8,
        b12: u8,
        d15: [i16],
        #[element("one of p16")]
        p16: [u32; n8],
        #[element("one of p17")]
        p17: [u32; n8],
        #[element("one of p18")]
        p18: [u8; n8],
        n19: u8,
        d21: [u8],
        b22: u16,
        d25: [[[i32; n10]; n9]; n8],
        d29: [u32],
        #[element("one of p30")]
        p30: [u16; n8],
        #[element("one of p31")]
        p31: [u8],
        d34: [[[i32; n10]; n9]; n8],
        d35: [[[u16]]; n8],
    }

    struct Y {
        n8: u8,
        n9: u8,
        n10: u8,
        y11: [[[i16; n10]; n9]; n8],
        n19: u8,
    }

    fn normalize(x: &X, y: &mut Y) {
        y.n19 = x.n19;
        y.n10 = x.n10;
        y.n9 = x.n9;
        y.n8 = x.n8;
        for i13 in 0..div_ceil(x.n8, x.b12) {
            for i14 in 0..min(x.b12, x.n8 - i13 * x.b12) {
                if x.d15[x.p18[x.p17[x.p16[i13 * x.b12 + i14]]]] % 4 == 1 && i13 * x.b12 + i14 == x.n19 {
                    if x.n9 >= 1 {
                        if !(i13 * x.b12 + i14 == 1) {
                            for i20 in 0..x.n10 {
                                let v23 = ((((i13 * x.b12 + i14)) * x.n9 + 0) * x.b22 + i20) * 2;
                                y.y11[i13 * x.b12 + i14][0][i20] = x.d21[v23];
                            }
                        } else {
                            for i24 in 0..x.n10 {
                                let v26 = x.d25[i13 * x.b12 + i14][x.n9 - 1 - (0)][i24];
                                y.y11[i13 * x.b12 + i14][0][i24] = v26;
                            }
                        }
                    }
                    for i27 in 0..x.n9 - 1 {
                        for i28 in 0..x.n10 {
                            y.y11[i13 * x.b12 + i14][i27 + 1][i28] = 7 - x.d29[x.p31[x.p30[i13 * x.b12 + i14]] + ((i27 + 1)) * x.n10 + i28];
                        }
                    }
                } else {
                    for i32 in 0..x.n10 {
                        for i33 in 0..x.n9 {
                            y.y11[i13 * x.b12 + i14][i33][i32] = x.d34[x.n8 - 1 - (i13 * x.b12 + i14)][i33][i32] - x.d35[i13 * x.b12 + i14][i33][i32];
                        }
                    }
                }
            }
        }
    }
"#;

const VALUE: &str = r#"{"n8": 4, "n9": 5, "n10": 4, "y11": [[[-32717, -32623, -32681, -32764], [-32764, -32766, -32701, -32554], [-32741, -32729, -32594, -32590], [-32563, -32657, -32723, -32768], [-32559, -32531, -32750, -32671]], [[-32667, -32680, -32610, -32563], [-32609, -32630, -32674, -32744], [-32552, -32743, -32629, -32741], [-32648, -32706, -32594, -32555], [-32600, -32645, -32768, -32762]], [[-32765, -32765, -32768, -32768], [-32766, -32765, -32767, -32767], [-32767, -32767, -32766, -32765], [-32623, -32620, -32762, -32765], [-32767, -32767, -32768, -32767]], [[-32767, -32768, -32768, -32768], [-32768, -32768, -32768, -32768], [-32768, -32768, -32768, -32768], [-32768, -32768, -32768, -32768], [-32768, -32768, -32768, -32768]]], "n19": 0}"#;

#[test]
fn fills_of_unused_tables_are_replayed() {
    let inverse = load("unused_tables.rs", UNUSED_TABLES).unwrap_or_else(|e| panic!("{e}"));
    let y = from_json_text(&inverse.program.output, VALUE).unwrap();
    let limits = Limits { slack: 64, ..Limits::default() };
    let mut made = 0;
    for k in 0..20 {
        let mut source = ChoiceSource::seeded(0, k);
        let Ok(x) = invert_value(&inverse, &y, &mut source, &limits) else { continue };
        made += 1;
        let choices = source.into_recorded();
        let mut again = ChoiceSource::replaying(choices.clone());
        let replayed = invert_value(&inverse, &y, &mut again, &limits);
        assert_eq!(replayed.ok(), Some(x), "{choices:?}");
    }
    assert!(made >= 10, "{made}");
}
