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
    /// The values of each element by itself.
    pub domains: Vec<Domain>,
    /// The constraints from which these values come.
    pub closed: BTreeMap<Atom, Vec<Residual>>,
    /// The constraints that connect elements, or have no closed form.
    pub coupled: Vec<Residual>,
    /// These, if they are that elements differ.
    pub distinct: Option<Distinct>,
    /// These as a network.
    pub connected: Option<Connected>,
}
