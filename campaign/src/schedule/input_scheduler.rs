//! The input scheduler of guided campaigns: requests files for clients that have had the same results, in an order that
//! finds distinct causes soon.
//!
//! First it tries each value class of the dimensions that select features alone, because small programs have such
//! limits. Then requests alternate between new classes of other dimensions, and mixtures. Most mixtures combine classes
//! that have not occurred together (pairwise coverage); some have a dimension that has rarely varied, together with the
//! values that it needs. Files avoid the classes that the clients refuse, except for a small share that tries these
//! classes together with others ([`Retries`]). Only judged files count: a class that occurred only in refused files has
//! not been tried. A request depends only on the steps before a fixed distance, so it does not depend on the number of
//! threads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use covering::{ClassId, Tally};
use inverter::solve::{Choice, Choices, Vary};

use super::avoided::Avoided;
use super::examples::Examples;
use super::pairs::{PairScheduler, Urgency};
use super::plan::{PlanStep, Request, SelectionRule};
use super::progress::Progress;
use super::rare;
use super::retries::Retries;
use super::suppression::{Alone, Class, SuppressionRules};
use crate::oracle::Outcome;
use crate::records::VariantInfo;

/// The number of candidates for one variant.
const CANDIDATES: u64 = 3;

/// The maximum number of choices of the example of a class that is scheduled in a pair.
const LARGEST_EXAMPLE: usize = 12;

/// One in this many files may have classes that always show a known difference, because it may show other differences
/// too.
const SHARE: u64 = 8;

/// The kinds of mixtures, in turn. Many of them draw all dimensions alike, because most pairs of classes belong to
/// dimensions with many classes, such as those of one compression.
const MIXTURES: [Mixture; 10] = [
    Mixture::Share(1.0),
    Mixture::Pairs(8, Urgency::Rare),
    Mixture::Rare(None),
    Mixture::Share(0.5),
    Mixture::Pairs(20, Urgency::Frequent),
    Mixture::Share(1.0),
    Mixture::Pairs(4, Urgency::Rare),
    Mixture::Rare(Some(0.25)),
    Mixture::Share(0.5),
    Mixture::Pairs(12, Urgency::BothRare),
];

#[derive(Debug, Clone, Copy)]
enum Mixture {
    /// This share of the dimensions varies at random.
    Share(f64),
    /// A dimension that rarely varied in judged files varies, with values of others that let it vary. In addition, this
    /// share of the dimensions varies at random or, without a share, the dimensions that are absent from the seed.
    Rare(Option<f64>),
    /// Pairs of up to this many classes are given as overrides.
    Pairs(usize, Urgency),
}

/// The goal of a request.
#[derive(Debug, Clone)]
enum Goal {
    /// A new class of the dimension at this index, alone; true if it is one of the features that come first.
    Single(usize, bool),
    /// The dimension at this index, which rarely varied.
    Rare(usize),
    /// A refused class, with other classes than those with which it was refused.
    Retry(Class),
    /// A variant in which these pairs of classes occur, if any.
    Mixture(Vec<(ClassId, ClassId)>),
}

/// The properties of the clients on which the files that a scheduler requests depend.
#[derive(Debug, Clone, Default)]
pub struct Background {
    /// The choices of the seed that differ from the base's; empty if the seed is the base.
    pub given: Choices,
    /// True if the clients refuse the base but read the seed; dimensions that do not vary then have the seed's values.
    pub base_refused: bool,
    /// The dimensions that do not vary for the clients.
    pub ignored: Vec<String>,
}

/// Decides which file is made next.
#[derive(Debug, Clone)]
pub struct InputScheduler {
    background: Background,
    /// The base's values of the dimensions in which a refused base differs from the seed.
    base: Choices,
    dimensions: Vec<Progress>,
    /// The number of files for single dimensions that may still be made, among those that select no features.
    singles_left: usize,
    /// The number of files for single features that may still be made before all other files.
    features_left: usize,
    /// The number of single-feature files that were made, or are pending, for dimensions that select no features.
    singles: usize,
    /// The number of mixtures that were requested.
    mixtures: usize,
    /// The number of files that were made.
    files: usize,
    /// The number of requests for a possibly nonexistent dimension for which no file was made, and that are not
    /// replaced yet.
    owed: usize,
    retries: Retries,
    /// The goals of the steps that are not evaluated yet.
    pending: BTreeMap<u64, Goal>,
    /// The classes that occurred in judged files, and those that occurred together.
    tally: Arc<Tally>,
    /// The classes that were tried alone.
    alone: Arc<BTreeSet<Class>>,
    pairs: PairScheduler,
    examples: Examples,
    rules: SuppressionRules,
}

impl InputScheduler {
    /// A scheduler for `variants` files in total, for a base with its `own` choices. `is_feature` returns true for
    /// dimensions whose values select features.
    pub fn new(
        variants: usize,
        dimensions: &[String],
        is_feature: impl Fn(&str) -> bool,
        own: &Choices,
        background: Background,
    ) -> Self {
        let all = dimensions.iter();
        let dimensions: Vec<Progress> = all.map(|d| Progress::of(d, is_feature(d), own)).collect();
        let differing = background.given.iter().filter(|_| background.base_refused);
        let base = differing.filter_map(|(name, _)| Some((name, own.get(name)?.clone()))).collect();
        Self {
            background,
            base,
            singles_left: (variants / 2).max(dimensions.len()),
            features_left: variants / 2,
            dimensions,
            singles: 0,
            mixtures: 0,
            files: 0,
            owed: 0,
            retries: Retries::default(),
            pending: BTreeMap::new(),
            tally: Arc::default(),
            alone: Arc::default(),
            pairs: PairScheduler::default(),
            examples: Examples::default(),
            rules: SuppressionRules::default(),
        }
    }

    /// The index of the random choices of candidate `c` of step `k`.
    pub fn index(k: u64, c: u64) -> u64 {
        k * CANDIDATES + c + 1
    }

    /// Returns the request of step `k`, based on all evaluated steps. `k` must increase from call to call.
    pub fn request(&mut self, k: u64) -> Request {
        let index = |c: u64| Self::index(k, c);
        let avoid = self.avoided(k);
        if let Some(class) = self.next_retry() {
            self.pending.insert(k, Goal::Retry(class.clone()));
            return self.request_retry(k, class, avoid);
        }
        if let Some(position) = self.next_single() {
            let first = self.comes_first(&self.dimensions[position]);
            self.singles += usize::from(!first);
            self.pending.insert(k, Goal::Single(position, first));
            let candidates =
                (0..CANDIDATES).map(|c| self.step_alone(position, c as usize, index(c)));
            let candidates = candidates.collect();
            let dimension = self.dimensions[position].name.clone();
            let rule = SelectionRule::NewClass(dimension, Arc::clone(&self.alone));
            return Request { candidates, rule, avoid };
        }
        let mixture = self.next_mixture();
        if let (Mixture::Rare(share), Some(position)) = (mixture, self.next_rare()) {
            self.dimensions[position].tries += 1;
            self.pending.insert(k, Goal::Rare(position));
            return self.request_rare(k, position, share, avoid);
        }
        let (pairs, candidates) = match mixture {
            Mixture::Pairs(most, urgency) => {
                let Self { pairs, tally, examples, .. } = self;
                let ready = |id| {
                    let class = (tally.name(id).to_owned(), tally.class(id).to_owned());
                    let example = examples.of(&class.0, &class.1);
                    !avoid.always(&class) && example.is_some_and(|e| e.len() <= LARGEST_EXAMPLE)
                };
                let pairs = pairs.next(tally, urgency, most, ready);
                let step = self.step_toward(&pairs, index(0));
                (pairs, vec![step])
            }
            Mixture::Share(_) | Mixture::Rare(_) => {
                let share = if let Mixture::Share(share) = mixture { share } else { 1.0 };
                let vary = if share < 1.0 { Vary::Share(share) } else { Vary::All };
                let overrides = self.plain();
                let plain = |c| PlanStep {
                    overrides: overrides.clone(),
                    ..PlanStep::plain(index(c), vary.clone())
                };
                (Vec::new(), (0..CANDIDATES).map(plain).collect())
            }
        };
        self.pending.insert(k, Goal::Mixture(pairs));
        Request { candidates, rule: SelectionRule::NewPairs(Arc::clone(&self.tally)), avoid }
    }

    /// Returns the request of step `k` for a refused class, together with classes that the clients read.
    fn request_retry(&self, k: u64, class: Class, avoid: Arc<Avoided>) -> Request {
        let tried = Arc::new(self.rules.tried_with(&class));
        let names = || self.dimensions.iter().map(|d| &*d.name);
        let step = |c| {
            let (index, plain) = (Self::index(k, c), self.plain());
            self.retries.step(&class, &tried, names(), &self.examples, plain, index)
        };
        let candidates = (0..CANDIDATES).map(step).collect();
        // The class comes with its entire example.
        let mut avoid = Arc::unwrap_or_clone(avoid);
        self.retries.example(&class).iter().for_each(|own| drop(avoid.classes.remove(own)));
        Request { candidates, rule: SelectionRule::Beside(class, tried), avoid: Arc::new(avoid) }
    }

    /// Returns the request of step `k` for the dimension at `position`, with values of others that let it vary.
    fn request_rare(
        &self,
        k: u64,
        position: usize,
        share: Option<f64>,
        avoid: Arc<Avoided>,
    ) -> Request {
        let name = &self.dimensions[position].name;
        let vary = match share {
            Some(share) => Vary::Share(share),
            None => {
                let varies = |d: &&Progress| d.absent_in_seed || d.name == *name;
                Vary::only(self.dimensions.iter().filter(varies).map(|d| &d.name))
            }
        };
        let example = self.examples.of_any(name);
        let step = |(c, kept)| {
            let index = Self::index(k, c);
            rare::step(name, example, kept, self.plain(), vary.clone(), index)
        };
        let candidates = (0..CANDIDATES).zip(rare::KEPT).map(step).collect();
        // A suspicion could never be cleared if no file tried its classes.
        let mut avoid = Arc::unwrap_or_clone(avoid);
        let suspected = self.rules.suspected().filter(|class| class.0 == *name);
        suspected.for_each(|class| drop(avoid.classes.remove(class)));
        let avoid = Arc::new(avoid);
        Request { candidates, rule: SelectionRule::Varies(name.clone()), avoid }
    }

    /// Returns the request of step `k` for `step`, which another scheduler made.
    pub fn request_for(&self, k: u64, step: PlanStep) -> Request {
        Request { avoid: self.avoided(k), ..Request::of(step) }
    }

    /// Evaluates step `k`: the file, if a new one was made, and the clients' outcome, if they were run. Steps must be
    /// evaluated in order.
    pub fn evaluate(&mut self, k: u64, info: Option<&Arc<VariantInfo>>, outcome: Option<Outcome>) {
        let goal = self.pending.remove(&k);
        let info = info.map(|info| self.as_seen(info));
        self.files += usize::from(info.is_some());
        let alone = match &goal {
            Some(Goal::Single(position, _)) => Some(self.dimensions[*position].name.clone()),
            _ => None,
        };
        let ran = info.as_ref().zip(outcome);
        let Self { rules, background, .. } = self;
        // No other dimension varied by itself; the remaining choices are the seed's, a judged file's, or consequences.
        let comes_along = |name: &str| background.given.get(name).is_none();
        let tried = alone.as_deref().map(|d| Alone { dimension: d, comes_along: &comes_along });
        let decided =
            ran.is_some_and(|(info, outcome)| rules.record(&info.varied, tried.as_ref(), outcome));
        if let Some(Goal::Single(position, first)) = goal {
            let progress = &mut self.dimensions[position];
            if info.is_some() {
                let left = if first { &mut self.features_left } else { &mut self.singles_left };
                *left = left.saturating_sub(1);
            }
            if decided {
                progress.failures = 0;
            } else {
                progress.failures += 1;
                progress.requests -= 1;
                self.singles -= usize::from(!first);
            }
        }
        let judged = ran.filter(|(_, outcome)| *outcome != Outcome::Refused).map(|(info, _)| info);
        if let (Some(dimension), true, Some(info)) = (alone, decided, &info) {
            let is_tried = |class: &&Class| judged.is_some() || class.0 == dimension;
            let tried = info.varied.iter().filter(is_tried).cloned();
            Arc::make_mut(&mut self.alone).extend(tried);
        }
        if let Some(info) = judged {
            self.learn(info);
        } else if let Some((info, _)) = ran {
            self.retries.learn(info);
        }
        match goal {
            Some(Goal::Rare(position)) => {
                let may_not_exist = self.dimensions[position].classes == 0;
                self.owed += usize::from(info.is_none() && may_not_exist);
            }
            Some(Goal::Mixture(pairs)) => self.pairs.evaluate(&self.tally, &pairs),
            Some(Goal::Retry(class)) => {
                let refused = outcome.map(|outcome| outcome == Outcome::Refused);
                self.retries.evaluate(&class, refused.filter(|_| info.is_some()));
            }
            _ => {}
        }
    }

    /// Evaluates a file that is not a step: the seed.
    pub fn evaluate_seed(&mut self, info: &Arc<VariantInfo>, outcome: Outcome) {
        let info = self.as_seen(info);
        self.rules.record(&info.varied, None, outcome);
        if outcome != Outcome::Refused {
            self.learn(&info);
        }
    }

    /// Returns a file as these clients see it: if they refuse the base, its values count as choices, too.
    fn as_seen(&self, info: &Arc<VariantInfo>) -> Arc<VariantInfo> {
        if self.base.is_empty() {
            return Arc::clone(info);
        }
        let mut seen = VariantInfo::clone(info);
        for (name, value) in self.base.iter().filter(|(d, _)| info.choices.get(*d).is_none()) {
            seen.choices.set(name, value.clone());
            seen.varied.push((name.to_owned(), value.to_string()));
        }
        Arc::new(seen)
    }

    /// Returns the classes that the file of step `k` must not have.
    fn avoided(&self, k: u64) -> Arc<Avoided> {
        let classes = self.rules.avoided(!k.is_multiple_of(SHARE));
        let mut accepted: BTreeMap<String, Vec<Option<Choice>>> = BTreeMap::new();
        for (name, _) in classes.keys() {
            let is_free = |(class, _): &(&Class, &Choice)| !classes.contains_key(*class);
            let values = self.examples.values(name).filter(is_free);
            let base = (self.base.get(name.as_str()).is_none()).then_some(None);
            let values = base.into_iter().chain(values.map(|(_, value)| Some(value.clone())));
            accepted.entry(name.clone()).or_insert_with(|| values.collect());
        }
        let ignored = self.background.ignored.clone();
        Arc::new(Avoided { classes, ignored, accepted, base: self.base.clone() })
    }

    /// Returns the values that dimensions have while they do not vary, if they differ from the base's.
    fn plain(&self) -> Choices {
        match self.background.base_refused {
            true => self.background.given.clone(),
            false => Choices::new(),
        }
    }

    /// Returns candidate `c` of a step in which only the dimension at `position` varies: on the base, on the seed, or
    /// in the example of one of its classes, in turn, as far as it may exist there.
    fn step_alone(&self, position: usize, c: usize, index: u64) -> PlanStep {
        let Progress { name, absent_in_seed, classes, .. } = &self.dimensions[position];
        let (known_elsewhere, base) = (*absent_in_seed && *classes > 0, self.plain());
        let given = &self.background.given;
        let on_seed = given.get(name).is_some() || !known_elsewhere;
        let backgrounds: Vec<&Choices> = [
            (!known_elsewhere).then_some(&base),
            on_seed.then_some(given),
            self.examples.of_any(name),
        ]
        .into_iter()
        .flatten()
        .collect();
        let mut overrides = backgrounds[c % backgrounds.len()].clone();
        overrides.remove(name);
        PlanStep { index, vary: Vary::only([name]), overrides, from: None }
    }

    /// Selects the refused class whose turn it is to be tried again, once the features have been tried alone.
    fn next_retry(&mut self) -> Option<Class> {
        let is_first = |d: &Progress| self.comes_first(d) && !d.is_exhausted();
        if self.dimensions.iter().any(is_first) {
            return None;
        }
        self.retries.next(self.files, self.rules.limits())
    }

    /// Selects the next dimension to vary alone. Those that select features come first, for at most half of all files,
    /// and are not mixed before all of their classes have been tried. Among these, the one with the most classes that
    /// have not occurred alone is selected. `None` if it is the turn of a mixture.
    fn next_single(&mut self) -> Option<usize> {
        let open = || self.dimensions.iter().enumerate().filter(|(_, d)| !d.is_exhausted());
        let rank = |d: &Progress| (d.requests as isize - d.classes as isize, d.requests);
        let feature = open().filter(|(_, d)| self.comes_first(d)).min_by_key(|(_, d)| rank(d));
        let other = || open().min_by_key(|(_, d)| rank(d));
        let its_turn = self.singles_left > 0 && 2 * self.singles <= self.mixtures;
        let (position, _) = feature.or_else(|| other().filter(|_| its_turn))?;
        self.dimensions[position].requests += 1;
        Some(position)
    }

    /// Returns the kind of the next mixture.
    fn next_mixture(&mut self) -> Mixture {
        if self.owed > 0 {
            self.owed -= 1;
            return Mixture::Rare(None);
        }
        self.mixtures += 1;
        MIXTURES[(self.mixtures - 1) % MIXTURES.len()]
    }

    /// Selects the dimension that varied least in judged files, among those that select no features, because it may
    /// have an effect only with some values of others. A dimension that varied in no file may not exist at all, and
    /// gets few tries.
    fn next_rare(&self) -> Option<usize> {
        let open = |(_, d): &(usize, &Progress)| !d.is_feature && d.may_vary();
        let all = self.dimensions.iter().enumerate().filter(open);
        all.min_by_key(|(_, d)| d.tries).map(|(position, _)| position)
    }

    /// Returns true if a dimension is varied before all others, because it selects features and there are files left.
    fn comes_first(&self, dimension: &Progress) -> bool {
        dimension.is_feature && self.features_left > 0
    }

    /// Returns a step in which `pairs` of classes occur together, as far as possible; each class comes with its
    /// example.
    fn step_toward(&self, pairs: &[(ClassId, ClassId)], index: u64) -> PlanStep {
        if pairs.is_empty() {
            return PlanStep { overrides: self.plain(), ..PlanStep::plain(index, Vary::All) };
        }
        let (mut overrides, mut classes) = (self.plain(), Choices::new());
        // The most urgent pair comes last, because its examples replace those of the others.
        for id in pairs.iter().rev().flat_map(|(a, b)| [*a, *b]) {
            let Some(example) = self.examples.of(self.tally.name(id), self.tally.class(id)) else {
                continue;
            };
            example.iter().for_each(|(d, value)| overrides.set(d, value.clone()));
            let name = self.tally.name(id);
            example.get(name).iter().for_each(|value| classes.set(name, (*value).clone()));
        }
        classes.iter().for_each(|(d, value)| overrides.set(d, value.clone()));
        let absent = self.dimensions.iter().filter(|d| d.absent_in_seed).map(|d| &d.name);
        let free = absent.filter(|d| overrides.get(*d).is_none());
        let vary = Vary::only(free);
        PlanStep { index, vary, overrides, from: None }
    }

    /// Learns from a judged file.
    fn learn(&mut self, info: &Arc<VariantInfo>) {
        count(&mut self.tally, info);
        for progress in &mut self.dimensions {
            progress.tries += usize::from(info.choices.get(&*progress.name).is_some());
        }
        for (name, _) in self.examples.learn(info) {
            match self.dimensions.iter_mut().find(|d| d.name == *name) {
                Some(progress) => {
                    // The dimension does exist, and an example of it is now known.
                    if progress.absent_in_seed && progress.classes == 0 {
                        progress.failures = 0;
                    }
                    progress.classes += 1;
                }
                None => {
                    let progress = Progress::of(name, false, &Choices::new());
                    self.dimensions.push(Progress { classes: 1, tries: 1, ..progress });
                }
            }
        }
    }
}

fn count(tally: &mut Arc<Tally>, info: &VariantInfo) {
    let class_of = |dimension: &str, value: &Choice| -> String {
        let known = info.varied.iter().find(|(d, _)| d == dimension);
        known.map_or_else(|| value.to_string(), |(_, class)| class.clone())
    };
    Arc::make_mut(tally).add(&info.choices, class_of);
}

#[cfg(test)]
mod tests {
    use super::*;
    use equivalents::subject;

    fn choices(pairs: &[(&str, i128)]) -> Choices {
        pairs.iter().map(|(d, n)| ((*d).to_owned(), Choice::Int(*n))).collect()
    }

    fn info(pairs: &[(&str, i128)]) -> Arc<VariantInfo> {
        let varied = pairs.iter().map(|(d, n)| ((*d).to_owned(), n.to_string())).collect();
        let class = subject::Class::Baseline;
        Arc::new(VariantInfo { class, size: 1, choices: choices(pairs), varied })
    }

    fn scheduler(dimensions: &[&str], own: &Choices) -> InputScheduler {
        let names: Vec<String> = dimensions.iter().map(|d| (*d).to_owned()).collect();
        let is_feature = |d: &str| d.starts_with("feature");
        InputScheduler::new(40, &names, is_feature, own, Background::default())
    }

    fn same(scheduler: &mut InputScheduler, k: u64, pairs: &[(&str, i128)]) {
        scheduler.evaluate(k, Some(&info(pairs)), Some(Outcome::Same));
    }

    #[test]
    fn dimensions_have_their_turns_until_they_give_nothing_new() {
        let mut scheduler = scheduler(&["a", "b"], &Choices::new());
        let mut requested = Vec::new();
        for k in 0..20 {
            if let SelectionRule::NewClass(dimension, _) = scheduler.request(k).rule {
                requested.push(dimension);
            }
            // Only `a` has a new class, twice.
            match k {
                0 | 4 => same(&mut scheduler, k, &[("a", k.into())]),
                _ => scheduler.evaluate(k, None, None),
            }
        }
        assert_eq!(requested, ["a", "b", "a", "a", "a", "a"]);
    }

    #[test]
    fn features_come_before_mixtures() {
        let own = choices(&[("a", 0), ("feature b", 0)]);
        let mut scheduler = scheduler(&["a", "feature b"], &own);
        let mut requested = Vec::new();
        for k in 0..12 {
            requested.push(match scheduler.request(k).rule {
                SelectionRule::NewClass(dimension, _) => dimension,
                _ => "all".to_owned(),
            });
            match k {
                0..4 => same(&mut scheduler, k, &[("feature b", k.into())]),
                8 => same(&mut scheduler, k, &[("a", 1)]),
                _ => scheduler.evaluate(k, None, None),
            }
        }
        assert_eq!(requested[..8], ["feature b"; 8]);
        assert_eq!(requested[8..], ["a", "all", "all", "a"]);
    }

    #[test]
    fn what_occurred_in_mixtures_only_is_new_by_itself() {
        let mut scheduler = scheduler(&["a"], &choices(&[("a", 0)]));
        for k in 0..2 {
            scheduler.request(k);
        }
        scheduler.evaluate(0, None, None);
        same(&mut scheduler, 1, &[("a", 1), ("b", 1)]);
        let SelectionRule::NewClass(_, tried) = scheduler.request(2).rule else { panic!() };
        assert!(tried.is_empty());
    }

    #[test]
    fn a_class_that_occurred_only_in_refused_files_has_not_been_tried() {
        let own = choices(&[("feature a", 0), ("c", 0)]);
        let mut scheduler = scheduler(&["feature a", "c"], &own);
        scheduler.request(0);
        // The seed has its own value for `c`, which is one more reason.
        scheduler.background.given = choices(&[("c", 1)]);
        let refused = info(&[("feature a", 1), ("c", 1)]);
        scheduler.evaluate(0, Some(&refused), Some(Outcome::Refused));
        let request = scheduler.request(1);
        let SelectionRule::NewClass(_, tried) = request.rule else { panic!() };
        assert!(tried.is_empty() && request.avoid.classes.is_empty());
        // Refused alone, the class is a limit: it counts as tried, and later files avoid it.
        let alone = info(&[("feature a", 1)]);
        scheduler.evaluate(1, Some(&alone), Some(Outcome::Refused));
        let request = scheduler.request(2);
        let SelectionRule::NewClass(_, tried) = request.rule else { panic!() };
        assert_eq!(tried.iter().collect::<Vec<_>>(), [&alone.varied[0]]);
        assert_eq!(request.avoid.classes, [(alone.varied[0].clone(), [].into())].into());
        assert_eq!(request.avoid.instead("feature a", 0), None);
        assert_eq!(request.avoid.dimensions(&alone, None), ["feature a"]);
    }

    #[test]
    fn files_of_clients_that_refuse_the_base_are_like_the_seed() {
        let own = choices(&[("feature a", 0), ("b", 0)]);
        let given = choices(&[("feature a", 3)]);
        let background = Background { given, base_refused: true, ignored: Vec::new() };
        let names = ["feature a".to_owned(), "b".to_owned()];
        let mut scheduler = InputScheduler::new(40, &names, |_| false, &own, background);
        scheduler.evaluate_seed(&info(&[("feature a", 3)]), Outcome::Same);
        scheduler.request(0);
        scheduler.evaluate(0, Some(&info(&[])), Some(Outcome::Refused));
        let request = scheduler.request(1);
        assert_eq!(request.avoid.dimensions(&info(&[("b", 1)]), None), ["feature a"]);
        assert_eq!(request.avoid.instead("feature a", 1), Some(Choice::Int(3)));
        assert!(request.avoid.dimensions(&info(&[("feature a", 3)]), None).is_empty());
        let overrides = &request.candidates[0].overrides;
        assert_eq!(overrides.get("feature a"), Some(&Choice::Int(3)));
    }

    #[test]
    fn a_refused_class_is_tried_again_beside_others() {
        let own = choices(&[("feature a", 0), ("feature b", 0)]);
        let mut scheduler = scheduler(&["feature a", "feature b"], &own);
        for k in 0..30 {
            let request = scheduler.request(k);
            let SelectionRule::NewClass(dimension, _) = request.rule else {
                let SelectionRule::Beside(class, tried) = &request.rule else { continue };
                assert_eq!(*class, ("feature a".to_owned(), "1".to_owned()));
                assert!(tried.is_empty() && request.avoid.classes.is_empty());
                let both = choices(&[("feature a", 1), ("feature b", 2)]);
                assert!(request.candidates.iter().any(|step| step.overrides == both));
                let both = info(&[("feature a", 1), ("feature b", 2)]);
                scheduler.evaluate(k, Some(&both), Some(Outcome::Same));
                // Together with a class with which it was judged, it is not a limit.
                let avoid = scheduler.request(k + 1).avoid;
                assert!(avoid.dimensions(&both, None).is_empty());
                assert_eq!(avoid.dimensions(&info(&[("feature a", 1)]), None), ["feature a"]);
                return;
            };
            match (k, &*dimension) {
                (0, _) => {
                    scheduler.evaluate(k, Some(&info(&[("feature a", 1)])), Some(Outcome::Refused))
                }
                (1..16, "feature b") => same(&mut scheduler, k, &[("feature b", 2)]),
                _ => scheduler.evaluate(k, None, None),
            }
        }
        panic!("it is not tried again");
    }

    #[test]
    fn what_varied_least_varies_where_it_did() {
        let mut scheduler = scheduler(&["a", "b"], &choices(&[("a", 0), ("b", 0)]));
        same(&mut scheduler, 0, &[("a", 1)]);
        same(&mut scheduler, 1, &[("a", 2), ("b", 7), ("c", 9)]);
        let requests: Vec<Request> = (2..12).map(|k| scheduler.request(k)).collect();
        let rare = |request: &&Request| matches!(&request.rule, SelectionRule::Varies(_));
        let rare = requests.iter().find(rare).unwrap();
        assert!(matches!(&rare.rule, SelectionRule::Varies(dimension) if dimension == "b"));
        let last = &rare.candidates.last().unwrap().overrides;
        assert_eq!(*last, choices(&[("a", 2), ("b", 7), ("c", 9)]));
        assert!(rare.candidates.iter().all(|step| step.overrides.get("b").is_some()));
    }

    #[test]
    fn dimensions_that_may_not_exist_have_few_tries_and_cost_no_mixture() {
        let mut scheduler = scheduler(&["a", "b"], &Choices::new());
        let (mut tries, mut mixtures) = (0, 0);
        for k in 0..40 {
            match scheduler.request(k).rule {
                SelectionRule::Varies(_) => tries += 1,
                SelectionRule::NewPairs(_) => mixtures += 1,
                _ => {}
            }
            scheduler.evaluate(k, None, None);
        }
        assert_eq!(tries, 6);
        assert!(mixtures > 20, "{mixtures}");
    }

    #[test]
    fn mixtures_combine_classes_that_did_not_meet() {
        let mut scheduler = scheduler(&[], &Choices::new());
        same(&mut scheduler, 0, &[("a", 7)]);
        same(&mut scheduler, 1, &[("b", 8), ("c", 9)]);
        let steps: Vec<PlanStep> = (2..9).flat_map(|k| scheduler.request(k).candidates).collect();
        let overrides = steps.iter().map(|s| &s.overrides).find(|w| !w.is_empty()).unwrap();
        assert_eq!(*overrides, choices(&[("a", 7), ("b", 8), ("c", 9)]));
    }
}
