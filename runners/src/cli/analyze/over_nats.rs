//! Analyses in separate processes, over NATS.

use std::ffi::OsString;

use analyses::nats::{self, Session};
use analyses::run::{Kind, Options, client};
use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::cli::{SUCCESS, fail};

/// Options of analyses in processes of their own.
#[derive(Debug, Clone, Args)]
pub struct OverNats {
    /// Run each analysis in a process of its own; they speak by this server: nats://HOST:4222, or tls://HOST:4222
    #[arg(long, value_name = "URL")]
    pub nats: Option<String>,
    /// Name of the session, for clients that join it [default: a random one]
    #[arg(long, value_name = "NAME", requires = "nats")]
    pub session: Option<String>,
    /// Number of clients that join the session from elsewhere, also of other languages; all begin together
    #[arg(long, value_name = "N", default_value_t = 0, requires = "session")]
    pub join: usize,
    /// Be such a client: run one analysis for a session, whose server gives the program
    #[arg(long, value_name = "CLIENT", value_parser = PossibleValuesParser::new(super::kinds()), requires = "session", conflicts_with_all = [
        "files", "clients", "isolated", "entry", "invariants", "svg", "json", "include", "define", "join",
    ])]
    pub serve: Option<String>,
}

impl OverNats {
    /// The options with the session, if there is one. A spec is analysed twice, which clients from elsewhere cannot know.
    pub fn add_to(&self, options: Options, spec: bool) -> Result<Options, String> {
        let Some(url) = &self.nats else { return Ok(options) };
        if spec && self.join > 0 {
            return Err("--join is for programs in C".to_owned());
        }
        let own = std::env::current_exe().map_err(|why| format!("this program's file: {why}"))?;
        let command: Vec<OsString> = vec![own.into(), "analyze".into(), "--serve".into()];
        let (url, name) = (url.clone(), self.session.clone());
        let session = Session { url, name, command, join: self.join };
        Ok(Options { nats: Some(session), ..options })
    }
}

/// Serves a session as a client; returns the exit code.
pub fn serve(args: &OverNats, name: &str) -> u8 {
    let (Some(url), Some(session)) = (&args.nats, &args.session) else {
        return fail("--serve needs --nats URL and --session NAME");
    };
    let Some(kind) = Kind::ALL.iter().copied().find(|kind| kind.name() == name) else {
        return fail(format!("there is no analysis `{name}`"));
    };
    if let Some(why) = kind.unusable() {
        return fail(why);
    }
    let build = Box::new(move |unfolding: &_, segments: &_, alone| {
        client(kind, unfolding, segments, alone)
    });
    match nats::serve(url, session, name, build) {
        Ok(()) => SUCCESS,
        Err(why) => fail(why),
    }
}
