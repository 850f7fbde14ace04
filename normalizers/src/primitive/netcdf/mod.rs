//! Reads and writes files of netCDF's classic formats.

mod model;
mod read;
mod write;

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;

use super::padding::Padding;
use super::policy::{Policy, plainest};
use model::Dataset;
use write::Style;

/// `netcdf_classic(x.file)`: decodes a file of CDF-1, CDF-2 or CDF-5 to
///
/// | bytes | |
/// |---|---|
/// | 4 | the number of records |
/// | .. | the list of dimensions, each a name and a length, which is 0 for records |
/// | .. | the list of global attributes, each a name, a type in one byte, and its values |
/// | .. | the list of variables, each a name, the list of the numbers of its dimensions, the list of its attributes, a type in one byte, and its values |
///
/// with numbers in four bytes, most significant byte first. Lists, names and values begin with their length. Values are
/// stored as in the file, without padding, one record after another.
///
/// Source: "The NetCDF Classic Format Specification" (Unidata), with its notes on `vsize`, padding and fill values, and
/// CDF-5. Variables are in order; there may be gaps before each non-record variable, and before the records.
///
/// | dimension | value | |
/// |---|---|---|
/// | `version` | `CDF-1`, `CDF-2`, `CDF-5` | the version; the last one alone for types that the others do not have |
/// | `empty lists` | `absent`, `tagged`, `random:N` | two zeros; the tag of the list, and no elements |
/// | `gaps` | `none`, `random:N` | up to 32 bytes in a gap, a multiple of four |
/// | `gap fill` | `zeros`, `ones`, `random:N` | the bytes in gaps |
pub struct NetcdfClassic;

const VERSION: &str = "version";
const EMPTY: &str = "empty lists";
const GAPS: &str = "gaps";
const FILL: &str = "gap fill";

impl Primitive for NetcdfClassic {
    fn signature(&self) -> Signature<'_> {
        Signature::new("netcdf_classic").dimensions(&[VERSION, EMPTY, GAPS, FILL])
    }

    fn decode(&self, stored: &[u8], _: &[i128], _: usize) -> Result<Vec<u8>, PrimitiveError> {
        read::read(stored).map(|all| all.to_bytes())
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let all = Dataset::from_bytes(data)?;
        let version = match all.classic() {
            true => source.named(VERSION, &write::VERSIONS)?,
            false => 2,
        };
        let style = Style {
            version,
            empty: Policy::choose(source, EMPTY, &write::EMPTY)?,
            gaps: Policy::choose(source, GAPS, &["none"])?,
            fill: Padding::choose(source, FILL)?,
        };
        of_length(write::write(&all, &style)?, lengths)
    }

    fn accepts(&self, data: &[u8], _: &[i128]) -> Result<(), Unfit> {
        Dataset::from_bytes(data).map(drop).map_err(|why| Unfit { argument: None, why })
    }

    /// Returns the choices of the library's own style, if the file has it.
    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        plainest(self, stored, data, args)
    }
}

#[cfg(test)]
mod tests;
