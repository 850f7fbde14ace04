//! The source of all choices: everything that an inverse is free to decide, by name.
//!
//! Every value that an `ensure` or a `:= *` assigns to a variable is a *choice* of a named *dimension*. All choices of
//! a variant come from one [`ChoiceSource`], which records them; the record replays the variant
//! ([`ChoiceSource::replaying`]). Each dimension draws from its own random stream, keyed by (run seed, variant index,
//! whole name). Adding a dimension to a spec therefore does not change the values of others, and the order of requests
//! does not matter.
//!
//! A value comes from the first [`Origin`] that has one. Under a [`Restriction`], a dimension that may not vary has its
//! fixed, kept or simplest value, and other settings for it are ignored. Parts of an inverse (a stage, a primitive) use
//! short names within a scope ([`ChoiceSource::within`]); given, baseline and recorded choices are by whole name.

use std::cell::Cell;
use std::sync::Arc;

use rand::RngExt;

use super::choices::{Choice, Choices};
use super::dimension::{DimensionId, IntoDimension, Scope, ScopeRef};
use super::origin::Origin;
use super::restriction::Restriction;
use super::soft::SoftConstraints;
use super::stream::{Purpose, Stream, stream};
use super::vary::Vary;

/// A given value that its dimension does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("choice `{dimension}` = {value} is not possible here: {why}")]
pub struct ChoiceError {
    /// The dimension.
    pub dimension: DimensionId,
    /// The given value.
    pub value: Choice,
    /// The condition that it violates.
    pub why: String,
}

/// The number of recorded dimensions for which there is room at first.
const MANY: usize = 64;

/// Decides and records everything that is free in one variant.
#[derive(Debug, Clone)]
pub struct ChoiceSource {
    seed: u64,
    index: u64,
    vary: Arc<Vary>,
    given: Arc<Choices>,
    baseline: Arc<Choices>,
    overrides: Arc<Choices>,
    /// Baseline values in this variant's numbering, if that differs from the seed's.
    translated: Choices,
    soft: Option<Arc<SoftConstraints>>,
    restriction: Option<Arc<Restriction>>,
    /// The conditions that fixed values violated where they were requested.
    violated: Vec<(DimensionId, String)>,
    recorded: Choices,
    /// The origin of each recorded choice, in the same order; `None` if a solver fixed it.
    origins: Vec<Option<Origin>>,
    scope: Scope,
}

impl ChoiceSource {
    /// The source of variant `index` of a run, in which every dimension varies.
    pub fn seeded(seed: u64, index: u64) -> Self {
        Self {
            seed,
            index,
            vary: Arc::new(Vary::All),
            given: Arc::default(),
            baseline: Arc::default(),
            overrides: Arc::default(),
            translated: Choices::new(),
            soft: None,
            restriction: None,
            violated: Vec::new(),
            recorded: Choices::with_capacity(MANY),
            origins: Vec::with_capacity(MANY),
            scope: Scope::root(),
        }
    }

    /// A source that repeats `choices`, and takes the baseline's or the simplest value for
    /// dimensions that they leave out.
    pub fn replaying(choices: Choices) -> Self {
        Self::seeded(0, 0).with_given(choices).with_vary(Vary::none())
    }

    /// Sets the values that dimensions have while they do not vary: those of the seed file.
    #[must_use]
    pub fn with_baseline(mut self, baseline: impl Into<Arc<Choices>>) -> Self {
        self.baseline = baseline.into();
        self
    }

    /// Sets the baseline unless the source has one already.
    #[must_use]
    pub fn or_baseline(mut self, baseline: &Arc<Choices>) -> Self {
        if self.baseline.is_empty() {
            self.baseline = Arc::clone(baseline);
        }
        self
    }

    /// Sets default overrides: values that replace the baseline's if they fit.
    #[must_use]
    pub fn with_overrides(mut self, overrides: impl Into<Arc<Choices>>) -> Self {
        self.overrides = overrides.into();
        self
    }

    /// Sets the given choices. Each must fit, or there is no variant.
    #[must_use]
    pub fn with_given(mut self, given: impl Into<Arc<Choices>>) -> Self {
        self.given = given.into();
        self
    }

    /// Sets the dimensions that vary.
    #[must_use]
    pub fn with_vary(mut self, vary: impl Into<Arc<Vary>>) -> Self {
        self.vary = vary.into();
        self
    }

    /// Sets the soft constraints, which are satisfied where possible.
    #[must_use]
    pub fn with_soft_constraints(mut self, constraints: SoftConstraints) -> Self {
        self.soft = Some(Arc::new(constraints));
        self
    }

    /// Sets the restriction. [`ChoiceSource::complies`] checks the result.
    #[must_use]
    pub fn with_restriction(mut self, restriction: impl Into<Arc<Restriction>>) -> Self {
        self.restriction = Some(restriction.into());
        self
    }

    /// Returns the source with other random numbers, for another attempt at a variant; attempt 0 is the source itself.
    /// `None` if nothing varies, because the attempt would repeat the previous one.
    #[must_use]
    pub fn attempt(&self, attempt: u64) -> Option<Self> {
        if attempt > 0 && *self.vary == Vary::none() {
            return None;
        }
        // An odd factor: different attempts have different seeds.
        let seed = self.seed ^ attempt.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Some(Self { seed, ..self.clone() })
    }

    /// Takes over the choices of another attempt.
    pub fn adopt(&mut self, attempt: Self) {
        *self = Self { seed: self.seed, ..attempt };
    }

    /// Runs `choose` with every short name preceded by `prefix`. Scopes nest.
    pub fn within<T>(&mut self, prefix: &str, choose: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope;
        self.scope = outer.within(prefix);
        let result = choose(self);
        self.scope = outer;
        result
    }

    /// Sets the baseline's value of `dimension` in this variant, if it no longer means what it means in the seed;
    /// `None` if it still does, or has no counterpart here. Call this before the dimension is chosen.
    pub fn translate(&mut self, dimension: impl IntoDimension, value: Option<Choice>) {
        let id = self.id(dimension);
        match value {
            Some(value) => self.translated.set(id, value),
            None => drop(self.translated.remove(id)),
        }
    }

    /// The prefix of the current scope; `None` if there is none.
    pub fn scope(&self) -> Option<DimensionId> {
        self.scope.0
    }

    /// The dimension to which a name refers in the current scope.
    pub fn id(&self, dimension: impl IntoDimension) -> DimensionId {
        dimension.resolve(ScopeRef(self.scope))
    }

    /// The error for a `value` that does not fit `dimension`; `why` is the violated condition.
    pub fn refusal(
        &self,
        dimension: impl IntoDimension,
        value: &Choice,
        why: impl Into<String>,
    ) -> ChoiceError {
        ChoiceError { dimension: self.id(dimension), value: value.clone(), why: why.into() }
    }

    /// The given value for `dimension`, unless the restriction decides its value.
    pub fn given(&self, dimension: impl IntoDimension) -> Option<&Choice> {
        let id = self.id(dimension);
        self.given.get(id).filter(|_| self.may_vary(id))
    }

    /// The value that the restriction fixes for `dimension`.
    fn fixed(&self, id: DimensionId) -> Option<&Choice> {
        self.restriction.as_ref()?.fixed().get(id)
    }

    /// Returns true if the restriction, if any, lets `dimension` vary.
    fn may_vary(&self, id: DimensionId) -> bool {
        self.restriction.as_ref().is_none_or(|restriction| restriction.may_vary(id))
    }

    /// Returns true if a value is given or fixed for `dimension`.
    pub fn is_given(&self, dimension: impl IntoDimension) -> bool {
        let id = self.id(dimension);
        self.given(id).is_some() || self.fixed(id).is_some()
    }

    /// The value that `dimension` has while it does not vary, if there is one.
    pub fn default_value(&self, dimension: impl IntoDimension) -> Option<&Choice> {
        let id = self.id(dimension);
        if let Some(restriction) = self.restriction.as_ref().filter(|_| !self.may_vary(id)) {
            let kept = || restriction.kept_value(id);
            return self.fixed(id).or_else(|| self.translated.get(id)).or_else(kept);
        }
        let defaults = [&*self.overrides, &self.translated, &*self.baseline];
        defaults.into_iter().find_map(|choices| choices.get(id))
    }

    /// The baseline's value of `dimension`.
    pub fn baseline(&self, dimension: impl IntoDimension) -> Option<&Choice> {
        self.baseline.get(self.id(dimension))
    }

    /// The baseline's values in this variant's numbering where that differs: a position may count more or fewer things
    /// before it than in the seed.
    pub fn translated(&self) -> &Choices {
        &self.translated
    }

    /// The choices made so far, by whole name.
    pub fn recorded(&self) -> &Choices {
        &self.recorded
    }

    /// The choices made.
    pub fn into_recorded(self) -> Choices {
        self.recorded
    }

    /// The names of given choices whose dimensions were never requested, because they are misspelt, or do not exist in
    /// this variant.
    pub fn unused(&self) -> Vec<&'static str> {
        let unused = self.given.ids().filter(|id| self.recorded.get(*id).is_none());
        unused.map(DimensionId::name).collect()
    }

    /// Checks that the choices made comply with the restriction: each dimension has its fixed value, if any, and given
    /// choices for dimensions that may not vary equal the values that these have anyway.
    ///
    /// # Errors
    ///
    /// The fixed value with the condition that it violates, or the given choice.
    pub fn complies(&self) -> Result<(), ChoiceError> {
        let Some(restriction) = &self.restriction else { return Ok(()) };
        for (id, value) in restriction.fixed().entries() {
            if self.recorded.get(id).is_some_and(|recorded| recorded != value) {
                let violated = self.violated.iter().find(|(dimension, _)| *dimension == id);
                let why = violated.map_or("it does not fit the other choices", |(_, why)| why);
                return Err(self.refusal(id, value, why));
            }
        }
        let held = self.given.entries().filter(|(id, _)| !self.may_vary(*id));
        for (id, value) in held {
            if let Some(recorded) = self.recorded.get(id).filter(|recorded| *recorded != value) {
                let why = format!("it does not vary, and is {recorded} here");
                return Err(self.refusal(id, value, why));
            }
        }
        Ok(())
    }

    /// The value chosen for `dimension`, if any.
    pub fn chosen(&self, dimension: impl IntoDimension) -> Option<&Choice> {
        self.recorded.get(self.id(dimension))
    }

    /// The origin of the value chosen for `dimension`; `None` if there is none, or a solver fixed
    /// it.
    pub fn origin(&self, dimension: impl IntoDimension) -> Option<Origin> {
        let place = self.recorded.index_of(self.id(dimension))?;
        self.origins.get(place).copied().flatten()
    }

    /// Records a value that a solver found.
    ///
    /// # Errors
    ///
    /// Returns an error if another value is given; `why` names the constraint that the given value violates.
    pub fn fix(
        &mut self,
        dimension: impl IntoDimension,
        value: Choice,
        why: impl FnOnce() -> String,
    ) -> Result<(), ChoiceError> {
        let id = self.id(dimension);
        match self.given(id) {
            Some(given) if *given != value => {
                let why = format!("with it there is no solution of {}", why());
                Err(self.refusal(id, given, why))
            }
            given => {
                let origin = given.map(|_| Origin::Given);
                self.record(id, value, origin);
                Ok(())
            }
        }
    }

    /// Removes the record of `dimension`, so that it can be chosen again.
    pub fn retract(&mut self, dimension: impl IntoDimension) {
        let id = self.id(dimension);
        if let Some(place) = self.recorded.index_of(id) {
            self.recorded.remove(id);
            self.origins.remove(place);
        }
    }

    /// Removes the records of all but the first `len` dimensions, so that they can be chosen again.
    pub fn rewind(&mut self, len: usize) {
        self.recorded.truncate(len);
        self.origins.truncate(len);
    }

    /// The random stream of `dimension`.
    pub fn stream(&self, dimension: impl IntoDimension) -> Stream {
        self.stream_for(dimension, Purpose::Value)
    }

    /// The random stream of `dimension` for a purpose.
    pub fn stream_for(&self, dimension: impl IntoDimension, purpose: Purpose) -> Stream {
        stream(self.seed, self.index, self.id(dimension), purpose)
    }

    /// Returns true if `dimension` is drawn at random: no value is given, and it varies.
    pub fn varies(&self, dimension: impl IntoDimension) -> bool {
        let id = self.id(dimension);
        if self.given.get(id).is_some() || !self.may_vary(id) {
            return false;
        }
        match &*self.vary {
            Vary::All => true,
            Vary::Only(ids) => ids.contains(&id),
            Vary::Share(share) => {
                self.stream_for(id, Purpose::Varies).random_bool(share.clamp(0.0, 1.0))
            }
        }
    }

    /// Returns true if `dimension` will have `value`, provided that it fits: it is the given value, or the default of a
    /// dimension that neither varies nor has a soft constraint.
    pub fn stays(&self, dimension: impl IntoDimension, value: &Choice) -> bool {
        let id = self.id(dimension);
        match self.given(id) {
            Some(given) => given == value,
            None => {
                self.soft_for(id).is_none_or(|soft| !soft.has(id))
                    && !self.varies(id)
                    && self.default_value(id) == Some(value)
            }
        }
    }

    /// Chooses a value, from the first [`Origin`] that has one. `fit` converts a value to the caller's form, or returns
    /// the condition that it violates; values of `simplest` and `draw` must fit. A value chosen earlier is chosen again
    /// if it fits.
    ///
    /// # Errors
    ///
    /// Returns an error if a given value does not fit.
    pub fn choose<T>(
        &mut self,
        dimension: impl IntoDimension,
        fit: impl Fn(&Choice) -> Result<T, String>,
        simplest: impl FnOnce() -> Choice,
        mut draw: impl FnMut(&mut Stream) -> Choice,
    ) -> Result<T, ChoiceError> {
        let id = self.id(dimension);
        if let Some(Ok(fitted)) = self.recorded.get(id).map(&fit) {
            return Ok(fitted);
        }
        if let Some(Err(why)) = self.fixed(id).map(&fit) {
            self.violated.retain(|(dimension, _)| *dimension != id);
            self.violated.push((id, why));
        }
        // To check whether a default fits, it was converted.
        let converted = Cell::new(None);
        let fits = |value: &Choice| {
            let fitted = fit(value).ok();
            let fits = fitted.is_some();
            converted.set(fitted);
            fits
        };
        let (origin, value) = Origin::PRECEDENCE
            .into_iter()
            .find_map(|origin| Some((origin, self.candidate(origin, id, fits, &mut draw)?)))
            .unwrap_or_else(|| (Origin::Simplest, simplest()));
        let is_default = matches!(origin, Origin::Override | Origin::Translated | Origin::Baseline);
        let fitted = match converted.take().filter(|_| is_default) {
            Some(fitted) => fitted,
            None => fit(&value).map_err(|why| self.refusal(id, &value, why))?,
        };
        self.record(id, value, Some(origin));
        Ok(fitted)
    }

    /// Returns the value that `origin` has for a dimension. The caller supplies the simplest one.
    fn candidate(
        &self,
        origin: Origin,
        id: DimensionId,
        fits: impl Fn(&Choice) -> bool,
        mut draw: impl FnMut(&mut Stream) -> Choice,
    ) -> Option<Choice> {
        let fitting = |value: Option<&Choice>| value.filter(|value| fits(value)).cloned();
        let default = |choices: &Choices| fitting(choices.get(id));
        let held = self.restriction.as_ref().filter(|_| !self.may_vary(id));
        match origin {
            Origin::Given => self.given(id).cloned(),
            Origin::Fixed => fitting(self.fixed(id)),
            Origin::SoftConstraint => self.softly(id, fits, draw),
            Origin::Drawn => self.varies(id).then(|| draw(&mut self.stream(id))),
            Origin::Override => default(&self.overrides).filter(|_| held.is_none()),
            Origin::Translated => default(&self.translated),
            Origin::Baseline => match held {
                Some(restriction) => fitting(restriction.kept_value(id)),
                None => default(&self.baseline),
            },
            Origin::Simplest => None,
        }
    }

    /// Returns a value that satisfies both the soft constraint of a dimension and `fits`.
    pub(super) fn softly(
        &self,
        id: DimensionId,
        fits: impl Fn(&Choice) -> bool,
        draw: impl FnMut(&mut Stream) -> Choice,
    ) -> Option<Choice> {
        let rng = || self.stream_for(id, Purpose::Wished);
        self.soft_for(id)?.value(id, fits, rng, draw)
    }

    /// Returns true if a dimension should have a value of some class. Such values are drawn with the preference for
    /// values that find bugs, because a rare class would come up too seldom in an even draw among few values.
    pub(super) fn is_wished(&self, id: DimensionId) -> bool {
        self.soft_for(id).is_some_and(|soft| soft.has(id))
    }

    /// The soft constraints, for a dimension that may vary.
    fn soft_for(&self, id: DimensionId) -> Option<&SoftConstraints> {
        self.soft.as_deref().filter(|_| self.may_vary(id))
    }

    /// Moves the `members` that satisfy the soft constraint of a dimension to the front.
    pub(super) fn prefer_softly(&self, id: DimensionId, members: &mut [i128]) {
        if let Some(soft) = self.soft_for(id) {
            soft.prefer(id, members);
        }
    }

    fn record(&mut self, id: DimensionId, value: Choice, origin: Option<Origin>) {
        let place = self.recorded.insert(id, value);
        if place == self.origins.len() {
            self.origins.push(origin);
        } else {
            self.origins[place] = origin;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IntervalSet, SoftConstraint, value_class};

    #[test]
    fn a_dimension_added_changes_no_other() {
        let all = IntervalSet::range(0, u32::MAX.into());
        let mut a = ChoiceSource::seeded(1, 2);
        let mut b = ChoiceSource::seeded(1, 2);
        b.integer("new", &all, &[]).unwrap();
        assert_eq!(a.integer("old", &all, &[]), b.integer("old", &all, &[]));
    }

    #[test]
    fn replay_gives_the_same_and_names_what_it_cannot_use() {
        let mut first = ChoiceSource::seeded(7, 0);
        let order = first.permutation("strip order", 9).unwrap();
        let gaps = first.gaps("strip gaps", 9, 1000).unwrap();
        let text = serde_json::to_string(first.recorded()).unwrap();
        let mut again = ChoiceSource::replaying(serde_json::from_str(&text).unwrap());
        assert_eq!(again.permutation("strip order", 9).unwrap(), order);
        assert_eq!(again.unused(), ["strip gaps"]);
        assert_eq!(again.gaps("strip gaps", 9, 1000).unwrap(), gaps);
    }

    #[test]
    fn a_given_value_that_does_not_fit_is_refused_in_words() {
        let mut given = Choices::new();
        given.set("orientation", 9);
        let mut source = ChoiceSource::replaying(given);
        let error = source.integer("orientation", &IntervalSet::range(1, 8), &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "choice `orientation` = 9 is not possible here: it must be 1 to 8"
        );
    }

    #[test]
    fn scopes_nest_and_end() {
        let all = IntervalSet::range(0, u32::MAX.into());
        let mut source = ChoiceSource::seeded(5, 6);
        let ask = |s: &mut ChoiceSource| s.integer("c", &all, &[]);
        let inner = source.within("a: ", |s| s.within("b ", ask)).unwrap();
        source.integer("c", &all, &[]).unwrap();
        let names: Vec<&str> = source.recorded().iter().map(|c| c.0).collect();
        assert_eq!(names, ["a: b c", "c"]);
        // A scope is only a part of the name.
        assert_eq!(ChoiceSource::seeded(5, 6).integer("a: b c", &all, &[]).unwrap(), inner);
        let mut again = ChoiceSource::replaying(source.into_recorded());
        assert_eq!(again.within("a: ", |s| s.within("b ", ask)).unwrap(), inner);
        assert_eq!(again.unused(), ["c"]);
        let error = again.within("a: ", |s| s.named("b c", &["x"])).unwrap_err();
        assert!(error.to_string().starts_with("choice `a: b c` = "), "{error}");
    }

    #[test]
    fn what_does_not_vary_keeps_the_baseline() {
        let mut own = Choices::new();
        own.set("a", 5);
        own.set("b", 500);
        let domain = IntervalSet::range(0, 100);
        let mut source = ChoiceSource::seeded(3, 3).with_baseline(own).with_vary(Vary::none());
        assert_eq!(source.integer("a", &domain, &[]).unwrap(), 5);
        assert_eq!(source.integer("b", &domain, &[]).unwrap(), 0, "500 does not fit");
    }

    #[test]
    fn drawn_values_fit_their_domain() {
        let domain = IntervalSet::from_spans([(3, 5), (100, 100), (1 << 20, 1 << 40)]);
        for index in 0..2000 {
            let mut source = ChoiceSource::seeded(0, index);
            source.integer("v", &domain, &[4, 100, 7, 1 << 21]).unwrap();
            source.permutation("p", index as usize % 7).unwrap();
            source.gaps("g", index as usize % 7, index % 50).unwrap();
        }
    }

    fn constrained(all: &[(&str, &str, &[Choice])]) -> ChoiceSource {
        let mut soft = SoftConstraints::new(Arc::new(value_class));
        for (dimension, class, examples) in all {
            let class = (*class).to_owned();
            soft.add(dimension, SoftConstraint { class, examples: examples.to_vec() });
        }
        ChoiceSource::seeded(1, 1).with_soft_constraints(soft)
    }

    #[test]
    fn soft_constraints_are_satisfied_where_they_can_be() {
        let examples = [Choice::List(vec![1, 0])];
        let mut source = constrained(&[
            ("a: strip order", "reversed", &examples),
            ("orientation", "7", &[]),
            ("coding", "LZW", &[]),
            ("impossible", "99", &[Choice::Int(99)]),
        ]);
        // The example has two strips, so it fits only variants with two.
        let order = source.within("a: ", |s| s.permutation("strip order", 4)).unwrap();
        assert_eq!(order, [3, 2, 1, 0]);
        assert_eq!(source.integer("orientation", &IntervalSet::range(1, 8), &[]).unwrap(), 7);
        assert_eq!(source.named("coding", &["none", "fax", "LZW"]).unwrap(), 2);
        assert!(
            (1..=8)
                .contains(&source.integer("impossible", &IntervalSet::range(1, 8), &[]).unwrap())
        );
        assert_eq!(source.preference("orientation", &[1, 2, 7, 8])[0], 7);
    }

    #[test]
    fn given_choices_precede_soft_constraints() {
        let mut given = Choices::new();
        given.set("orientation", 3);
        let mut source = constrained(&[("orientation", "7", &[])]).with_given(given);
        assert_eq!(source.integer("orientation", &IntervalSet::range(1, 8), &[]).unwrap(), 3);
        assert_eq!(source.preference("orientation", &[1, 3, 7]), [3]);
    }

    fn one(name: &str, n: i128) -> Choices {
        Choices::from_iter([(name, Choice::Int(n))])
    }

    /// Lets only `free` vary, fixes `fixed` = 6, and keeps `held` = 5.
    fn restricted() -> ChoiceSource {
        let restriction = Restriction::new(|name| name == "free")
            .with_fixed(one("fixed", 6))
            .with_kept(one("held", 5));
        ChoiceSource::seeded(2, 0).with_restriction(restriction)
    }

    #[test]
    fn dimensions_that_may_not_vary_keep_their_value() {
        let (all, small) = (IntervalSet::range(0, 1 << 40), IntervalSet::range(0, 4));
        let mut soft = SoftConstraints::new(Arc::new(value_class));
        for name in ["held", "fixed", "free"] {
            let examples = vec![Choice::Int(9)];
            soft.add(name, SoftConstraint { class: "9".to_owned(), examples });
        }
        let mut source = restricted()
            .with_overrides(one("held", 8))
            .with_baseline(one("held", 7))
            .with_soft_constraints(soft);
        let varies = ["held", "fixed", "free", "other"].map(|name| source.varies(name));
        assert_eq!(varies, [false, false, true, false]);
        assert_eq!(source.default_value("held"), Some(&Choice::Int(5)));
        assert_eq!(source.preference("held", &[3, 4, 5, 9])[0], 5);
        assert_eq!(source.preference("fixed", &[3, 4, 6, 9])[0], 6);
        let values =
            ["held", "fixed", "free", "other"].map(|name| source.integer(name, &all, &[]).unwrap());
        assert_eq!(values, [5, 6, 9, 0]);
        let origins = ["held", "fixed", "free", "other"].map(|name| source.origin(name).unwrap());
        let expected = [Origin::Baseline, Origin::Fixed, Origin::SoftConstraint, Origin::Simplest];
        assert_eq!(origins, expected);
        assert_eq!(source.complies(), Ok(()));
        // If the seed's value does not fit, the simplest one is used; a translated value takes precedence.
        assert_eq!(restricted().integer("held", &small, &[]), Ok(0));
        let mut source = restricted();
        source.translate("held", Some(Choice::Int(3)));
        assert_eq!(source.integer("held", &all, &[]), Ok(3));
    }

    #[test]
    fn a_fixed_value_holds_where_its_dimension_exists() {
        let mut source = restricted();
        assert!(source.is_given("fixed") && source.given("fixed").is_none());
        assert_eq!((source.unused().len(), source.complies()), (0, Ok(())), "it does not exist");
        source.integer("fixed", &IntervalSet::range(0, 4), &[]).unwrap();
        assert_eq!(
            source.complies().unwrap_err().to_string(),
            "choice `fixed` = 6 is not possible here: it must be 0 to 4"
        );
        source.retract("fixed");
        assert_eq!(source.complies(), Ok(()), "it is no choice of this variant");
    }

    #[test]
    fn given_choices_of_held_dimensions_are_checked() {
        let all = IntervalSet::range(0, 9);
        for (name, n, complies) in
            [("held", 5, true), ("held", 6, false), ("fixed", 5, false), ("free", 6, true)]
        {
            let mut source = restricted().with_given(one(name, n));
            source.integer(name, &all, &[]).unwrap();
            let refused = source.complies().err().map(|error| error.to_string());
            assert_eq!(refused.is_none(), complies, "{name} {n}: {refused:?}");
            let expected = |why: &String| why.contains("it does not vary, and is ");
            assert!(refused.iter().all(expected), "{refused:?}");
        }
    }

    #[test]
    fn the_first_origin_that_has_a_value_decides() {
        let all = IntervalSet::range(0, 9);
        let mut source = constrained(&[("soft", "7", &[])])
            .with_given(one("given", 1))
            .with_vary(Vary::only(["drawn"]))
            .with_overrides(one("override", 2))
            .with_baseline(Choices::from_iter([
                ("override", Choice::Int(3)),
                ("translated", Choice::Int(4)),
                ("baseline", Choice::Int(5)),
                ("unfit", Choice::Int(50)),
            ]));
        let mut value = |name: &str| source.integer(name, &all, &[]).unwrap();
        assert_eq!((value("given"), value("soft"), value("override")), (1, 7, 2));
        assert_eq!((value("baseline"), value("unfit")), (5, 0));
        value("drawn");
        source.translate("translated", Some(Choice::Int(6)));
        assert_eq!(source.integer("translated", &all, &[]), Ok(6));
        source.fix("solved", Choice::Int(8), String::new).unwrap();
        for (name, origin) in [
            ("given", Some(Origin::Given)),
            ("soft", Some(Origin::SoftConstraint)),
            ("drawn", Some(Origin::Drawn)),
            ("override", Some(Origin::Override)),
            ("translated", Some(Origin::Translated)),
            ("baseline", Some(Origin::Baseline)),
            ("unfit", Some(Origin::Simplest)),
            ("solved", None),
            ("absent", None),
        ] {
            assert_eq!(source.origin(name), origin, "{name}");
        }
        source.retract("given");
        assert_eq!(source.origin("soft"), Some(Origin::SoftConstraint));
    }
}
