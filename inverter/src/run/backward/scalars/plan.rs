//! The plan of an ensure of scalars: its open unknowns and constraints, in a form that can be kept and reused for
//! draws.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use crate::invert::EnsureId;
use crate::program::{FieldId, Pred};
use crate::run::backward::constraints::constraint::{Residual, Residuals};
use crate::solve::Domain;
use crate::solve::network::Network;

/// The unknowns and constraints of an ensure, in connected components.
#[derive(Debug)]
pub struct Plan {
    /// The residual constraints.
    pub left: Residuals,
    /// The unknowns, by connected component.
    pub components: Vec<Arc<Component>>,
    /// The constraints that keep writes disjoint.
    pub disjoint: Vec<Pred>,
    /// The components if some writes must overlap.
    pub overlapping: OnceLock<Vec<Arc<Component>>>,
    /// The components if writes may overlap.
    pub loose: OnceLock<Vec<Arc<Component>>>,
}

/// The unknowns of a component, and the constraints on them.
pub type ComponentKey = (Vec<FieldId>, Vec<Residual>);

/// A connected component: unknown scalars that constraints connect.
#[derive(Debug)]
pub struct Component {
    /// The unknowns.
    pub fields: Vec<FieldId>,
    /// The constraints on them.
    pub preds: Vec<Residual>,
    /// The values of a single unknown, if they have a closed form.
    pub domain: Option<Domain>,
    /// The component as a network; `None` if a constraint mentions anything but its unknowns.
    pub network: OnceLock<Option<Network>>,
}

/// The reason why an assignment fails, and the inputs on which the reason depends.
#[derive(Debug, Clone)]
pub struct Conflict {
    /// The reason, in words.
    pub why: String,
    /// The inputs.
    pub depends_on: BTreeSet<FieldId>,
    /// If the reason is a lack of room, the ensure of places whose segments do not fit, and their array.
    pub crowded: Option<(EnsureId, FieldId)>,
}
