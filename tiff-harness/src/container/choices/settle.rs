//! The tags of all pages that refer to the file or to other pages.

use super::layout::ContainerLayout;
use super::required::RequiredTags;
use crate::container::carried::{PageFacts, carry_among};
use crate::container::{Tag, Values};
use crate::image::belongs_to_another;

/// Removes the seed's tags that would be wrong from the pages of `layout`, and adjusts those that can be adjusted. Only
/// now are all facts known to which these tags may refer; the tags were kept until now, so that none of them was drawn.
/// Drawn page numbers are made consistent. `required` has the tags of each page.
pub fn settle(layout: &mut ContainerLayout, required: &[&RequiredTags]) {
    let (order, added) = (layout.order, layout.added_pages());
    let facts: Vec<PageFacts> = required.iter().map(|page| page.facts(order, added)).collect();
    let numbers = numbers(layout, required);
    let first = std::iter::once(&mut layout.entries);
    let entries = first.chain(layout.pages.iter_mut().map(|page| &mut page.entries));
    for (k, (entries, page)) in entries.zip(required).enumerate() {
        let (variant, seed) = &facts[k];
        let settled = |(tag, values)| match page.may_lose(tag) {
            true => Some((tag, carry_among(&facts, tag, values, variant, seed)?)),
            false if tag == Tag::PAGE_NUMBER && !page.has(tag) => numbers.drawn(k, values),
            false => Some((tag, values)),
        };
        *entries = std::mem::take(entries).into_iter().filter_map(settled).collect();
        entries.sort_by_key(|entry| entry.0);
    }
}

/// The numbers of the pages in a document.
struct Numbers {
    /// The number of each page; `None` for reduced versions of a page, and masks.
    each: Vec<Option<u16>>,
    /// The number of pages.
    all: u16,
    /// True if the seed has page numbers, which may be those of a longer document.
    are_given: bool,
}

impl Numbers {
    /// Returns the drawn PageNumber of page `k`. It agrees with the other pages, except that the number of pages may be
    /// 0, "not available" (TIFF 6.0, section 12). A single page may be any page of a document.
    fn drawn(&self, k: usize, values: Values) -> Option<(Tag, Values)> {
        let keep = |values| Some((Tag::PAGE_NUMBER, values));
        if self.all <= 1 && self.each.len() == 1 {
            return keep(values);
        }
        let number = self.each.get(k).copied().flatten().filter(|_| !self.are_given)?;
        let is_told = values.as_integers().is_none_or(|numbers| numbers.get(1) != Some(&0));
        keep(Values::shorts(&[number, if is_told { self.all } else { 0 }]))
    }
}

/// Numbers the pages.
fn numbers(layout: &ContainerLayout, required: &[&RequiredTags]) -> Numbers {
    let mut next = 0u16;
    let mut number = |belongs_to_another: bool| {
        let own = (!belongs_to_another).then_some(next);
        next = next.saturating_add(u16::from(!belongs_to_another));
        own
    };
    let each = required.iter().map(|page| number(page.belongs_to_another())).collect();
    for subfile in layout.added_subfiles() {
        number(belongs_to_another(subfile));
    }
    let are_given = required.iter().any(|page| page.has(Tag::PAGE_NUMBER));
    Numbers { each, all: next, are_given }
}
