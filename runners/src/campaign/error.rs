//! Why a campaign came to nothing.

use inverter::solve::Choices;

/// Why a campaign came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// A file that was made does not mean what the seed means. No client is to blame.
    #[error(
        "internal error: {what}; please report this with the seed file and these choices: {}",
        serde_json::to_string(choices).unwrap_or_default()
    )]
    Defect {
        /// What is wrong.
        what: String,
        /// The choices that show it, if they are known.
        choices: Choices,
    },
    /// Results cannot be written.
    #[error("cannot write the results: {0}")]
    Log(std::io::Error),
}
