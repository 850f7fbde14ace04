//! Properties of CCITT coding for pictures of any width.

use inverter::primitive::{Encoding, Primitive};
use inverter::solve::{ChoiceSource, Fill};
use normalizers::primitive::{ModifiedHuffman, T4, T6};
use rand::RngExt;

use super::container::{Form, strips};
use super::{pictures, readers};

/// The coding with its options.
const CODINGS: [(&dyn Primitive, Option<i128>); 6] = [
    (&ModifiedHuffman, None),
    (&T4, Some(0)),
    (&T4, Some(1)),
    (&T4, Some(4)),
    (&T4, Some(5)),
    (&T6, Some(0)),
];

#[test]
fn pictures_of_any_width_round_trip() {
    let mut rng = Fill::rng(0xFA);
    for case in 0..600 {
        let (columns, rows) = (pictures::columns(&mut rng), rng.random_range(0..=20));
        let data = pictures::picture(&mut rng, columns, rows);
        let mut soiled = data.clone();
        let unused = columns.next_multiple_of(8) - columns;
        for row in soiled.chunks_mut(columns.div_ceil(8)) {
            *row.last_mut().unwrap() |= rng.random::<u8>() & ((1 << unused) - 1) as u8;
        }
        for (primitive, options) in CODINGS {
            let mut args = vec![columns as i128];
            args.extend(options);
            let mut source = ChoiceSource::seeded(3, case);
            let stored = primitive.encode(&data, Encoding::any_length(&args, &mut source)).unwrap();
            let told = || format!("{} {args:?} {:?}", primitive.name(), source.recorded());
            let decoded = primitive.decode(&stored, &args, data.len());
            assert!(decoded.as_ref() == Ok(&data), "{}: {decoded:?}", told());
            let mut again = ChoiceSource::replaying(source.recorded().clone());
            let twin = primitive.encode(&soiled, Encoding::any_length(&args, &mut again)).unwrap();
            assert!(twin == stored, "{}: unused bits matter", told());
            // More rows are wanted than there are: the end is seen, or the lack of one.
            let whole = primitive.decode(&stored, &args, data.len() + 8 * columns);
            assert!(whole.as_ref() == Ok(&data), "{}: {whole:?}", told());
            // Fewer are wanted.
            let few = data.len() / 2 / columns.div_ceil(8) * columns.div_ceil(8);
            let decoded = primitive.decode(&stored, &args, few);
            assert!(decoded.as_deref() == Ok(&data[..few]), "{}: {decoded:?}", told());
            if let Some(own) = primitive.own_choices(&stored, &data, &args) {
                let mut source = ChoiceSource::replaying(own);
                let twin =
                    primitive.encode(&data, Encoding::any_length(&args, &mut source)).unwrap();
                assert!(twin == stored && source.unused().is_empty(), "{}: own", told());
            }
        }
    }
}

#[test]
fn what_libtiff_writes_is_read_and_made_again() {
    if !readers::installed("tiffcp") {
        return;
    }
    let ways: [(&str, &dyn Primitive, i128, usize); 5] = [
        ("g3:1d", &T4, 0, 3),
        ("g3:2d", &T4, 1, 3),
        ("g3:1d:fill", &T4, 4, 3),
        ("g3:2d:fill", &T4, 5, 3),
        ("g4", &T6, 0, 4),
    ];
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Fill::rng(0xFC);
    for _ in 0..12 {
        let (columns, rows_per_strip) = (pictures::columns(&mut rng), rng.random_range(1..=20));
        let form = Form {
            big_endian: false,
            columns,
            rows_per_strip,
            bits: 1,
            samples: 1,
            compression: 1,
            more: Vec::new(),
        };
        let data: Vec<Vec<u8>> =
            (0..10).map(|_| pictures::picture(&mut rng, columns, rows_per_strip)).collect();
        let file = form.file(&data.iter().map(|d| &**d).collect::<Vec<_>>());
        for (way, primitive, options, compression) in ways {
            let rows = rows_per_strip.to_string();
            let made = readers::run("tiffcp", &["-c", way, "-r", &rows], &file, folder.path());
            let args = [columns as i128, options];
            let made = strips(&made, compression);
            assert_eq!(made.len(), data.len());
            for (stored, data) in made.into_iter().zip(&data) {
                let decoded = primitive.decode(stored, &args, data.len());
                assert!(decoded.as_ref() == Ok(data), "{way} {columns}: {decoded:?}");
                let own = primitive.own_choices(stored, data, &args);
                assert!(own.is_some(), "{way} {columns}: no own choices");
            }
        }
    }
}

#[test]
fn damage_is_an_error_or_other_rows_but_no_more_than_are_wanted() {
    let mut rng = Fill::rng(0xFB);
    let mut refused = 0;
    for case in 0..400 {
        let (columns, rows) = (pictures::columns(&mut rng), rng.random_range(1..=20));
        let data = pictures::picture(&mut rng, columns, rows);
        for (primitive, options) in CODINGS {
            let mut args = vec![columns as i128];
            args.extend(options);
            let mut source = ChoiceSource::seeded(4, case);
            let mut stored =
                primitive.encode(&data, Encoding::any_length(&args, &mut source)).unwrap();
            let at = rng.random_range(0..stored.len());
            match rng.random_range(0..3) {
                0 => stored.truncate(at),
                1 => stored[at] ^= 1 << rng.random_range(0..8),
                _ => stored[at..].iter_mut().for_each(|byte| *byte = rng.random()),
            }
            match primitive.decode(&stored, &args, data.len()) {
                Ok(decoded) => assert!(decoded.len() <= data.len()),
                Err(why) => {
                    assert!(!why.to_string().contains('\n'), "{why}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 400, "{refused}");
}

#[test]
fn choices_do_not_depend_on_the_data() {
    for (primitive, options) in CODINGS {
        let choices = |columns: i128, data: &[u8]| {
            let mut args = vec![columns];
            args.extend(options);
            let mut source = ChoiceSource::seeded(5, 5);
            primitive.encode(data, Encoding::any_length(&args, &mut source)).unwrap();
            source.into_recorded()
        };
        assert_eq!(choices(8, &[]), choices(3000, &[0x55; 375 * 9]), "{}", primitive.name());
        assert_eq!(choices(8, &[0]), choices(1, &[0; 100]), "{}", primitive.name());
    }
}
