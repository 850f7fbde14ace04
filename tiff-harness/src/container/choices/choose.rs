//! Chooses all dimensions of a container.

use inverter::solve::{ChoiceError, ChoiceSource};

use super::layout::ContainerLayout;
use super::options::WriterOptions;
use super::required::{DefaultContext, RequiredTags};
use super::values::{ASCENDING, ORDERS, SPARES};
use super::{further, metadata};
use crate::alternatives::{self, Alternative, RANDOM};
use crate::container::write::EntryOrder;
use crate::container::{ByteOrder, Class, Format, Profile};
use crate::dimension;

/// Chooses the byte order. Choices that depend on it may be made before [`choose`], which then
/// chooses the same one.
///
/// # Errors
///
/// If the given choice is not a byte order.
pub fn choose_order(source: &mut ChoiceSource) -> Result<ByteOrder, ChoiceError> {
    Ok(ORDERS[source.named(dimension::BYTE_ORDER, &ORDERS.map(ByteOrder::mark))?])
}

/// Chooses the layout of a container that has the `required` tags.
///
/// # Errors
///
/// If a given choice is not possible here, or no type holds a value.
pub fn choose(
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
        next: None,
        pointers: Vec::new(),
    };
    for (tag, values) in required.integers() {
        layout.add_tag(source, *tag, values)?;
    }
    metadata::choose(source, options, &mut layout)?;
    if options.directories {
        further::choose(source, &mut layout)?;
    }
    // Only now is all known that the seed's tags may speak of. They were there until now, so that none
    // of them was drawn.
    let entries = std::mem::take(&mut layout.entries);
    layout.entries = required.settle(entries, layout.order, layout.pages());
    layout.entries.sort_by_key(|entry| entry.0);
    Ok(layout)
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
