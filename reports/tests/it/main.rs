//! Campaigns with their reports and the store.

mod campaign;
mod campaign_truth;
mod conventions;
mod costs;
mod fake;
mod pages;
#[path = "../../../campaign/tests/it/paper/mod.rs"]
mod paper;
mod reader;
mod report_browser;
mod store;
