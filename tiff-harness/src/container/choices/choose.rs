//! Chooses all dimensions of a container.

use inverter::solve::{ChoiceError, ChoiceSource};

use super::layout::ContainerLayout;
use super::options::WriterOptions;
use super::required::{DefaultContext, RequiredTags};
use super::settle::settle;
use super::values::{ASCENDING, ORDERS, SPARES};
use super::{further, metadata};
use crate::alternatives::{self, Alternative, RANDOM};
use crate::container::write::EntryOrder;
use crate::container::{ByteOrder, Class, Format, Profile, Tag, Values};
use crate::dimension;

/// Chooses the byte order. Choices that depend on it may be made before [`choose`], which then
/// chooses the same one.
///
/// # Errors
///
/// Returns an error if the given choice is not a byte order.
pub fn choose_order(source: &mut ChoiceSource) -> Result<ByteOrder, ChoiceError> {
    Ok(ORDERS[source.named(dimension::BYTE_ORDER, &ORDERS.map(ByteOrder::mark))?])
}

/// Chooses the layout of a container of one page that has the `required` tags.
///
/// # Errors
///
/// Returns an error if a given choice is not possible here, or no type holds a value.
pub fn choose(
    source: &mut ChoiceSource,
    options: &WriterOptions,
    required: &RequiredTags,
) -> Result<ContainerLayout, ChoiceError> {
    let mut layout = choose_first(source, options, required)?;
    settle(&mut layout, &[required]);
    Ok(layout)
}

/// Chooses the layout of a container whose first page has the `required` tags. The caller adds the
/// other pages ([`choose_page`]) and then [settles](settle) the tags of all.
///
/// # Errors
///
/// Returns an error if a given choice is not possible here, or no type holds a value.
pub fn choose_first(
    source: &mut ChoiceSource,
    options: &WriterOptions,
    required: &RequiredTags,
) -> Result<ContainerLayout, ChoiceError> {
    let profile = options.profile;
    let class = |format| if format == Format::Big { Class::Extension } else { Class::Baseline };
    let formats = options.formats.iter().map(|f| (*f, f.name(), class(*f)));
    let formats: Vec<Alternative<'_, Format>> = formats.collect();
    let format = alternatives::choose(source, profile, dimension::FORMAT, &formats)?;
    let mut layout = ContainerLayout {
        format: format.unwrap_or(Format::Classic),
        order: choose_order(source)?,
        spare: SPARES[source.named(dimension::SPARE_BYTES, &SPARES.map(|s| s.1))?].0,
        entry_order: choose_entry_order(source, profile)?,
        entries: required.carried().collect(),
        data: Vec::new(),
        profile,
        defaults: DefaultContext::new(|tag| required.get(tag)),
        directories: Vec::new(),
        pages: Vec::new(),
        next: None,
        pointers: Vec::new(),
    };
    choose_tags(source, options, required, &mut layout)?;
    if options.directories {
        further::choose(source, options, &mut layout)?;
    }
    Ok(layout)
}

/// Chooses the tags of a page that comes after the first, in a container of the same format and byte
/// order as `first`. Returns its entries.
///
/// # Errors
///
/// Returns an error if a given choice is not possible here, or no type holds a value.
pub fn choose_page(
    source: &mut ChoiceSource,
    first: &ContainerLayout,
    required: &RequiredTags,
) -> Result<Vec<(Tag, Values)>, ChoiceError> {
    let ContainerLayout { order, format, spare, profile, .. } = *first;
    let mut layout = ContainerLayout {
        format,
        order,
        spare,
        entry_order: EntryOrder::Ascending,
        entries: required.carried().collect(),
        data: Vec::new(),
        profile,
        defaults: DefaultContext::new(|tag| required.get(tag)),
        directories: Vec::new(),
        pages: Vec::new(),
        next: None,
        pointers: Vec::new(),
    };
    choose_tags(source, &WriterOptions::simple(profile), required, &mut layout)?;
    Ok(layout.entries)
}

fn choose_tags(
    source: &mut ChoiceSource,
    options: &WriterOptions,
    required: &RequiredTags,
    layout: &mut ContainerLayout,
) -> Result<(), ChoiceError> {
    for (tag, values) in required.integers() {
        layout.add_tag(source, *tag, values)?;
    }
    metadata::choose(source, options, layout)
}

fn choose_entry_order(
    source: &mut ChoiceSource,
    profile: Profile,
) -> Result<EntryOrder, ChoiceError> {
    let (class, kinds) = (Class::Questionable, [RANDOM]);
    let dimension = dimension::ENTRY_ORDER;
    let random = alternatives::choose_seeded(source, profile, dimension, class, ASCENDING, &kinds)?;
    Ok(random.map_or(EntryOrder::Ascending, |(_, seed)| EntryOrder::Shuffled(seed)))
}
