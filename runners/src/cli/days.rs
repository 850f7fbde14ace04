//! Days that limit acceptances and nights.

/// Today's date in UTC.
pub fn today() -> String {
    let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string();
    now.chars().take(10).collect()
}

/// Parses a day that is not over, such as `2026-12-31`.
///
/// # Errors
///
/// Returns an error that says what is wrong with the text.
pub fn day(text: &str) -> Result<toml::value::Datetime, String> {
    match text.parse::<toml::value::Datetime>() {
        Ok(day) if day.date.is_some() && day.time.is_none() => match day.to_string() < today() {
            true => Err(format!("is in the past: today is {} (UTC)", today())),
            false => Ok(day),
        },
        _ => Err("must be a day such as 2026-12-31".to_owned()),
    }
}
