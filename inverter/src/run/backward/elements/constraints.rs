//! The constraints on the elements of an array, single or connected.

use std::collections::BTreeMap;

use super::connected::Connected;
use super::distinct::Distinct;
use crate::program::Atom;
use crate::run::backward::constraints::constraint::Residual;
use crate::solve::Domain;

/// The constraints on the elements of an array.
#[derive(Debug)]
pub struct Split {
    /// The values that each element may have, apart from the others.
    pub domains: Vec<Domain>,
    /// The constraints from which these values come.
    pub closed: BTreeMap<Atom, Vec<Residual>>,
    /// The constraints that connect elements, or have no closed form.
    pub coupled: Vec<Residual>,
    /// The coupled constraints, if they require only that elements differ.
    pub distinct: Option<Distinct>,
    /// The coupled constraints as a network.
    pub connected: Option<Connected>,
}
