//! Causes as C programs, each with the code of its driver.

use std::collections::BTreeMap;
use std::fs;

use interfaces::replay::{Shown, c_program};

use super::driver::Driver;
use super::result::Cause;

/// The names of files and their contents.
pub type Programs = BTreeMap<String, Vec<u8>>;

/// Returns a program for each cause of a driver in C, and the code of the drivers. `file` is the name of the file that
/// shows a cause. Causes in linked-in libraries have no program.
pub fn programs(causes: &[Cause], drivers: &[Driver], file: impl Fn(usize) -> String) -> Programs {
    let mut out = Programs::new();
    for (number, cause) in causes.iter().enumerate() {
        let driver = drivers.iter().find(|d| d.name() == cause.driver);
        let Some(source) = driver.and_then(Driver::source) else { continue };
        let name = format!("calls-{:02}", number + 1);
        let code = source.file.as_deref().and_then(|f| Some((f, f.file_name()?.to_str()?)));
        let (driver, compile) = match code {
            Some((path, code)) => {
                // Without the driver's code, the program says which file it needs.
                for copied in [path.to_owned(), path.with_file_name("requests.h")] {
                    if let (Some(name), Ok(bytes)) = (copied.file_name(), fs::read(&copied)) {
                        out.insert(name.to_string_lossy().into_owned(), bytes);
                    }
                }
                let words = source.compile.iter().map(|word| match word.as_str() {
                    "{in}" => format!("{name}.c"),
                    "{out}" => name.clone(),
                    word => word.to_owned(),
                });
                (code.to_owned(), words.collect::<Vec<_>>().join(" "))
            }
            None => {
                let compile = format!("cc -DDRIVER='\"driver.c\"' {name}.c -o {name}");
                ("driver.c".to_owned(), compile)
            }
        };
        let shown = Shown {
            heading: &cause.heading(),
            calls: &cause.calls.join(" "),
            driver: &driver,
            compile: &compile,
            name: &name,
            file: &file(number),
        };
        out.insert(format!("{name}.c"), c_program(&shown).into_bytes());
    }
    out
}
