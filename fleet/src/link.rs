//! The connection to NATS, and the streams and buckets of a fleet.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::{ObjectStore, PutErrorKind};
use async_nats::jetstream::stream::{Config, RetentionPolicy};
use async_nats::jetstream::{Context, object_store};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event};
use clap::Args;
use futures_util::StreamExt;
use tokio::io::AsyncReadExt;

use super::names::Names;
use super::token::Tokens;

/// The time after which messages and objects that nobody requested are removed.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// The time within which a message that is published twice is recognized.
const DUPLICATES: Duration = Duration::from_secs(120);

/// The maximum number of pull requests and of unacknowledged messages of a consumer. The defaults, 512 and 1,000,
/// suffice for a few hundred workers. With more workers, requests would be refused and jobs held back.
const MOST: i64 = 1_000_000;

/// The time limit for a request to the server, after which the request is repeated.
const PATIENCE: Duration = Duration::from_secs(5);

/// The address of NATS, and the keys
#[derive(Debug, Clone, Default, Args)]
pub struct NatsArgs {
    /// Server of NATS, with JetStream: nats://HOST:4222, or tls://HOST:4222
    #[arg(long, value_name = "URL")]
    pub nats: String,
    /// Name of the fleet: fleets on one server do not see each other
    #[arg(long, value_name = "NAME", default_value = "repfuzz")]
    pub fleet: String,
    /// File with the seed of an nkey
    #[arg(long, value_name = "FILE", conflicts_with = "creds")]
    pub nkey: Option<PathBuf>,
    /// Credentials file, with a JWT
    #[arg(long, value_name = "FILE")]
    pub creds: Option<PathBuf>,
    /// Certificates of the authorities that the server's certificate is verified with
    #[arg(long, value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,
    /// Certificate of this side
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// Private key of this side
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
}

/// A connection to a fleet.
#[derive(Debug, Clone)]
pub struct Link {
    /// The client of NATS.
    pub client: Client,
    /// JetStream.
    pub stream: Context,
    /// The names of streams and subjects.
    pub names: Names,
    /// Words that other processes cannot guess.
    pub tokens: Arc<Tokens>,
}

/// The times at which the streams and buckets of a fleet were created. If a time changes, the content is lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created(Vec<String>);

impl Link {
    /// Connects as `user`, whose replies arrive on subjects of its own. If the server cannot be reached, tries again
    /// until `patience` has passed; a lost connection is always restored.
    ///
    /// # Errors
    ///
    /// Returns a one-line message if files or names are wrong, or the server cannot be reached or refuses the user.
    pub async fn connect(args: &NatsArgs, user: &str, patience: Duration) -> io::Result<Self> {
        let begun = Instant::now();
        let tokens = Arc::new(Tokens::new()?);
        loop {
            let error = match options(args, user)?.connect(&args.nats).await {
                Ok(client) => {
                    let names = Names::new(&args.fleet).map_err(io::Error::other)?;
                    let mut stream = async_nats::jetstream::new(client.clone());
                    stream.set_timeout(PATIENCE);
                    return Ok(Self { client, stream, names, tokens });
                }
                Err(error) => error,
            };
            use ConnectErrorKind::{Authentication, AuthorizationViolation, ServerParse, Tls};
            let hopeless =
                matches!(error.kind(), Authentication | AuthorizationViolation | ServerParse | Tls);
            if hopeless || begun.elapsed() >= patience {
                return Err(io::Error::other(format!("{}: {error}", args.nats)));
            }
            tracing::warn!("{}: {error}; trying again", args.nats);
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// Returns the remedy if the connected server has no JetStream. `nats-server` enables it only on request.
    pub fn without_jetstream(&self) -> Option<&'static str> {
        let there = self.client.server_info().jetstream;
        (!there).then_some("this server of NATS has no JetStream: start it with `nats-server -js`")
    }

    /// Returns true as long as the server answers.
    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Creates the streams and buckets of the fleet that do not exist. Returns when each was created.
    ///
    /// # Errors
    ///
    /// Returns a one-line message: JetStream is off, or refuses.
    pub async fn create(&self) -> io::Result<Created> {
        self.create_all().await.map_err(|error| match self.without_jetstream() {
            Some(remedy) => io::Error::other(format!("{error}; {remedy}")),
            None => error,
        })
    }

    async fn create_all(&self) -> io::Result<Created> {
        let names = &self.names;
        let work = |name: String, subject: String| Config {
            name,
            subjects: vec![subject],
            retention: RetentionPolicy::WorkQueue,
            max_age: KEPT,
            duplicate_window: DUPLICATES,
            ..Config::default()
        };
        let advisories = format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{}.>", names.jobs());
        let dead = Config { retention: RetentionPolicy::Limits, ..work(names.dead(), advisories) };
        let all = [
            work(names.jobs(), names.job("*", "*")),
            work(names.results(), names.result("*", "*")),
            dead,
        ];
        let mut created = Vec::new();
        for config in all {
            let name = config.name.clone();
            let stream = self.stream.get_or_create_stream(config).await;
            let stream = stream.map_err(|e| about(&name, &e))?;
            created.push(format!("{:?}", stream.cached_info().created));
        }
        for bucket in [names.files(), names.pictures()] {
            if self.stream.get_object_store(&bucket).await.is_err() {
                let config = object_store::Config {
                    bucket: bucket.clone(),
                    max_age: KEPT,
                    ..object_store::Config::default()
                };
                let made = self.stream.create_object_store(config).await;
                made.map_err(|e| about(&bucket, &e))?;
            }
            let name = format!("OBJ_{bucket}");
            let stream = self.stream.get_stream(&name).await.map_err(|e| about(&name, &e))?;
            created.push(format!("{:?}", stream.cached_info().created));
        }
        Ok(Created(created))
    }

    /// Publishes a message on a stream, and retries until the server has it. The stream stores it only once.
    ///
    /// The stream recognizes the message by a word that others cannot guess. Otherwise they could send a message with
    /// the same word first, which would keep this one out of the stream.
    pub async fn publish(&self, subject: &str, payload: Vec<u8>) {
        let payload = async_nats::jetstream::message::PublishMessage::build()
            .payload(payload.into())
            .message_id(self.tokens.word());
        let mut pause = Duration::from_millis(50);
        loop {
            match self.publish_once(subject, payload.clone()).await {
                Ok(()) => return,
                Err(error) => tracing::debug!("{subject}: {error}; trying again"),
            }
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(Duration::from_secs(2));
        }
    }

    async fn publish_once(&self, subject: &str, message: PublishMessage) -> io::Result<()> {
        let sent = self.stream.send_publish(subject.to_owned(), message).await;
        let acknowledged = sent.map_err(io::Error::other)?;
        let limit = tokio::time::timeout(PATIENCE, acknowledged.into_future()).await;
        limit.map_err(io::Error::other)?.map_err(io::Error::other)?;
        Ok(())
    }

    /// Returns the object `name` of `bucket`, of at most `most` bytes.
    ///
    /// # Errors
    ///
    /// Returns a one-line message if the object does not exist, is longer, or cannot be read.
    pub async fn get(&self, bucket: &str, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let store = self.bucket(bucket).await?;
        let read = async {
            let object = store.get(name).await.map_err(|e| about(name, &e))?;
            // The declared length cannot be trusted.
            let longer = || about(name, &format_args!("an object of more than {most} bytes"));
            if object.info().size as u64 > most {
                return Err(longer());
            }
            let mut bytes = Vec::new();
            object.take(most.saturating_add(1)).read_to_end(&mut bytes).await?;
            if bytes.len() as u64 > most { Err(longer()) } else { Ok(bytes) }
        };
        tokio::time::timeout(6 * PATIENCE, read).await.map_err(|e| about(name, &e))?
    }

    /// Stores `bytes` as the object `name` of `bucket`, unless it exists. Names are digests, so equal names have equal
    /// bytes.
    ///
    /// # Errors
    ///
    /// Returns a one-line message.
    pub async fn put(&self, bucket: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
        let store = self.bucket(bucket).await?;
        if store.info(name).await.is_ok() {
            return Ok(());
        }
        self.put_again(bucket, name, bytes).await
    }

    /// Stores `bytes` as the object `name` of `bucket`, and replaces an object that has other bytes in spite of its
    /// name.
    ///
    /// # Errors
    ///
    /// One line.
    pub async fn put_again(&self, bucket: &str, name: &str, mut bytes: &[u8]) -> io::Result<()> {
        let store = self.bucket(bucket).await?;
        match store.put(name, &mut bytes).await {
            // The new object exists. A worker is not permitted to remove the rest of the old one.
            Err(error) if error.kind() == PutErrorKind::PurgeOldChunks => Ok(()),
            Err(error) => Err(about(name, &error)),
            Ok(_) => Ok(()),
        }
    }

    async fn bucket(&self, name: &str) -> io::Result<ObjectStore> {
        self.stream.get_object_store(name).await.map_err(|e| about(name, &e))
    }

    /// Creates the consumer of a group's jobs, or changes it. A job whose delivery is not acknowledged within `lease`
    /// is delivered again, at most `deliveries` times in total.
    ///
    /// # Errors
    ///
    /// One line.
    pub async fn group(&self, group: &str, lease: Duration, deliveries: i64) -> io::Result<()> {
        let config = pull::Config {
            durable_name: Some(Names::group_consumer(group)),
            filter_subject: self.names.job(group, "*"),
            ack_wait: lease,
            max_deliver: deliveries,
            max_waiting: MOST,
            max_ack_pending: MOST,
            ..pull::Config::default()
        };
        self.consumer(&self.names.jobs(), config).await.map(|_| ())
    }

    /// Creates the consumer of a night's results, if it does not exist yet.
    ///
    /// # Errors
    ///
    /// One line.
    pub async fn night_results(&self, night: &str) -> io::Result<PullConsumer> {
        let config = pull::Config {
            durable_name: Some(Names::night_consumer(night)),
            filter_subject: self.names.result("*", night),
            ack_wait: Duration::from_secs(30),
            max_ack_pending: MOST,
            ..pull::Config::default()
        };
        self.consumer(&self.names.results(), config).await
    }

    /// Creates the consumer of dead letters for a night, if it does not exist yet.
    ///
    /// # Errors
    ///
    /// One line.
    pub async fn night_dead(&self, night: &str) -> io::Result<PullConsumer> {
        let config = pull::Config {
            durable_name: Some(Names::night_consumer(night)),
            ack_wait: Duration::from_secs(30),
            ..pull::Config::default()
        };
        self.consumer(&self.names.dead(), config).await
    }

    async fn consumer(&self, stream: &str, config: pull::Config) -> io::Result<PullConsumer> {
        let found = self.stream.get_stream_no_info(stream).await.map_err(|e| about(stream, &e))?;
        found.create_consumer(config).await.map_err(|e| about(stream, &e))
    }

    /// Removes the rest of a night, and results for nights that no server has.
    pub async fn forget(&self, night: &str) {
        let consumer = Names::night_consumer(night);
        let (jobs, results) = (self.names.job("*", night), self.names.result("*", night));
        for (stream, subject) in [(self.names.jobs(), jobs), (self.names.results(), results)] {
            if let Ok(stream) = self.stream.get_stream_no_info(&stream).await {
                let purged = stream.purge().filter(subject).await;
                purged.map(|_| ()).unwrap_or_else(|e| tracing::warn!("cannot purge: {e}"));
            }
        }
        for stream in [self.names.results(), self.names.dead()] {
            let _ = self.stream.delete_consumer_from_stream(&consumer, &stream).await;
        }
        self.sweep().await.unwrap_or_else(|error| tracing::warn!("cannot purge: {error}"));
    }

    /// Removes results for nights that have no consumer because they ended or never existed.
    async fn sweep(&self) -> io::Result<()> {
        let name = self.names.results();
        let stream = self.stream.get_stream_no_info(&name).await.map_err(|e| about(&name, &e))?;
        // List the results first, so that the list contains none of a night that begins in the meantime.
        let all = self.names.result("*", "*");
        let info = stream.info_builder().subjects(all).fetch().await;
        let mut subjects = info.map_err(|e| about(&name, &e))?;
        let mut nights = BTreeSet::new();
        while let Some(subject) = subjects.next().await {
            let (subject, _) = subject.map_err(|e| about(&name, &e))?;
            nights.extend(subject.rsplit('.').next().map(str::to_owned));
        }
        let mut consumers = stream.consumer_names();
        while let Some(consumer) = consumers.next().await {
            let consumer = consumer.map_err(|e| about(&name, &e))?;
            nights.retain(|night| Names::night_consumer(night) != consumer);
        }
        for night in nights {
            let purged = stream.purge().filter(self.names.result("*", &night)).await;
            let purged = purged.map_err(|e| about(&name, &e))?.purged;
            tracing::warn!("{purged} results for {night}, which is no night of a server, removed");
        }
        Ok(())
    }

    /// Returns the number of a night's unacknowledged messages: jobs and results.
    ///
    /// # Errors
    ///
    /// One line.
    pub async fn left(&self, night: &str) -> io::Result<(usize, usize)> {
        let (jobs, results) = (self.names.job("*", night), self.names.result("*", night));
        let jobs = self.count(&self.names.jobs(), jobs).await?;
        Ok((jobs, self.count(&self.names.results(), results).await?))
    }

    /// Returns true if jobs of a group will be delivered or a worker has them.
    ///
    /// # Errors
    ///
    /// One line.
    pub async fn pending(&self, group: &str) -> io::Result<bool> {
        let (name, consumer) = (self.names.jobs(), Names::group_consumer(group));
        let stream = self.stream.get_stream_no_info(&name).await.map_err(|e| about(&name, &e))?;
        let info = stream.consumer_info(&consumer).await.map_err(|e| about(&consumer, &e))?;
        Ok(info.num_pending > 0 || info.num_ack_pending > 0)
    }

    /// Removes a night's jobs.
    ///
    /// # Errors
    ///
    /// One line.
    pub async fn drop_jobs(&self, night: &str) -> io::Result<()> {
        let name = self.names.jobs();
        let stream = self.stream.get_stream_no_info(&name).await.map_err(|e| about(&name, &e))?;
        let purged = stream.purge().filter(self.names.job("*", night)).await;
        purged.map(|_| ()).map_err(|e| about(&name, &e))
    }

    async fn count(&self, name: &str, subject: String) -> io::Result<usize> {
        let stream = self.stream.get_stream_no_info(name).await.map_err(|e| about(name, &e))?;
        let info = stream.info_builder().subjects(subject).fetch().await;
        let mut subjects = info.map_err(|e| about(name, &e))?;
        let mut sum = 0;
        while let Some(subject) = subjects.next().await {
            sum += subject.map_err(|e| about(name, &e))?.1;
        }
        Ok(sum)
    }
}

/// The options of a connection.
fn options(args: &NatsArgs, user: &str) -> io::Result<ConnectOptions> {
    let delay = |attempts: usize| Duration::from_millis(100 * attempts.clamp(1, 20) as u64);
    let mut options = ConnectOptions::new()
        .name(format!("repfuzz {user}"))
        .custom_inbox_prefix(format!("_INBOX_{user}"))
        .request_timeout(Some(PATIENCE))
        .reconnect_delay_callback(delay)
        .event_callback(|event| async move {
            match event {
                Event::Connected => tracing::info!("connected to NATS"),
                Event::Disconnected => tracing::warn!("disconnected from NATS"),
                event => tracing::warn!("NATS: {event}"),
            }
        });
    if let Some(path) = &args.nkey {
        let seed = std::fs::read_to_string(path).map_err(|e| reports::files::about(path, &e))?;
        let lines = seed.lines().map(str::trim);
        let seed = lines.into_iter().find(|line| line.starts_with('S'));
        let none = || io::Error::other(format!("{}: no seed of an nkey", path.display()));
        options = options.nkey(seed.ok_or_else(none)?.to_owned());
    }
    if let Some(path) = &args.creds {
        let text = std::fs::read_to_string(path).map_err(|e| reports::files::about(path, &e))?;
        options = options.credentials(&text).map_err(|e| reports::files::about(path, &e))?;
    }
    if let Some(path) = &args.tls_ca {
        options = options.add_root_certificates(path.clone()).require_tls(true);
    }
    if let (Some(cert), Some(key)) = (&args.tls_cert, &args.tls_key) {
        options = options.add_client_certificate(cert.clone(), key.clone()).require_tls(true);
    }
    Ok(options)
}

/// An error that names the stream, bucket or object.
pub fn about(name: &str, error: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("{name}: {error}"))
}
