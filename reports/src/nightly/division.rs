//! The division of a night among machines, based on what each client cost on each seed in the last night.

use std::collections::BTreeMap;
use std::time::Duration;

use campaign::Slice;

/// The measured cost of a client on a seed, by the SHA-256 of the seed and the name of the client.
pub type Costs = BTreeMap<(String, String), Duration>;

/// A part of the work: a client on a seed, or a slice of its variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Task {
    /// The position of the seed.
    pub seed: usize,
    /// The slice of the variants; [`Slice::WHOLE`] for all.
    pub slice: Slice,
    /// The place of the client.
    pub client: usize,
    /// The number of the part that does the task, from 1.
    pub part: usize,
}

/// A seed of a night: the SHA-256 of its file, and the names of the clients that will read it.
pub type SeedClients = (String, Vec<String>);

/// Divides a night into `parts` of nearly the same cost. A pair of a seed and a client that costs more than a fair
/// share is divided too. A pair that was never measured is assumed to have the mean cost of its client, or otherwise
/// the mean cost of all pairs.
pub fn divide(seeds: &[SeedClients], costs: &Costs, parts: usize) -> Vec<Task> {
    let parts = parts.max(1);
    let mean = |of: &dyn Fn(&str) -> bool| {
        let known: Vec<f64> =
            costs.iter().filter(|((_, c), _)| of(c)).map(|(_, cost)| cost.as_secs_f64()).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    };
    let all = mean(&|_| true).unwrap_or(1.0);
    let cost = |seed: &String, client: &String| {
        let known = costs.get(&(seed.clone(), client.clone())).map(Duration::as_secs_f64);
        // Every task has a cost, because making the variants costs something too.
        known.or_else(|| mean(&|c| c == client)).unwrap_or(all).max(1e-3)
    };
    let pairs: Vec<(usize, usize, f64)> = seeds
        .iter()
        .enumerate()
        .flat_map(|(s, (seed, clients))| {
            clients.iter().enumerate().map(move |(c, client)| (s, c, seed, client))
        })
        .map(|(s, c, seed, client)| (s, c, cost(seed, client)))
        .collect();
    let fair = pairs.iter().map(|(_, _, cost)| cost).sum::<f64>() / parts as f64;
    let mut pieces: Vec<(f64, Task)> = Vec::new();
    for (seed, client, cost) in pairs {
        // If a task exceeds a fair share only slightly, another start is not worth its cost.
        let count = ((cost / fair - 0.1).ceil().max(1.0) as usize).min(parts);
        for index in 1..=count {
            let slice = Slice { index, count };
            pieces.push((cost / count as f64, Task { seed, slice, client, part: 0 }));
        }
    }
    // Assign the most expensive tasks first, each to the part with the lowest cost so far.
    pieces.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.cmp(other)));
    let mut loads = vec![0.0_f64; parts];
    let mut tasks: Vec<Task> = Vec::new();
    for (cost, task) in pieces {
        let least = (0..parts).min_by(|a, b| loads[*a].total_cmp(&loads[*b])).unwrap_or(0);
        loads[least] += cost;
        tasks.push(Task { part: least + 1, ..task });
    }
    tasks.sort_unstable();
    tasks
}

/// The division of a night without measured costs: the parts take turns, by seed and client. `clients` has the number
/// of clients for each seed.
pub fn divide_in_turn(clients: &[usize], parts: usize) -> Vec<Task> {
    let seeds = clients.iter().enumerate();
    let pairs = seeds.flat_map(|(seed, count)| (0..*count).map(move |client| (seed, client)));
    let turns = (1..=parts.max(1)).cycle();
    pairs
        .zip(turns)
        .map(|((seed, client), part)| Task { seed, slice: Slice::WHOLE, client, part })
        .collect()
}

#[cfg(test)]
mod tests {
    use campaign::Shard;

    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    /// Seeds that all clients read.
    fn all(seeds: &[&str], clients: &[&str]) -> Vec<SeedClients> {
        seeds.iter().map(|seed| ((*seed).to_owned(), names(clients))).collect()
    }

    fn costs(list: &[(&str, &str, u64)]) -> Costs {
        let entry = |(seed, client, seconds): &(&str, &str, u64)| {
            (((*seed).to_owned(), (*client).to_owned()), Duration::from_secs(*seconds))
        };
        list.iter().map(entry).collect()
    }

    /// The cost of each part.
    fn loads(tasks: &[Task], seconds: impl Fn(&Task) -> f64, parts: usize) -> Vec<f64> {
        let mut loads = vec![0.0; parts];
        for task in tasks {
            loads[task.part - 1] += seconds(task) / task.slice.count as f64;
        }
        loads
    }

    #[test]
    fn parts_cost_the_same_and_a_slow_pair_is_divided() {
        let seeds = all(&["s", "t", "u"], &["fast", "slow", "slower"]);
        let list = [
            ("s", "fast", 1),
            ("s", "slow", 10),
            ("s", "slower", 90),
            ("t", "fast", 2),
            ("t", "slow", 11),
            ("t", "slower", 12),
            ("u", "fast", 1),
            ("u", "slow", 9),
            ("u", "slower", 14),
        ];
        let known = costs(&list);
        let tasks = divide(&seeds, &known, 4);
        let seconds = |task: &Task| {
            let (seed, clients) = &seeds[task.seed];
            known[&(seed.clone(), clients[task.client].clone())].as_secs_f64()
        };
        let loads = loads(&tasks, seconds, 4);
        let (least, most) = (
            loads.iter().copied().fold(f64::MAX, f64::min),
            loads.iter().copied().fold(0.0, f64::max),
        );
        assert!(most / least < 1.2, "{loads:?}");
        let slices: Vec<Slice> =
            tasks.iter().filter(|t| (t.seed, t.client) == (0, 2)).map(|t| t.slice).collect();
        assert_eq!(slices, [1, 2, 3].map(|index| Slice { index, count: 3 }));
        // All other tasks are whole, and each is done exactly once.
        assert_eq!(tasks.len(), 8 + 3);
        assert_eq!(tasks, divide(&seeds, &known, 4));
    }

    #[test]
    fn what_was_not_measured_costs_the_mean() {
        let seeds = all(&["s", "new"], &["a", "b"]);
        let tasks = divide(&seeds, &costs(&[("s", "a", 1), ("s", "b", 9)]), 2);
        let part = |seed, client| {
            tasks.iter().find(|t| (t.seed, t.client) == (seed, client)).unwrap().part
        };
        assert_ne!(part(0, 1), part(1, 1), "{tasks:?}");
        let tasks = divide(&seeds, &Costs::new(), 2);
        assert_eq!(loads(&tasks, |_| 1.0, 2), [2.0, 2.0]);
    }

    #[test]
    fn without_costs_parts_take_turns() {
        let tasks = divide_in_turn(&[5; 3], 4);
        assert_eq!(tasks.len(), 15);
        for Task { seed, client, part, .. } in tasks {
            assert!(Shard { index: part, count: 4 }.takes(seed, client, 5));
        }
    }

    #[test]
    fn a_seed_has_tasks_for_its_own_clients_only() {
        let seeds = [
            ("s".to_owned(), names(&["a", "b"])),
            ("t".to_owned(), Vec::new()),
            ("u".to_owned(), names(&["b"])),
        ];
        let expected = [(0, 0), (0, 1), (2, 0)];
        let pairs = |tasks: Vec<Task>| tasks.iter().map(|t| (t.seed, t.client)).collect::<Vec<_>>();
        assert_eq!(pairs(divide_in_turn(&[2, 0, 1], 2)), expected);
        assert_eq!(pairs(divide(&seeds, &costs(&[("u", "b", 3)]), 2)), expected);
        let parts: Vec<usize> = divide_in_turn(&[2, 0, 1], 2).iter().map(|t| t.part).collect();
        assert_eq!(parts, [1, 2, 1]);
    }
}
