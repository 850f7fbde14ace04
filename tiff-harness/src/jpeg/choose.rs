//! The choices of a rearrangement.
//!
//! | dimension | values | T.81; technical note 2 |
//! |---|---|---|
//! | `JPEG quantization tables`, `JPEG Huffman tables` | `inside` each stream; `apart`, in JPEGTables; `repeated`, in both; `overridden`: JPEGTables has others | B.4, B.5; JPEGTables |
//! | `JPEG table order` | `kept`, `random:N` | B.2.4 |
//! | `JPEG tables per marker` | `kept`, `one`, `all` | B.2.4.1, B.2.4.2 |
//! | `JPEG quantization place`, `JPEG Huffman place` | before or behind the frame header | B.2.1 |
//! | `JPEG table numbers` | `kept`, `random:N` | B.2.2, B.2.3 |
//! | `JPEG unused tables`, `JPEG redefined tables` | `none`, `random:N` | B.2.4.1, B.2.4.2 |
//! | `JPEG frame header` | `SOF0`, `SOF1` for a frame that fits both | B.2.2, table B.2 |
//! | `JPEG restart place` | before or behind the frame header | B.2.4.4 |
//! | `JPEG restart interval of 0` | `left out`, `explicit` | B.2.4.4 |
//! | `JPEG comments` | `none`, `random:N` | B.2.4.5 |
//! | `JPEG application data` | `none`, `random:N` of markers without a known use | B.2.4.6 |
//! | `JPEG fill bytes` | `none`, `random:N` | B.1.1.2 |
//!
//! JPEG is an extension of TIFF in any form; the first value of each dimension requires nothing more.

use inverter::solve::{Choice, ChoiceError, ChoiceSource};

use super::file::JpegFile;
use super::rearrangement::{PerMarker, Rearrangement, Tables};
use super::stream::Stream;
use super::table::Kind;
use crate::alternatives::{Alternative, NONE, RANDOM, choose as choose_one, choose_seeded};
use crate::container::{Class, Profile};
use crate::dimension;

/// The values of a dimension that keeps the seed's form.
const KEPT: &str = "kept";

const TABLES: [(Tables, &str); 4] = [
    (Tables::Inside, "inside"),
    (Tables::Apart, "apart"),
    (Tables::Repeated, "repeated"),
    (Tables::Overridden, "overridden"),
];

const PER_MARKER: [(PerMarker, &str); 3] =
    [(PerMarker::Kept, KEPT), (PerMarker::One, "one"), (PerMarker::All, "all")];

const BEHIND: [(bool, &str); 2] =
    [(false, "before the frame header"), (true, "behind the frame header")];
const ZERO: [(bool, &str); 2] = [(false, "left out"), (true, "explicit")];
const PROCESS: [(bool, &str); 2] = [(false, "SOF0"), (true, "SOF1")];

impl JpegFile {
    /// Returns the choices that the file embodies.
    pub fn own_choices(&self) -> Vec<(&'static str, Choice)> {
        let own = &self.own;
        let behind = |is: bool| if is { BEHIND[1].1 } else { BEHIND[0].1 };
        let tables = |own: Tables| TABLES.iter().find(|row| row.0 == own).map_or("", |row| row.1);
        [
            (dimension::JPEG_QUANTIZATION_TABLES, tables(own.quantization)),
            (dimension::JPEG_HUFFMAN_TABLES, tables(own.huffman)),
            (dimension::JPEG_TABLE_ORDER, KEPT),
            (dimension::JPEG_TABLES_PER_MARKER, KEPT),
            (dimension::JPEG_QUANTIZATION_PLACE, behind(own.quantization_behind)),
            (dimension::JPEG_HUFFMAN_PLACE, behind(own.huffman_behind)),
            (dimension::JPEG_TABLE_NUMBERS, KEPT),
            (dimension::JPEG_UNUSED_TABLES, NONE),
            (dimension::JPEG_REDEFINED_TABLES, NONE),
            (dimension::JPEG_FRAME_HEADER, PROCESS[usize::from(own.extended)].1),
            (dimension::JPEG_RESTART_PLACE, behind(own.interval_behind)),
            (dimension::JPEG_ZERO_RESTART, ZERO[usize::from(own.explicit_zero)].1),
            (dimension::JPEG_COMMENTS, NONE),
            (dimension::JPEG_APPLICATION_DATA, NONE),
            (dimension::JPEG_FILL_BYTES, NONE),
        ]
        .map(|(name, value)| (name, Choice::from(value)))
        .into()
    }

    /// Chooses a form. Returns `None` if it is the file's own.
    ///
    /// # Errors
    ///
    /// Returns an error if a given choice is not possible.
    pub(super) fn choose(
        &self,
        source: &mut ChoiceSource,
        profile: Profile,
    ) -> Result<Option<Rearrangement>, ChoiceError> {
        let mut chooser = Chooser { source, profile };
        let has = |of_kind: fn(Kind) -> bool| {
            (self.used.iter().any(|slot| of_kind(slot.kind)))
                .then(|| self.common.iter().any(|table| of_kind(table.slot.kind)))
        };
        let quantization = has(|kind| kind == Kind::Quantization);
        let huffman = has(|kind| kind != Kind::Quantization);
        let mut new = self.own.clone();
        let name = dimension::JPEG_QUANTIZATION_TABLES;
        new.quantization = chooser.tables(name, quantization, new.quantization)?;
        new.huffman = chooser.tables(dimension::JPEG_HUFFMAN_TABLES, huffman, new.huffman)?;
        new.order = chooser.seeded(dimension::JPEG_TABLE_ORDER, KEPT)?;
        let name = dimension::JPEG_TABLES_PER_MARKER;
        new.per_marker = chooser.one(name, &PER_MARKER, new.per_marker)?;
        if quantization.is_some() && new.quantization.are_inside() {
            let name = dimension::JPEG_QUANTIZATION_PLACE;
            new.quantization_behind = chooser.one(name, &BEHIND, new.quantization_behind)?;
        }
        if huffman.is_some() && new.huffman.are_inside() {
            let name = dimension::JPEG_HUFFMAN_PLACE;
            new.huffman_behind = chooser.one(name, &BEHIND, new.huffman_behind)?;
        }
        new.numbers = chooser.seeded(dimension::JPEG_TABLE_NUMBERS, KEPT)?;
        if self.slots().count() > self.used.len() {
            new.unused = chooser.seeded(dimension::JPEG_UNUSED_TABLES, NONE)?;
        }
        new.redefined = chooser.seeded(dimension::JPEG_REDEFINED_TABLES, NONE)?;
        if self.streams.iter().all(Stream::is_baseline) {
            new.extended = chooser.one(dimension::JPEG_FRAME_HEADER, &PROCESS, new.extended)?;
        }
        let zero = |stream: &Stream| stream.scans.iter().all(|scan| scan.interval == 0);
        if !self.streams.iter().all(zero) {
            let name = dimension::JPEG_RESTART_PLACE;
            new.interval_behind = chooser.one(name, &BEHIND, new.interval_behind)?;
        }
        if self.streams.iter().any(zero) {
            let name = dimension::JPEG_ZERO_RESTART;
            new.explicit_zero = chooser.one(name, &ZERO, new.explicit_zero)?;
        }
        new.comments = chooser.seeded(dimension::JPEG_COMMENTS, NONE)?;
        new.application_data = chooser.seeded(dimension::JPEG_APPLICATION_DATA, NONE)?;
        new.fill = chooser.seeded(dimension::JPEG_FILL_BYTES, NONE)?;
        Ok((new != self.own).then_some(new))
    }
}

/// The source of all choices, and the profile that decides what is drawn.
struct Chooser<'s> {
    source: &'s mut ChoiceSource,
    profile: Profile,
}

impl Chooser<'_> {
    fn one<T: Copy>(&mut self, name: &str, values: &[(T, &str)], own: T) -> Result<T, ChoiceError> {
        let class = |k: usize| if k == 0 { Class::Baseline } else { Class::Extension };
        let rows = values.iter().enumerate().map(|(k, (value, name))| (*value, *name, class(k)));
        let rows: Vec<Alternative<'_, T>> = rows.collect();
        Ok(choose_one(self.source, self.profile, name, &rows)?.unwrap_or(own))
    }

    /// Chooses the place of tables: `None` if there are none, true if some may be in JPEGTables.
    fn tables(
        &mut self,
        name: &str,
        some_common: Option<bool>,
        own: Tables,
    ) -> Result<Tables, ChoiceError> {
        let common = |row: &&(Tables, &str)| {
            some_common == Some(true) || matches!(row.0, Tables::Inside | Tables::Overridden)
        };
        let rows: Vec<(Tables, &str)> = TABLES.iter().filter(common).copied().collect();
        if some_common.is_none() { Ok(own) } else { self.one(name, &rows, own) }
    }

    fn seeded(&mut self, name: &str, none: &str) -> Result<Option<u64>, ChoiceError> {
        let (class, kinds) = (Class::Extension, [RANDOM]);
        let chosen = choose_seeded(self.source, self.profile, name, class, none, &kinds)?;
        Ok(chosen.map(|(_, seed)| seed))
    }
}

/// Returns the class of a file that chooses `value` in `dimension`; `None` for a dimension that streams
/// do not have.
pub fn class_of(dimension: &str, value: &Choice) -> Option<Class> {
    let Choice::Text(text) = value else { return None };
    let plain = ["inside", KEPT, NONE, BEHIND[0].1, ZERO[0].1, PROCESS[0].1];
    let class = if plain.contains(&text.as_str()) { Class::Baseline } else { Class::Extension };
    dimension::JPEG.contains(&dimension).then_some(class)
}
