//! Reads and writes the header of NumPy's files, which is a Python literal.

mod model;
mod read;
mod write;

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;

use super::policy::{Policy, number, plainest};
use model::Npy;
use write::Style;

/// `npy_header(x.file)`: decodes a file of NumPy's format npy to
///
/// | bytes | |
/// |---|---|
/// | 0, 1 | the kind of its type (`b`, `i`, `u`, `f`) and the bytes of an element |
/// | 2 | 1 if elements are big-endian, else 0; 0 for elements of one byte |
/// | 3 | 1 if the first index varies fastest (`fortran_order`), else 0 |
/// | 4 | the number of dimensions, up to 2 |
/// | 5 to 8, 9 to 12 | rows and columns, least significant byte first; 1 for a missing dimension |
/// | 13 .. | the elements as they are stored |
///
/// Source: the format specification in `numpy.lib.format`, versions 1.0, 2.0 and 3.0. The header is the literal of a
/// dictionary, whose keys a reader must accept in any order. Strings without prefixes and escapes and decimal numbers
/// are read; comments are not.
///
/// | dimension | value | |
/// |---|---|---|
/// | `version` | 1 to 3 | the major version |
/// | `key order` | `sorted`, `reversed`, `random:N` | the order of the keys |
/// | `quotes` | `single`, `double`, `random:N` | the quotation marks of strings |
/// | `white space` | `usual`, `none`, `random:N` | spaces and tabs between the words of the dictionary |
/// | `commas` | `usual`, `opposite`, `random:N` | a comma after the last key, and none after the last of two dimensions; the opposite |
/// | `order mark` | `none`, `little`, `big`, `random:N` | the byte order that the type of single bytes has: `|`, `<`, `>` |
/// | `padding` | `64`, `16`, `random:N` | spaces up to a multiple of 64, of 16 (NumPy before 1.14), or up to 12 more times 64 |
pub struct NpyHeader;

const VERSION: &str = "version";
const ORDER: &str = "key order";
const QUOTES: &str = "quotes";
const SPACE: &str = "white space";
const COMMAS: &str = "commas";
const MARK: &str = "order mark";
const PADDING: &str = "padding";

impl Primitive for NpyHeader {
    fn signature(&self) -> Signature<'_> {
        Signature::new("npy_header")
            .dimensions(&[VERSION, ORDER, QUOTES, SPACE, COMMAS, MARK, PADDING])
    }

    fn decode(&self, stored: &[u8], _: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        read::read(stored, most).map(|npy| npy.to_bytes())
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let npy = Npy::from_bytes(data)?;
        let mark = match npy.size {
            1 => Policy::choose(source, MARK, &write::MARKS)?,
            _ => Policy::Word(0),
        };
        let style = Style {
            version: number(source, VERSION, 1..=3, 1)? as u8,
            order: Policy::choose(source, ORDER, &write::ORDERS)?,
            quotes: Policy::choose(source, QUOTES, &write::QUOTES)?,
            space: Policy::choose(source, SPACE, &write::SPACES)?,
            commas: Policy::choose(source, COMMAS, &write::COMMAS)?,
            mark,
            padding: Policy::choose(source, PADDING, &write::PADDINGS)?,
        };
        of_length(write::write(&npy, &style), lengths)
    }

    fn accepts(&self, data: &[u8], _: &[i128]) -> Result<(), Unfit> {
        Npy::from_bytes(data).map(drop).map_err(|why| Unfit { argument: None, why })
    }

    /// Returns the choices of NumPy's own style, if the file has it.
    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        plainest(self, stored, data, args)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::encodings;
    use inverter::solve::ChoiceSource;

    use super::*;

    /// A file of version 1.0 with this header, and two bytes as data.
    fn file(header: &str) -> Vec<u8> {
        let length = (header.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\0", &length[..], header.as_bytes(), b"xy"].concat()
    }

    fn decoded(file: &[u8]) -> Result<Vec<u8>, PrimitiveError> {
        NpyHeader.decode(file, &[], 1000)
    }

    const TWO: [u8; 15] = [b'u', 1, 0, 1, 1, 2, 0, 0, 0, 1, 0, 0, 0, b'x', b'y'];

    #[test]
    fn literals_are_read_as_python_reads_them() {
        for header in [
            "{'descr': '|u1', 'fortran_order': True, 'shape': (2,), }  \n",
            "{'shape':(2,),\"descr\":\">B\",\n\t'fortran_order':True}\n",
        ] {
            assert_eq!(decoded(&file(header)).unwrap(), TWO, "{header}");
        }
        let wide = decoded(&file("{'descr': '>i2', 'fortran_order': False, 'shape': ()}\n"));
        assert_eq!(wide.unwrap()[..13], [b'i', 2, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
        let flat = decoded(&file("{'descr': '<h', 'fortran_order': False, 'shape': (1, 1)}\n"));
        assert_eq!(flat.unwrap()[..6], [b'i', 2, 0, 0, 2, 1]);
    }

    #[test]
    fn headers_of_other_arrays_are_refused() {
        let of = |descr: &str, shape: &str| {
            file(&format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}}}\n"))
        };
        for (file, why) in [
            (b"\x93NUMPX\x01\0".to_vec(), "magic"),
            (b"\x93NUMPY\x04\0\x01\0\n".to_vec(), "version"),
            (of("|u1", "(2)"), "the word )"),
            (of("|u1", "(3,)"), "2 bytes of 3 elements"),
            (of("|u1", "(1,1,2)"), "dimensions"),
            (of("|O", "(2,)"), "the type"),
            (of("f8", "(2,)"), "the type"),
            (of("|u1", "(99999999999,)"), "99999999999"),
            (file("{'descr': '|u1', 'shape': (2,)}\n"), "fortran_order"),
            (file("{'descr': '|u1', 'descr': '|u1', 'shape': (2,)}\n"), "twice"),
            (file("{'descr': '|u1', 'fortran_order': False, 'shape': (2,)} x\n"), "behind"),
            (file("{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}"), "line end"),
        ] {
            let found = decoded(&file).unwrap_err().to_string();
            assert!(found.contains(why), "{why}: {found}");
        }
    }

    #[test]
    fn headers_are_written_in_many_ways() {
        for (kind, size, dims, rows, columns) in
            [(b'f', 8, 2, 3, 2), (b'i', 2, 1, 4, 1), (b'b', 1, 0, 1, 1)]
        {
            for flags in 0..4 {
                let big = flags % 2 * u8::from(size > 1);
                let elements = vec![1; size * rows * columns];
                let (rows, columns) = (rows as u32, columns as u32);
                let size = size as u8;
                let npy =
                    Npy { kind, size, big, fortran: flags / 2, dims, rows, columns, elements };
                let data = npy.to_bytes();
                assert!(encodings(&NpyHeader, &[], &data, 200).unwrap().len() > 100);
                let mut source = ChoiceSource::replaying(Choices::new());
                let usual =
                    NpyHeader.encode(&data, Encoding::any_length(&[], &mut source)).unwrap();
                assert_eq!(usual.len() % 64, elements_of(&data) % 64);
                assert!(NpyHeader.own_choices(&usual, &data, &[]).is_some());
            }
        }
    }

    fn elements_of(data: &[u8]) -> usize {
        Npy::from_bytes(data).unwrap().elements.len()
    }
}
