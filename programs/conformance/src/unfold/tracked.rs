//! The homes of one function whose values are followed, and the constants with which they are compared.

use std::collections::{BTreeMap, BTreeSet};

use canonical::{Action as Step, Expr, ExprKind, Graph, Program, Unary, VariableId, walk};
use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::compared::compared;
use super::home::{Home, inner, is_bool};
use super::reads::Reads;
use crate::flow::live;

/// The maximum number of distinct constants in one set. If there are more, no values are distinguished.
const CONSTANTS: usize = 64;

/// The homes that are followed.
#[derive(Debug, Clone, Default)]
pub struct Tracked {
    /// The sets of constants. Homes between which values are copied share one set.
    pub sets: Vec<BTreeSet<i128>>,
    /// The sets that contain all values that the producer writes.
    pub closed: BTreeSet<usize>,
    /// The homes, numbered by their positions.
    homes: IndexMap<Home, Followed, FxBuildHasher>,
    /// The indices of the homes whose values may be used after each node.
    pub live: Vec<FixedBitSet>,
}

/// The number of a home that is followed.
pub type Number = usize;

/// The way in which a home is followed.
#[derive(Debug, Clone, Copy, Default)]
struct Followed {
    /// The set of constants, if a value may be read into the home.
    set: Option<usize>,
    /// True for a variable of the function on which conditions depend and into which nothing is read.
    flag: bool,
    /// True if numbers outside the set are known as well.
    exact: bool,
    /// True for a flag to which only constants and results of comparisons are assigned.
    plain: bool,
}

impl Tracked {
    /// Finds the homes of a graph.
    pub fn of(source: &Program, graph: &Graph, reads: &Reads) -> Self {
        let mut tracked = Self::default();
        if reads.homes.is_empty() && !reads.choices {
            return tracked;
        }
        let classes = classes(graph);
        let class = |home: &Home| classes.get(home).cloned().unwrap_or_else(|| home.clone());
        let constants = constants(graph, &reads.statuses, &class);
        let needed = needed(graph, &reads.statuses);
        let conditions = deciding(graph, needed.iter().map(&class).collect(), &class);
        let mut number: BTreeMap<Home, usize> = BTreeMap::new();
        let mut homes: BTreeMap<Home, usize> = BTreeMap::new();
        // `None` for classes into which other values may be read.
        let mut written: BTreeMap<Home, Option<BTreeSet<i128>>> = BTreeMap::new();
        for (edge, home) in &reads.homes {
            let all = written.entry(class(home)).or_insert_with(|| Some(BTreeSet::new()));
            match (reads.written.get(edge), &mut *all) {
                (Some(own), Some(all)) => all.extend(own),
                _ => *all = None,
            }
        }
        let mut narrow: BTreeMap<Home, BTreeSet<i128>> = BTreeMap::new();
        for (edge, partly) in &reads.partly {
            if let Some(home) = reads.homes.get(edge) {
                narrow.entry(class(home)).or_default().extend(partly);
            }
        }
        for home in reads.homes.values() {
            let class = class(home);
            let compared = constants.get(&class);
            if compared.is_none() && !conditions.contains(&class) {
                continue;
            }
            let mut set = compared.cloned().unwrap_or_default();
            let known = written[&class].as_ref().filter(|all| all.union(&set).count() <= CONSTANTS);
            let is_closed = known.is_some();
            set.extend(known.into_iter().flatten());
            // A narrow type truncates values that do not fit, so they become other values.
            let narrow = narrow.get(&class).into_iter().flatten();
            set.extend(narrow.copied().filter(|value| home.int.convert(*value) != *value));
            if set.is_empty() || set.len() > CONSTANTS {
                continue;
            }
            let fresh = tracked.sets.len();
            let set_number = *number.entry(class).or_insert(fresh);
            if set_number == fresh {
                tracked.sets.push(set);
                tracked.closed.extend(is_closed.then_some(fresh));
            }
            homes.insert(home.clone(), set_number);
        }
        tracked.derive(graph, &class, &constants, &mut number, &mut homes);
        for home in classes.keys() {
            if let Some(set) = number.get(&class(home)) {
                homes.insert(home.clone(), *set);
            }
        }
        let mut flags = assigned(source, graph, &homes);
        let plain = plain(graph, flags.clone());
        flags.retain(|home| needed.contains(home));
        let read = homes.into_iter().map(|(home, set)| {
            let exact = is_kept(source, &home);
            (home, Followed { set: Some(set), exact, ..Followed::default() })
        });
        let flags = flags.into_iter().map(|home| {
            let plain = plain.contains(&home);
            (home, Followed { flag: true, plain, ..Followed::default() })
        });
        tracked.homes = read.chain(flags).collect();
        tracked.live = tracked.live(graph, &reads.statuses);
        tracked
    }

    /// Gives up the values of one home, or if none is given, of all flags that are not plain.
    pub fn give_up(&mut self, home: Option<Number>) {
        match home {
            Some(home) => {
                let followed = &mut self.homes[home];
                (followed.flag, followed.exact) = (false, false);
            }
            None => {
                for followed in self.homes.values_mut() {
                    followed.flag &= followed.plain;
                    followed.exact = false;
                }
            }
        }
    }

    /// Returns true if all flags are plain.
    pub fn is_plain(&self) -> bool {
        self.homes.values().all(|home| (!home.flag || home.plain) && !home.exact)
    }

    /// Adds the sets of homes that are calculated from others and compared with constants.
    fn derive(
        &mut self,
        graph: &Graph,
        class: &impl Fn(&Home) -> Home,
        constants: &BTreeMap<Home, BTreeSet<i128>>,
        number: &mut BTreeMap<Home, usize>,
        homes: &mut BTreeMap<Home, usize>,
    ) {
        loop {
            let before = number.len();
            for (target, value) in assignments(graph) {
                let own = class(&target);
                let Some(set) = constants.get(&own).filter(|set| set.len() <= CONSTANTS) else {
                    continue;
                };
                let is_derived = mentioned(value).iter().any(|h| number.contains_key(&class(h)));
                if is_derived && !number.contains_key(&own) {
                    number.insert(own, self.sets.len());
                    self.sets.push(set.clone());
                }
                if let Some(set) = number.get(&class(&target)) {
                    homes.insert(target, *set);
                }
            }
            if number.len() == before {
                return;
            }
        }
    }

    /// Returns true if no value is followed.
    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// Returns the index of a home; `None` if it is not followed.
    pub fn number(&self, home: &Home) -> Option<Number> {
        self.homes.get_index_of(home)
    }

    /// The home with a number.
    pub fn home(&self, number: Number) -> &Home {
        self.homes.get_index(number).expect("numbers are positions").0
    }

    /// The homes, in the order of their numbers.
    pub fn homes(&self) -> impl ExactSizeIterator<Item = &Home> {
        self.homes.keys()
    }

    /// The set of constants of a home.
    pub fn set(&self, home: Number) -> Option<usize> {
        self.homes[home].set
    }

    /// Returns true for a variable that is followed and into which nothing is read.
    pub fn is_flag(&self, home: Number) -> bool {
        self.homes[home].flag
    }

    /// Returns true if numbers outside the set are known for the home.
    pub fn is_exact(&self, home: Number) -> bool {
        self.homes[home].exact
    }

    /// Returns true if the value of the home is followed and was not given up.
    pub fn has(&self, home: Number) -> bool {
        self.homes[home].set.is_some() || self.is_flag(home)
    }

    /// The followed homes whose variables are used after each node, before they are assigned.
    fn live(&self, graph: &Graph, statuses: &BTreeMap<usize, Expr>) -> Vec<FixedBitSet> {
        let live = live::live(graph, |edge, action, found| {
            if !matches!(action, Step::Return(_)) || statuses.contains_key(&edge) {
                live::mentioned(action, found);
            }
        });
        let homes = |roots: BTreeSet<VariableId>| {
            let used = self.homes().enumerate().filter(|(_, home)| roots.contains(&home.root));
            used.map(|(number, _)| number).collect()
        };
        live.into_iter().map(homes).collect()
    }
}

/// The assignments to homes.
fn assignments(graph: &Graph) -> impl Iterator<Item = (Home, &Expr)> {
    graph.edges.iter().filter_map(|edge| match &edge.action {
        Step::Assign { target, value } => Some((Home::of(target)?, value)),
        _ => None,
    })
}

/// The homes that an expression mentions.
fn mentioned(expr: &Expr) -> BTreeSet<Home> {
    let mut found = BTreeSet::new();
    walk::expressions(expr, &mut |part| found.extend(Home::value(part)));
    found
}

/// Adds the classes of homes that these classes are calculated from.
fn deciding(
    graph: &Graph,
    mut found: BTreeSet<Home>,
    class: &impl Fn(&Home) -> Home,
) -> BTreeSet<Home> {
    loop {
        let before = found.len();
        for (target, value) in assignments(graph) {
            if found.contains(&class(&target)) {
                found.extend(mentioned(value).iter().map(class));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Groups the homes between which values are copied: maps each home to the smallest one of its class.
fn classes(graph: &Graph) -> BTreeMap<Home, Home> {
    let mut copies: BTreeMap<Home, BTreeSet<Home>> = BTreeMap::new();
    for edge in &graph.edges {
        let Step::Assign { target, value } = &edge.action else { continue };
        if let (Some(target), Some(value)) = (Home::of(target), Home::value(value)) {
            copies.entry(target.clone()).or_default().insert(value.clone());
            copies.entry(value).or_default().insert(target);
        }
    }
    let mut classes: BTreeMap<Home, Home> = BTreeMap::new();
    for home in copies.keys() {
        let mut work = vec![home];
        while let Some(next) = work.pop() {
            if !classes.contains_key(next) {
                classes.insert(next.clone(), home.clone());
                work.extend(&copies[next]);
            }
        }
    }
    classes
}

/// Returns the constants with which the homes of each class are compared.
fn constants(
    graph: &Graph,
    statuses: &BTreeMap<usize, Expr>,
    class: &impl Fn(&Home) -> Home,
) -> BTreeMap<Home, BTreeSet<i128>> {
    let mut found: BTreeMap<Home, BTreeSet<i128>> = BTreeMap::new();
    let mut add = |home: Home, constant: i128| {
        found.entry(class(&home)).or_default().insert(constant);
    };
    for home in statuses.values().filter_map(Home::value) {
        add(home, 0);
    }
    for edge in &graph.edges {
        let mut of = |expr: &Expr| compared(expr, &mut add);
        match &edge.action {
            Step::Guard { condition, .. } => {
                of(condition);
                if let Some(home) = Home::value(condition) {
                    add(home, 0);
                }
            }
            Step::Assign { value, .. } => of(value),
            Step::Call(call) => call.arguments.iter().for_each(of),
            Step::Return(Some(value)) => of(value),
            Step::Return(None) | Step::Nothing => {}
        }
    }
    found
}

/// Returns the homes on which conditions and statuses depend, directly or through other homes.
fn needed(graph: &Graph, statuses: &BTreeMap<usize, Expr>) -> BTreeSet<Home> {
    let mut found: BTreeSet<Home> = statuses.values().flat_map(mentioned).collect();
    for edge in &graph.edges {
        if let Step::Guard { condition, .. } = &edge.action {
            found.extend(mentioned(condition));
        }
    }
    loop {
        let before = found.len();
        for (target, value) in assignments(graph) {
            if found.contains(&target) {
                found.extend(mentioned(value));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Returns the variables (and their parts) whose address is not taken and into which nothing is read.
fn assigned(source: &Program, graph: &Graph, read: &BTreeMap<Home, usize>) -> BTreeSet<Home> {
    let all = graph.edges.iter().flat_map(|edge| match &edge.action {
        Step::Assign { target, .. } => Home::of(target).into_iter().collect(),
        Step::Guard { condition, .. } => mentioned(condition),
        _ => BTreeSet::new(),
    });
    all.filter(|home| is_kept(source, home) && !read.contains_key(home)).collect()
}

/// Returns true if nothing changes the home through a pointer.
fn is_kept(source: &Program, home: &Home) -> bool {
    !home.through && !source.variable(home.root).address_taken
}

/// Returns the flags to which only constants, results of comparisons, and other flags of this kind are assigned.
fn plain(graph: &Graph, mut flags: BTreeSet<Home>) -> BTreeSet<Home> {
    let mut assigned: BTreeMap<Home, Vec<&Expr>> = BTreeMap::new();
    for (target, value) in assignments(graph) {
        assigned.entry(target).or_default().push(value);
    }
    let mut other: BTreeSet<VariableId> = BTreeSet::new();
    for (_, call) in graph.calls() {
        other.extend(call.result.as_ref().and_then(canonical::Lvalue::whole_variable));
    }
    flags.retain(|home| !other.contains(&home.root) && assigned.contains_key(home));
    loop {
        let is_flag = |value: &Expr| match &inner(value).kind {
            ExprKind::Int(_) | ExprKind::Unary(Unary::Not, _) => true,
            ExprKind::Cast(_) => is_bool(&value.ty) || is_bool(&inner(value).ty),
            ExprKind::Binary(operator, ..) => operator.is_comparison(),
            ExprKind::Load(_) => Home::value(value).is_some_and(|home| flags.contains(&home)),
            _ => false,
        };
        let kept: BTreeSet<Home> = flags
            .iter()
            .filter(|home| assigned[*home].iter().all(|value| is_flag(value)))
            .cloned()
            .collect();
        if kept.len() == flags.len() {
            return kept;
        }
        flags = kept;
    }
}
