//! Errors that end a campaign.

/// The reason why a campaign has no result.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// Results cannot be written.
    #[error("cannot write the results: {0}")]
    Log(std::io::Error),
}
