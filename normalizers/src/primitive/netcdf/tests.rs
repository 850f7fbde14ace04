use inverter::primitive::test::encodings;
use inverter::solve::ChoiceSource;

use super::model::*;
use super::*;

fn name(text: &str) -> Vec<u8> {
    text.into()
}

/// Two fixed variables, one of them of one byte, and `records` of records of three bytes.
fn dataset(records: usize) -> Dataset {
    let variable = |text: &str, dimensions: &[u32], kind: u8, values: &[u8]| Variable {
        name: name(text),
        dimensions: dimensions.to_vec(),
        attributes: Vec::new(),
        kind,
        values: values.to_vec(),
    };
    let mut variables =
        vec![variable("flag", &[], 1, &[9]), variable("x", &[1], 3, &[1, 2, 3, 4, 5, 6])];
    for k in 0..records {
        variables.push(variable(["a", "b"][k], &[0, 1], 2, b"onetwo"));
    }
    let units = Attribute { name: name("units"), kind: 2, values: name("m") };
    variables[1].attributes = vec![units.clone()];
    let fill = Attribute { name: name("_FillValue"), kind: 1, values: vec![7] };
    variables[0].attributes = vec![fill];
    let dimension = |text: &str, length: u32| Dimension { name: name(text), length };
    Dataset {
        records: 2,
        dimensions: vec![dimension("time", 0), dimension("three", 3)],
        attributes: vec![units],
        variables,
    }
}

fn file(all: &Dataset, choices: &[(&str, &str)]) -> Vec<u8> {
    let mut own = Choices::new();
    choices.iter().for_each(|(dimension, word)| own.set(*dimension, *word));
    let mut source = ChoiceSource::replaying(own);
    NetcdfClassic.encode(&all.to_bytes(), Encoding::any_length(&[], &mut source)).unwrap()
}

#[test]
fn files_are_written_in_many_ways() {
    for records in 0..3 {
        let all = dataset(records);
        let data = all.to_bytes();
        assert!(encodings(&NetcdfClassic, &[], &data, 200).unwrap().len() > 40, "{records}");
        let plain = file(&all, &[]);
        assert!(NetcdfClassic.own_choices(&plain, &data, &[]).is_some());
    }
}

#[test]
fn values_are_padded_with_fill_values() {
    // A lone variable of records has no padding between them.
    assert!(
        file(&dataset(1), &[]).ends_with(b"\x09\x07\x07\x07\x01\x02\x03\x04\x05\x06\x80\x01onetwo")
    );
    assert!(file(&dataset(2), &[]).ends_with(b"one\0one\0two\0two\0"));
}

#[test]
fn sizes_have_the_width_of_the_version() {
    let all = dataset(0);
    let [one, two, five] = ["CDF-1", "CDF-2", "CDF-5"].map(|v| file(&all, &[("version", v)]));
    assert_eq!([one[3], two[3], five[3]], [1, 2, 5]);
    assert_eq!(two.len() - one.len(), 8, "two offsets");
    assert!(five.starts_with(b"CDF\x05\0\0\0\0\0\0\0\x02\0\0\0\x0a\0\0\0\0\0\0\0\x02"));
    let mut wide = all;
    wide.variables[0].kind = 7;
    wide.variables[0].attributes.clear();
    assert_eq!(file(&wide, &[])[3], 5, "NC_UBYTE");
}

#[test]
fn other_files_are_refused() {
    let plain = file(&dataset(2), &[]);
    let with = |at: usize, value: u8| {
        let mut file = plain.clone();
        file[at] = value;
        NetcdfClassic.decode(&file, &[], 0).unwrap_err().to_string()
    };
    for (at, value, why) in
        [(3, 3, "no file of"), (11, 11, "the tag 11"), (23, 1, "twice, or no name")]
    {
        let found = with(at, value);
        assert!(found.contains(why), "{at}: {why}: {found}");
    }
    let short = NetcdfClassic.decode(&plain[..plain.len() - 5], &[], 0).unwrap_err();
    assert!(short.to_string().contains("cut off"), "{short}");
    let mut all = dataset(1);
    all.variables[2].values.pop();
    assert!(NetcdfClassic.accepts(&all.to_bytes(), &[]).is_err());
}
