//! Contracts that would explain an output: conventions for the unknown properties.

use super::convention::{
    Alpha, Channels, Depth, Listed, Orientation, Packed, Pages, Palette, Photometric, Unspecified,
};
use super::facts::{Colors, Facts};
use super::terms::Contract;

impl Contract {
    /// Returns the contracts that agree with this one, and state a convention for each unknown property on which a file
    /// with one of these `facts` depends. The most conservative come first.
    pub fn completions(&self, facts: &[&Facts]) -> Vec<Contract> {
        let any = |depends: fn(&Facts) -> bool| facts.iter().any(|facts| depends(facts));
        let mut all = vec![Contract { unknown: Default::default(), ..self.clone() }];
        if any(|f| f.pages > 1) {
            fill(&mut all, Pages::ALL, |c| &mut c.pages);
        }
        if any(|f| f.colors() == Colors::Palette) {
            fill(&mut all, Palette::ALL, |c| &mut c.palette);
        }
        if any(|f| f.photometric == 0) {
            fill(&mut all, Photometric::ALL, |c| &mut c.photometric);
        }
        if any(|f| f.colors() == Colors::Rgb) {
            fill(&mut all, Channels::ALL, |c| &mut c.channels);
        }
        if any(|f| f.depth() > 8) {
            fill(&mut all, Depth::ALL, |c| &mut c.depth);
            if self.unknown.contains_key("gray_depth") {
                fill(&mut all, Depth::ALL, |c| &mut c.gray_depth);
            }
            if self.unknown.contains_key("palette_depth") {
                fill(&mut all, Depth::ALL, |c| &mut c.palette_depth);
            }
        }
        if any(|f| matches!(f.bits, 2 | 4)) {
            fill(&mut all, Packed::ALL, |c| &mut c.packed);
        }
        if any(Facts::has_unspecified) {
            fill(&mut all, Unspecified::ALL, |c| &mut c.unspecified);
        }
        if any(|f| f.has_alpha() || f.has_unspecified()) {
            fill(&mut all, Alpha::ALL, |c| &mut c.alpha);
            if self.unknown.contains_key("gray_alpha") {
                fill(&mut all, Alpha::ALL, |c| &mut c.gray_alpha);
            }
        }
        if any(|f| f.orientation != 1) {
            fill(&mut all, Orientation::ALL, |c| &mut c.orientation);
        }
        all
    }

    /// Returns the conventions of `completion` that this contract does not state, except conventions that change
    /// nothing. If there are none, returns the conventions that the contract states.
    pub fn assumed(&self, completion: &Contract) -> Vec<(&'static str, Listed)> {
        let known = self.properties();
        let exact = Contract { packed: Some(Packed::Scaled), ..Contract::exact() }.properties();
        let changes = |(property, convention): &(&'static str, Listed)| {
            let general = property.rsplit('_').next().unwrap_or(property);
            !exact.contains(&(general, *convention))
        };
        let is_new = |(property, _): &(&'static str, Listed)| {
            known.iter().all(|(known, _)| known != property)
        };
        let stated: Vec<_> = completion.properties().into_iter().filter(changes).collect();
        let new: Vec<_> = stated.iter().copied().filter(is_new).collect();
        if new.is_empty() { stated } else { new }
    }
}

/// Replaces each contract that lacks a property by one for each of its conventions.
fn fill<T: Copy>(
    contracts: &mut Vec<Contract>,
    conventions: &[T],
    property: fn(&mut Contract) -> &mut Option<T>,
) {
    let filled = |mut contract: Contract| -> Vec<Contract> {
        if property(&mut contract).is_some() {
            return vec![contract];
        }
        let with = |convention: &T| {
            let mut contract = contract.clone();
            *property(&mut contract) = Some(*convention);
            contract
        };
        conventions.iter().map(with).collect()
    };
    *contracts = std::mem::take(contracts).into_iter().flat_map(filled).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(orientation: u16, extra: &[u16]) -> Facts {
        let extra_samples = extra.to_vec();
        Facts { orientation, photometric: 2, bits: 8, extra_samples, pages: 1 }
    }

    #[test]
    fn only_what_is_unknown_and_matters_is_filled_in() {
        let plain = facts(1, &[]);
        let known = Contract { orientation: None, ..Contract::exact() };
        assert_eq!(known.completions(&[&plain]), std::slice::from_ref(&known));
        let turned = known.completions(&[&plain, &facts(6, &[])]);
        let orientations: Vec<_> = turned.iter().map(|c| c.orientation).collect();
        assert_eq!(orientations, Orientation::ALL.iter().map(|o| Some(*o)).collect::<Vec<_>>());
        // Channels, unspecified and alpha of a client about which nothing is known.
        let nothing = Contract::default().completions(&[&facts(1, &[0])]);
        let count = Channels::ALL.len() * Unspecified::ALL.len() * Alpha::ALL.len();
        assert_eq!(nothing.len(), count);
    }

    #[test]
    fn what_tiff_demands_is_no_assumption() {
        let known = Contract { orientation: None, ..Contract::exact() };
        let assumed: Vec<Vec<&str>> = known
            .completions(&[&facts(3, &[])])
            .iter()
            .map(|completion| known.assumed(completion).iter().map(|(_, l)| l.name).collect())
            .collect();
        assert_eq!(assumed, [vec![], vec!["stored"], vec!["flips only"]]);
        let flips = Contract { orientation: Some(Orientation::Flips), ..Contract::exact() };
        let stated = flips.assumed(&flips);
        assert_eq!(stated, [("orientation", Orientation::Flips.listed())]);
    }
}
