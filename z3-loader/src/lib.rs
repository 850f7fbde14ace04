//! The crate [`z3`](https://docs.rs/z3), with libz3 loaded when it is first needed.
//!
//! Programs are not linked with libz3: this crate defines the functions of its C interface, which jump to those of the
//! library that [`load`] finds. Code that uses Z3 runs within [`with_own_context`], which loads it or returns
//! [`Unavailable`]. A function that is called before that, or that an older libz3 does not have, ends the process with
//! a one-line message.
//!
//! The numbers of kinds of terms and declarations (`AstKind`, `DeclKind`) differ between versions of Z3, and `z3-sys`
//! has those of one of them. So no code may depend on them. Kinds of sorts have the same numbers in all versions.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

#[cfg(loaded)]
mod functions;
#[cfg(loaded)]
mod places;
mod state;

use std::sync::Once;

use state::LOADED;
pub use state::{Loaded, Unavailable, VARIABLE};
pub use z3::{FuncDecl, Params, SatResult, Solver, Sort, StatisticsValue, ast};

/// The memory limit of all work of Z3, in megabytes.
const MEMORY: &str = "4096";

/// Loads libz3 if that was not tried before.
///
/// # Errors
///
/// Returns an error if it is not found, or older than 4.8.
pub fn load() -> Result<&'static Loaded, Unavailable> {
    LOADED.get_or_init(find).as_ref().map_err(Clone::clone)
}

#[cfg(loaded)]
fn find() -> Result<Loaded, Unavailable> {
    places::find().map_err(Unavailable)
}

#[cfg(not(loaded))]
fn find() -> Result<Loaded, Unavailable> {
    Ok(Loaded { file: std::path::PathBuf::new(), version: z3::full_version().to_owned() })
}

/// Runs `work` with a separate Z3 context, in which its terms must be created. The answers of Z3 depend on the history
/// of its context, so with a shared context they would differ from run to run.
///
/// # Errors
///
/// As [`load`].
pub fn with_own_context<R: Send + Sync>(
    work: impl FnOnce() -> R + Send + Sync,
) -> Result<R, Unavailable> {
    static LIMITS: Once = Once::new();
    load()?;
    LIMITS.call_once(|| z3::set_global_param("memory_max_size", MEMORY));
    Ok(z3::with_z3_config(&z3::Config::new(), work))
}
