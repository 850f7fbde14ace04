//! Shared by the Rust clients for data: the protocol of requests, and the output of what a file holds.

use std::error::Error;
use std::io::{BufRead, Write};

/// Serves files, `read(bytes)`: one to the second file if the command line names two, else, as a worker, what standard
/// input asks for.
pub fn serve(read: fn(&[u8]) -> Result<Vec<u8>, Box<dyn Error>>) -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().collect();
    if let [_, from, to] = &words[..] {
        std::fs::write(to, read(&std::fs::read(from)?)?)?;
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    out.write_all(b"ready\n")?;
    out.flush()?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let file = line.split_once(' ').map_or("", |(_, file)| file);
        let (kind, data) = match std::fs::read(file).map_err(Into::into).and_then(|f| read(&f)) {
            Ok(data) => ("picture", data),
            Err(error) => ("refused", error.to_string().into_bytes()),
        };
        out.write_all(format!("{kind} {}\n", data.len()).as_bytes())?;
        out.write_all(&data)?;
        out.flush()?;
    }
    Ok(())
}
