//! The arguments of `repfuzz fuzz`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::{FormatArgs, ProfileName, RestrictionArgs, jobs};
use campaign::{Guidance, HANG_LIMIT, Shard};
use reports::nightly::ACCEPTED;

/// Commands to begin with.
const EXAMPLES: &str = "\
Examples:
  repfuzz fuzz photo.tif
      all clients that repfuzz knows and finds here
  repfuzz fuzz photo.tif --client 'mine={here}/view {in} {out}'
      a program of your own, which writes the picture to a file
  repfuzz fuzz icon.png --client 'mine={here}/view {in} {out}'
      a seed of any format that `repfuzz formats` lists
  repfuzz fuzz photo.tif --clients pillow --vary 'orientation,segment *' -n 50
      a few variants, for one client, of what concerns the turn of the picture and its strips
  repfuzz fuzz a.tif b.tif --time 600 --report out
      two seeds, ten minutes each; the same command again resumes";

/// Run clients on equivalents of seed files, and report differences
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct FuzzArgs {
    /// Seed files; by default those of `repfuzz.toml`, which may have the other options as well
    #[arg(value_name = "SEED")]
    pub seeds: Vec<PathBuf>,
    /// Use only these clients (see `repfuzz clients`)
    #[arg(long, value_delimiter = ',', value_name = "NAME", help_heading = "Clients")]
    pub clients: Vec<String>,
    /// Additional client: name and command line, with {in} and {out} for the files; may be repeated
    #[arg(long = "client", value_name = "NAME=COMMAND", help_heading = "Clients")]
    pub extra: Vec<String>,
    /// Additional client descriptions: files or folders; may be repeated
    #[arg(long, value_name = "PATH", help_heading = "Clients")]
    pub describe: Vec<PathBuf>,
    /// Interpreter whose packages are tested as the clients that are Python packages, in place of those that
    /// `repfuzz clients --install` installed
    #[arg(long, value_name = "PATH", help_heading = "Clients")]
    pub python: Option<PathBuf>,
    /// Replay sequences of calls on a library in place of decoding: image, libtiff, tiff, or the file of
    /// a model (.toml); --clients and --client select drivers
    #[arg(
        long,
        value_name = "MODEL",
        help_heading = "Clients",
        conflicts_with_all = ["store", "fresh", "shard", "order", "hang_limit", "accepted"]
    )]
    pub calls: Option<String>,
    /// Number of variants of each seed that each client is judged on; others replace those that it refuses
    #[arg(
        short = 'n',
        long = "variants",
        default_value_t = 200,
        value_name = "N",
        help_heading = "How much"
    )]
    pub variants: usize,
    /// Run seed, from which all randomness derives
    #[arg(long, default_value_t = 1, value_name = "S", help_heading = "How much")]
    pub seed: u64,
    /// Range of the values that are drawn
    #[arg(long, value_enum, default_value_t = ProfileName::Strict, help_heading = "Variants")]
    pub profile: ProfileName,
    /// Order in which variants are made
    #[arg(long, value_enum, default_value_t = OrderName::Guided, help_heading = "How much")]
    pub order: OrderName,
    /// Number of threads [default: one per processor, and as many displays as memory allows]
    #[arg(short, long, value_name = "J", value_parser = jobs, help_heading = "How much")]
    pub jobs: Option<usize>,
    /// Folder for the report
    #[arg(long, default_value = "repfuzz-report", value_name = "DIR", help_heading = "Output")]
    pub report: PathBuf,
    /// Number of hangs of a client for one reason after which similar files are skipped
    #[arg(long, default_value_t = HANG_LIMIT, value_name = "K", help_heading = "Clients")]
    pub hang_limit: usize,
    /// Stop making variants after this many seconds per seed; all findings are still reduced
    #[arg(long, value_name = "SECONDS", help_heading = "How much")]
    pub time: Option<u64>,
    /// Stop reducing findings after this many seconds per seed; causes may stay too large then
    #[arg(long, value_name = "SECONDS", help_heading = "How much")]
    pub reduce_time: Option<u64>,
    /// Take documented conventions of readers, such as unspecified samples that are shown as alpha, for faults
    #[arg(long, help_heading = "Output")]
    pub strict: bool,
    /// File of causes that are on purpose, which `repfuzz accept` writes; they do not count
    #[arg(long, default_value = ACCEPTED, value_name = "FILE", help_heading = "Output")]
    pub accepted: PathBuf,
    /// Run clients without a sandbox: they can write files and use the network
    #[arg(long, help_heading = "Clients")]
    pub no_sandbox: bool,
    /// Print all causes, not only the first five
    #[arg(long, help_heading = "Output")]
    pub all: bool,
    /// Print JSON lines for machines
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Store of runs.
    #[command(flatten)]
    pub keep: StoreArgs,
    /// Restriction of the dimensions.
    #[command(flatten)]
    pub restriction: RestrictionArgs,
    /// Format of the seeds.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// The store of runs.
#[derive(Debug, Clone, Default, Args)]
pub struct StoreArgs {
    /// Store for runs, from which an interrupted run resumes [default: repfuzz.sqlite in the
    /// report's folder]
    #[arg(long, value_name = "FILE", help_heading = "Store")]
    pub store: Option<PathBuf>,
    /// Start over even if the same run was interrupted
    #[arg(long, help_heading = "Store")]
    pub fresh: bool,
    /// Run only part I of N; `repfuzz merge` joins the stores of all parts
    #[arg(long, value_name = "I/N", help_heading = "Store")]
    pub shard: Option<Shard>,
}

/// The order in which variants are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OrderName {
    /// Learn what each client refuses, prefer untested combinations, and avoid refusals and known causes
    Guided,
    /// As guided, and half of the variants derive from those that reached new edges of a client (docs/edges.md)
    Edges,
    /// Each variant independently at random
    Random,
}

impl From<OrderName> for Guidance {
    fn from(name: OrderName) -> Self {
        match name {
            OrderName::Guided => Guidance::Guided,
            OrderName::Edges => Guidance::Edges,
            OrderName::Random => Guidance::Random,
        }
    }
}
