//! Errors that end a campaign.

use inverter::solve::Choices;

/// The reason why a campaign has no result.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// A variant is not equivalent to the seed: an internal error. No client is to blame.
    #[error(
        "internal error: {what}; please report this with the seed file and these choices: {}",
        serde_json::to_string(choices).unwrap_or_default()
    )]
    Internal {
        /// A description of the problem.
        what: String,
        /// The choices that reproduce it; empty if unknown.
        choices: Choices,
    },
    /// Results cannot be written.
    #[error("cannot write the results: {0}")]
    Log(std::io::Error),
}
