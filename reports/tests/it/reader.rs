//! Readers of TIFF that are made up for tests.

use std::io;

use campaign::{About, Campaign, Log, Run, Settings, Stop};
use clients::contract::Contract;
use clients::{Client, Reply};
use indicatif::ProgressBar;
use tiff_harness::Seed;

/// A client that reads a file by a function.
pub struct Reader<F> {
    /// The known conventions.
    pub contract: Option<Contract>,
    /// Returns its reply to a file.
    pub read: F,
}

impl<F: Fn(&[u8]) -> io::Result<Reply> + Send + Sync> Client for Reader<F> {
    fn name(&self) -> &str {
        "reader"
    }
    fn version(&self) -> &str {
        "1.0"
    }
    fn summary(&self) -> &str {
        "a client made up for this test"
    }
    fn command(&self) -> Option<String> {
        None
    }
    fn contract(&self) -> Option<&Contract> {
        self.contract.as_ref()
    }
    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        (self.read)(file)
    }
}

/// Returns what a campaign finds in one client.
pub fn campaign(seed: &Seed, client: impl Client + 'static, settings: Settings) -> Run {
    let clients: [Box<dyn Client>; 1] = [Box::new(client)];
    Campaign {
        subject: seed,
        clients: &clients,
        settings: Settings { jobs: 2, ..settings },
        about: About::default(),
        log: &Log::to(io::sink()),
        stop: &Stop::new(),
        progress: ProgressBar::hidden(),
    }
    .run()
    .unwrap()
}

/// Opens a seed of the corpus: `seeds/rgb`.
pub fn seed(name: &str) -> Seed {
    let path = format!("{}/../corpus/{name}.tif", env!("CARGO_MANIFEST_DIR"));
    Seed::open(std::fs::read(path).unwrap()).unwrap()
}
