//! The types of integer tags.
//!
//! The standard names the types of each tag (TIFF 6.0, section 8). "Readers should accept BYTE, SHORT, or LONG values
//! for any unsigned integer field" (section 2): types other than the named ones can be read, but are questionable to
//! write (ExifTool's validation calls them non-standard). BigTIFF adds LONG8 for the four tags of offsets and byte
//! counts; libtiff also accepts it elsewhere.

use inverter::solve::{Choice, ChoiceError, ChoiceSource};
use smallvec::SmallVec;

use crate::alternatives::{self, Alternative};
use crate::container::rules::{Count, rule_of};
use crate::container::{Class, FieldType, Format, Profile, Tag, Values};
use crate::dimension;

const UNSIGNED: [FieldType; 4] =
    [FieldType::Short, FieldType::Long, FieldType::Long8, FieldType::Byte];

/// Returns the class of a file in which `tag` has the type `kind`; `None` if that is impossible.
pub fn class_of_type(tag: Tag, kind: FieldType) -> Option<Class> {
    if tag == Tag::SUB_IFDS {
        return sub_ifd_types(Format::Big).contains(&kind).then_some(Class::Extension);
    }
    let rule = rule_of(tag)?;
    let list = matches!(rule.count, Count::PerStrip | Count::PerTile);
    match kind {
        _ if rule.types.contains(&kind) => Some(Class::Baseline),
        // libtiff treats any other type of these tags as a wrong value.
        _ if [Tag::MIN_SAMPLE_VALUE, Tag::MAX_SAMPLE_VALUE].contains(&tag) => None,
        FieldType::Long8 if list => Some(Class::Extension),
        // Tiles are an extension anyway, and StripOffsets, the corresponding tag of strips, may be SHORT.
        kind => UNSIGNED.contains(&kind).then_some(Class::Questionable),
    }
}

/// Returns the types that `tag` may have in `format`: first those of the standard, starting with the narrowest, then
/// those of the other classes.
pub fn types_of(tag: Tag, format: Format) -> SmallVec<[(FieldType, Class); 4]> {
    let fits = |kind: &FieldType| format == Format::Big || *kind != FieldType::Long8;
    let class = |kind: FieldType| class_of_type(tag, kind).map(|class| (kind, class));
    let mut types: SmallVec<_> = UNSIGNED.into_iter().filter(fits).filter_map(class).collect();
    types.sort_by_key(|(_, class)| *class);
    types
}

/// Returns the type of `tag` whose values have `bytes` bytes each (1, 2, 4 or 8): BYTE, SHORT, LONG or LONG8. Returns
/// `None` if the tag cannot have it in `format`.
pub fn type_of_size(tag: Tag, format: Format, bytes: u64) -> Option<FieldType> {
    let kind = FieldType::unsigned(bytes)?;
    types_of(tag, format).into_iter().map(|row| row.0).find(|k| *k == kind)
}

/// Returns the sizes in bytes of the types that `profile` draws for `tag` in `format`, the simplest
/// first.
pub fn sizes_of(tag: Tag, format: Format, profile: Profile) -> Vec<u64> {
    let types = types_of(tag, format).into_iter().filter(|row| profile.draws(row.1));
    types.filter_map(|row| row.0.size()).collect()
}

/// Returns the types of pointers to SubIFDs (Adobe PageMaker 6.0 TIFF technical notes, note 1;
/// BigTIFF).
pub(super) fn sub_ifd_types(format: Format) -> &'static [FieldType] {
    const BIG: [FieldType; 4] =
        [FieldType::Ifd8, FieldType::Long8, FieldType::Ifd, FieldType::Long];
    match format {
        Format::Classic => &BIG[2..],
        Format::Big => &BIG,
    }
}

/// Returns the types of `tag` in `format` that hold `value`, with their names.
pub(super) fn fitting(
    tag: Tag,
    format: Format,
    value: u64,
) -> SmallVec<[Alternative<'static, FieldType>; 4]> {
    let types = types_of(tag, format).into_iter();
    let types = types.filter(|(kind, _)| kind.max_integer() >= Some(value));
    types.filter_map(|(kind, class)| Some((kind, kind.name()?, class))).collect()
}

/// Chooses the type of an integer tag, and returns its values in it.
///
/// # Errors
///
/// Returns an error if the given type does not hold the values, or no type does.
pub(super) fn choose_values(
    source: &mut ChoiceSource,
    profile: Profile,
    format: Format,
    tag: Tag,
    values: &[u64],
) -> Result<Values, ChoiceError> {
    let most = values.iter().copied().max().unwrap_or(0);
    let dimension = dimension::type_of(tag);
    let types = fitting(tag, format, most);
    let kind = alternatives::choose(source, profile, &dimension, &types)?;
    kind.and_then(|kind| Values::integers(kind, values)).ok_or_else(|| ChoiceError {
        dimension: dimension.as_ref().into(),
        value: Choice::Int(most.into()),
        why: format!("no type of {tag} holds it"),
    })
}
