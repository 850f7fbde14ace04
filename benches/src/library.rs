//! repfuzz as a library in a separate process, like the generators that are libraries.

use std::path::Path;

use equivalents::Format;

/// Makes files in memory for so many seconds of processor time, or `most` files, then writes them to a folder. Prints the
/// processor seconds until it was ready, the number of files, and the processor seconds for these.
pub fn run([format, seed, folder, seconds, most]: [&str; 5]) -> Result<(), String> {
    let number = |text: &str| text.parse::<u64>().map_err(|e| format!("{text}: {e}"));
    let (limit, most) = (number(seconds)? as f64, number(most)? as usize);
    let format = match format {
        "tiff" => Format::Tiff,
        name => Format::shipped(name).map_err(|e| e.to_string())?,
    };
    let bytes = std::fs::read(seed).map_err(|e| format!("{seed}: {e}"))?;
    let mut equivalents = format.equivalents(&bytes).map_err(|e| e.to_string())?;
    let ready = used();
    let mut files = Vec::new();
    while files.len() < most && used() - ready < limit {
        files.push(equivalents.next().ok_or("no file")?);
    }
    let seconds = used() - ready;
    for (k, file) in files.iter().enumerate() {
        let path = Path::new(folder).join(format!("{k:07}"));
        std::fs::write(&path, &file[..]).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    println!("{ready:.3} {} {seconds:.3}", files.len());
    Ok(())
}

/// Returns the processor time of this process, in seconds.
fn used() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
