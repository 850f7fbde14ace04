//! Checks that a picture is of a supported kind, and names the feature that is not.

use crate::coding::Compression;
use crate::container::meaning::describe;
use crate::container::{Entry, Tag};
use crate::error::TiffError;
use crate::palette::has_certain_scale;

use super::fields::Fields;

/// Returns the error of a feature that is not supported; an empty hint is left out.
pub(super) fn unsupported(what: String, hint: &'static str) -> TiffError {
    TiffError::Unsupported { what, hint: Some(hint).filter(|h| !h.is_empty()) }
}

/// The values of tags that decide how samples are read.
pub(super) struct PictureKind {
    pub bits: u16,
    pub samples_per_pixel: u16,
    pub photometric: u16,
    pub extra_samples: Vec<u16>,
    pub sample_format: u16,
    pub compression: u16,
    pub predictor: u16,
    pub fill_order: u16,
    pub t4_options: u32,
}

/// Reads the kind of a picture. Accepts gray, bilevel, palette and RGB pictures of unsigned samples,
/// stored without loss.
pub(super) fn picture_kind(fields: &Fields<'_>) -> Result<PictureKind, TiffError> {
    let codes: Vec<u64> = Compression::ALL.iter().map(|c| c.code().into()).collect();
    let compression = one_of(fields, Tag::COMPRESSION, &codes)?;
    let photometric = one_of(fields, Tag::PHOTOMETRIC_INTERPRETATION, &[0, 1, 2, 3])?;
    // 4: a mask for another picture (section 8, NewSubfileType).
    let subfile = fields.one(Tag::NEW_SUBFILE_TYPE)?;
    if subfile & 4 != 0 {
        return Err(unsupported(describe(Tag::NEW_SUBFILE_TYPE, subfile), "it is a mask"));
    }
    let extra_samples = extra_samples(fields, photometric)?;
    let samples_per_pixel = colors(photometric) + extra_samples.len() as u16;
    let bits = bits(fields, photometric, samples_per_pixel)?;
    let mut sample_format = 1;
    for value in fields.per_sample(Tag::SAMPLE_FORMAT, samples_per_pixel)? {
        sample_format = accept(Tag::SAMPLE_FORMAT, value, &[1, 4])?;
    }
    let predictor = predictor(fields, compression, bits)?;
    let fill_order = one_of(fields, Tag::FILL_ORDER, &[1, 2])?;
    let t4_options = fax_options(fields, compression)?;
    check_bilevel(compression, bits, samples_per_pixel)?;
    check_forerunners(fields)?;
    Ok(PictureKind {
        bits,
        samples_per_pixel,
        photometric,
        extra_samples,
        sample_format,
        compression,
        predictor,
        fill_order,
        t4_options,
    })
}

/// Returns `value` if it is one of `accepted`.
fn accept(tag: Tag, value: u64, accepted: &[u64]) -> Result<u16, TiffError> {
    match accepted.contains(&value) {
        true => Ok(value as u16),
        false => Err(unsupported(describe(tag, value), "")),
    }
}

/// Reads a tag of one value, which must be one of `accepted`.
fn one_of(fields: &Fields<'_>, tag: Tag, accepted: &[u64]) -> Result<u16, TiffError> {
    accept(tag, fields.one(tag)?, accepted)
}

/// Returns the number of samples that are colors.
fn colors(photometric: u16) -> u16 {
    if photometric == 2 { 3 } else { 1 }
}

/// Reads ExtraSamples, which must describe every sample that is not a color.
fn extra_samples(fields: &Fields<'_>, photometric: u16) -> Result<Vec<u16>, TiffError> {
    let colors = u64::from(colors(photometric));
    let samples = fields.one(Tag::SAMPLES_PER_PIXEL)?;
    let extra = fields.extra(Tag::EXTRA_SAMPLES)?;
    if samples < colors || samples != colors + extra.len() as u64 || extra.len() > 3 {
        let what = format!(
            "{} with {} and {} extra samples described by {}",
            describe(Tag::SAMPLES_PER_PIXEL, samples),
            describe(Tag::PHOTOMETRIC_INTERPRETATION, photometric.into()),
            extra.len(),
            Tag::EXTRA_SAMPLES
        );
        return Err(unsupported(what, ""));
    }
    let mut extra_samples = Vec::new();
    for (k, value) in extra.into_iter().enumerate() {
        let accepted: &[u64] = if k == 0 && photometric != 3 { &[0, 1, 2] } else { &[0] };
        extra_samples.push(accept(Tag::EXTRA_SAMPLES, value, accepted)?);
    }
    if photometric == 3 && !extra_samples.is_empty() {
        return Err(unsupported("a palette picture with extra samples".to_owned(), ""));
    }
    Ok(extra_samples)
}

/// Reads BitsPerSample, which must be the same for all samples.
fn bits(fields: &Fields<'_>, photometric: u16, samples: u16) -> Result<u16, TiffError> {
    let bits = fields.per_sample(Tag::BITS_PER_SAMPLE, samples)?;
    let accepted: &[u64] = if photometric == 3 { &[1, 2, 4, 8] } else { &[1, 2, 4, 8, 16, 32] };
    let first = bits.first().copied().unwrap_or(1);
    for value in &bits {
        accept(Tag::BITS_PER_SAMPLE, *value, accepted)?;
        if *value != first {
            let what = format!("{} = {first} and {value}", Tag::BITS_PER_SAMPLE);
            return Err(unsupported(what, "all samples must have the same bits"));
        }
    }
    Ok(first as u16)
}

/// Reads Predictor, which only some compressions have, and only for whole bytes.
fn predictor(fields: &Fields<'_>, compression: u16, bits: u16) -> Result<u16, TiffError> {
    let predictor = one_of(fields, Tag::PREDICTOR, &[1, 2])?;
    let coder = Compression::of_code(compression);
    let differences = coder.is_some_and(Compression::takes_predictor);
    if predictor == 2 && !(differences && bits >= 8) {
        let what = format!(
            "{} with {} and {}",
            describe(Tag::PREDICTOR, 2),
            describe(Tag::COMPRESSION, compression.into()),
            describe(Tag::BITS_PER_SAMPLE, bits.into())
        );
        return Err(unsupported(what, ""));
    }
    Ok(predictor)
}

/// Reads T4Options and T6Options, which may not have uncompressed mode (section 11). Returns
/// T4Options; 0 for other compressions.
fn fax_options(fields: &Fields<'_>, compression: u16) -> Result<u32, TiffError> {
    let first = |tag| Ok::<_, TiffError>(fields.extra(tag)?.first().copied().unwrap_or(0));
    let t4_options = first(Tag::T4_OPTIONS)?;
    if compression == 3 && t4_options & !5 != 0 {
        return Err(unsupported(describe(Tag::T4_OPTIONS, t4_options), ""));
    }
    let t6_options = first(Tag::T6_OPTIONS)?;
    if compression == 4 && t6_options != 0 {
        return Err(unsupported(describe(Tag::T6_OPTIONS, t6_options), ""));
    }
    Ok(if compression == 3 { t4_options as u32 } else { 0 })
}

/// Refuses a bilevel compression of samples that are not bilevel.
fn check_bilevel(compression: u16, bits: u16, samples: u16) -> Result<(), TiffError> {
    let bilevel = bits == 1 && samples == 1;
    if bilevel || !Compression::of_code(compression).is_some_and(Compression::is_bilevel) {
        return Ok(());
    }
    let what = format!(
        "{} with {} and {}",
        describe(Tag::COMPRESSION, compression.into()),
        describe(Tag::BITS_PER_SAMPLE, bits.into()),
        describe(Tag::SAMPLES_PER_PIXEL, samples.into())
    );
    Err(unsupported(what, ""))
}

/// Refuses private forerunners of tags that are read elsewhere, and a palette by another name,
/// unless they have the usual value.
fn check_forerunners(fields: &Fields<'_>) -> Result<(), TiffError> {
    let usual = [(Tag::MATTEING, 0), (Tag::DATA_TYPE, 2), (Tag::IMAGE_DEPTH, 1), (Tag::INDEXED, 0)];
    for (tag, value) in usual {
        for found in fields.extra(tag)? {
            accept(tag, found, &[value])?;
        }
    }
    Ok(())
}

/// Reads the color map of a palette picture (section 8, ColorMap).
pub(super) fn color_map(entry: Option<&Entry>, bits: u16, ifd: u64) -> Result<Vec<u16>, TiffError> {
    let tag = Tag::COLOR_MAP;
    let entry = entry.ok_or(TiffError::Missing { tag, ifd })?;
    let wrong =
        TiffError::WrongType { tag, at: entry.at, kind: entry.values.kind(), must: "SHORT" };
    let values = entry.values.as_integers().ok_or(wrong.clone())?;
    let map: Vec<u16> =
        values.iter().map(|v| u16::try_from(*v)).collect::<Result<_, _>>().map_err(|_| wrong)?;
    let must = 3u64 << bits;
    if map.len() as u64 != must {
        let must = format!("{must}, by {} = {bits}", Tag::BITS_PER_SAMPLE);
        let count = map.len() as u64;
        return Err(TiffError::WrongCount { tag, at: entry.at, count, must });
    }
    if !has_certain_scale(map.iter().copied()) {
        let what = format!("{tag} with no value above 255, whose scale readers guess,");
        return Err(unsupported(what, ""));
    }
    Ok(map)
}
