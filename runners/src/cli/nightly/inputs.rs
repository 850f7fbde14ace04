//! The inputs of a night: seeds, clients, settings, and the store.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use super::error::NightError;
use super::kinds::{Kind, Seed, kinds, select};
use crate::cli::days::today;
use crate::cli::seed_run::{SeedError, descriptions_key, file_key, settings_key};
use crate::cli::{ProfileName, displays, processors};
use campaign::{Settings, Shard};
use clients::digest;
use reports::files::make;
use reports::nightly::Remote;
use reports::nightly::{
    Accepted, Config, Costs, Coverage, Loss, SeedClients, SeedFiles, Task, divide, divide_in_turn,
};
use reports::store::{Batch, BatchKind, Start, Store};

/// The maximum number of variants of each seed, with and without a time limit.
const WITH_TIME_LIMIT: usize = 100_000;
const WITHOUT_TIME_LIMIT: usize = 200;

/// The work of a night.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Fuzz, then write the reports.
    Fuzz,
    /// Only recheck and write the reports of the store.
    Report,
}

/// The options of a night that are not in its configuration.
pub struct NightOptions<'a> {
    /// The configuration file.
    pub config_file: &'a Path,
    /// The part of the work that is done here; `None` stands for all of it.
    pub shard: Option<Shard>,
    /// The work.
    pub mode: Mode,
    /// The treatment of an interrupted night.
    pub start: Start,
    /// The store of all nights. Parts of a night have separate stores; the division is based on the costs in this one.
    pub nights: PathBuf,
    /// The machines that run the clients; `None` stands for this one.
    pub remote: Option<&'a dyn Remote>,
}

/// Everything that a night works with.
pub struct Inputs {
    /// The configuration.
    pub config: Config,
    /// The day.
    pub day: String,
    /// The run seed.
    pub number: u64,
    /// The seeds.
    pub seeds: Vec<Seed>,
    /// The kinds of seeds, with the clients that work.
    pub kinds: Vec<Kind>,
    /// Seeds and clients that cannot be used.
    pub failures: Vec<Loss>,
    /// The settings of each campaign.
    pub settings: Settings,
    /// The range of the values that are drawn.
    pub profile: ProfileName,
    /// The coverage of the last night.
    pub before: Option<Coverage>,
    /// The work of this part of the night.
    pub tasks: Vec<Task>,
    /// The night in the store.
    pub batch: Batch,
}

impl Inputs {
    /// Reads the inputs and opens the store.
    pub fn read(options: &NightOptions<'_>, config: Config) -> Result<Self, NightError> {
        let folder = options.config_file.parent().unwrap_or(Path::new(""));
        let SeedFiles { files, unnamed } = config.seed_files(options.config_file)?;
        let mut failures: Vec<Loss> = Vec::new();
        for file in &unnamed {
            let why = "its name is not UTF-8: rename it";
            failures.push(Loss::new(None, Some(&seed_name(folder, &file.to_string_lossy())), why));
        }
        if files.is_empty() {
            return Err(NightError::Other("no seed has a name in UTF-8: rename them".to_owned()));
        }
        let name = |path: &Path| seed_name(folder, &path.display().to_string());
        let (seeds, mut kinds) = kinds(&config, files, name)?;
        // The value is needed only later, but its errors should be reported before the night's work.
        Accepted::read(&config.accepted)?;
        let day = today();
        let number = config.run_number(&day);
        let mut settings = settings(&config, number, seeds.len());
        let profile = if config.wide { ProfileName::Wide } else { ProfileName::Strict };
        let parent = config.store.parent().filter(|f| !f.as_os_str().is_empty());
        make(parent.unwrap_or(Path::new("."))).map_err(SeedError::Report)?;
        let before = match config.store.exists() {
            true => Store::open(&config.store)?.last_coverage()?.map(coverage),
            false => None,
        };
        failures.extend(select(
            options.remote,
            &config,
            &seeds,
            &mut kinds,
            before.as_ref(),
            options.mode == Mode::Fuzz,
        )?);
        if let Some(remote) = options.remote {
            let most = kinds.iter().map(|kind| kind.clients.len()).max();
            settings.jobs = remote.jobs(most.unwrap_or(0), seeds.len());
        }
        if options.mode == Mode::Fuzz {
            check_restriction(&seeds, &kinds, profile, &settings)?;
        }
        let (tasks, division) = tasks(options, &seeds, &kinds)?;
        let format_key = |seed: &Seed| seed.kind.and_then(|kind| kinds[kind].key());
        let key = json!({
            "division": division,
            "nightly": settings_key(&settings, profile),
            "seeds": seeds.iter().map(|seed| file_key(&seed.path)).collect::<Vec<_>>(),
            "formats": seeds.iter().map(format_key).collect::<Vec<_>>(),
            "clients": config.clients,
            "client": config.client,
            "describe": descriptions_key(&config.describe),
            "shard": options.shard.map(|shard| shard.to_string()),
            // Stores of earlier versions have this name.
            "tell": (options.mode == Mode::Report).then(|| day.clone()),
        });
        let store = Store::open(&config.store)?;
        let batch = store.begin(BatchKind::Nightly, &key, options.start)?;
        store.verify()?;
        Ok(Self {
            config,
            day,
            number,
            seeds,
            kinds,
            failures,
            settings,
            profile,
            before,
            tasks,
            batch,
        })
    }
}

/// The tasks of this part of the night, and a digest of the division if that depends on costs.
fn tasks(
    options: &NightOptions<'_>,
    seeds: &[Seed],
    kinds: &[Kind],
) -> Result<(Vec<Task>, Option<String>), NightError> {
    let shard = options.shard.unwrap_or(Shard::WHOLE);
    let costs = match options.shard.is_some() && options.nights.exists() {
        true => Store::reading(&options.nights)?.costs()?,
        false => Costs::new(),
    };
    let names = |seed: &Seed| -> Vec<String> {
        let clients = seed.kind.map_or(&[][..], |kind| &kinds[kind].clients);
        clients.iter().map(|client| client.name().to_owned()).collect()
    };
    let (tasks, division) = match costs.is_empty() {
        true => {
            let counts: Vec<usize> = seeds.iter().map(|seed| names(seed).len()).collect();
            (divide_in_turn(&counts, shard.count), None)
        }
        false => {
            // The tasks of a seed that cannot be read are lost in any case.
            let pairs: Vec<SeedClients> =
                seeds.iter().map(|seed| (file_key(&seed.path), names(seed))).collect();
            let tasks = divide(&pairs, &costs, shard.count);
            let digest = digest::hex(format!("{tasks:?}"));
            (tasks, Some(digest))
        }
    };
    Ok((tasks.into_iter().filter(|task| task.part == shard.index).collect(), division))
}

/// The name of a seed file in coverage.
pub fn seed_name(folder: &Path, file: &str) -> String {
    let below = Path::new(file).strip_prefix(folder).ok().and_then(Path::to_str);
    below.unwrap_or(file).to_owned()
}

/// Reads the coverage of an earlier night; ignores coverage that another version wrote.
pub fn coverage(stored: serde_json::Value) -> Coverage {
    serde_json::from_value(stored).unwrap_or_default()
}

/// Returns the settings that identify a night. Its actual times depend on its progress.
fn settings(config: &Config, number: u64, seeds: usize) -> Settings {
    let time = config.time_s.map(|all| (all / 2 / seeds as u64).max(1));
    let most = if time.is_some() { WITH_TIME_LIMIT } else { WITHOUT_TIME_LIMIT };
    Settings {
        variants: config.variants.unwrap_or(most),
        seed: number,
        jobs: config.jobs.unwrap_or_else(processors),
        waiting: config.jobs.unwrap_or_else(displays),
        hang_limit: config.hang_limit,
        time: time.map(Duration::from_secs),
        reduce_time: config.reduce_time_s.map(Duration::from_secs),
        restriction: config.restriction(),
        max_size: config.max_size,
        ..Settings::default()
    }
}

/// Checks that the restriction fits each seed that can be read, before the first one is run.
fn check_restriction(
    seeds: &[Seed],
    kinds: &[Kind],
    profile: ProfileName,
    settings: &Settings,
) -> Result<(), NightError> {
    let restriction = &settings.restriction;
    for seed in seeds.iter().filter(|_| !restriction.is_empty()) {
        let Some(Kind { format, .. }) = seed.kind.map(|kind| &kinds[kind]) else { continue };
        if format.open(&seed.path, profile).is_ok() {
            format.open_restricted(&seed.path, profile, restriction).map_err(SeedError::Seed)?;
        }
    }
    Ok(())
}
