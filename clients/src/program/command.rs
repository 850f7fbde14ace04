//! Runs one process per file.

use std::io;
use std::sync::Arc;

use super::context::{ProgramContext, Workspace, refused};
use crate::description::OutputSource;
use crate::process::{Found, Stdout, content};
use crate::{Observed, Spent};

/// Runs every command on the file, until one fails; then reads the picture.
pub(super) fn run(context: &Arc<ProgramContext>, file: &[u8]) -> io::Result<Observed> {
    let description = &context.description;
    let workspace = context.workspace()?;
    workspace.put(file)?;
    // Without a name: a command before the last cannot prepare the place.
    let printed = match description.output.from {
        OutputSource::Stdout => Some(workspace.scratch.nameless()?),
        OutputSource::File => None,
    };
    let deadline = context.deadline();
    let last = description.run.commands().count().saturating_sub(1);
    let (mut message, mut spent) = (None, None);
    for (at, argv) in description.run.commands().enumerate() {
        let stdout = match &printed {
            Some(file) if at == last => Stdout::File(file),
            _ => Stdout::Ends,
        };
        let ended = context.run(&workspace, argv, stdout, deadline)?;
        let of_this = ended.spent();
        spent = Some(spent.map_or(of_this, |before: Spent| before.and(of_this)));
        if let Some(reply) = workspace.failure(&ended)? {
            return Ok(Observed { spent, ..reply.into() });
        }
        message = workspace.words(&ended);
    }
    let limit = description.limits.disk_mb << 20;
    let found = match &printed {
        Some(file) => Found::File(content(file, limit)?),
        None => made(context, &workspace, limit)?,
    };
    let reply = match found {
        Found::File(bytes) if !bytes.is_empty() => context.picture(&bytes, message.as_deref()),
        Found::Other(kind) => refused(&format!("made no picture, but {kind}"), message.as_deref()),
        _ => refused("made no picture", message.as_deref()),
    };
    Ok(Observed { spent, ..reply.into() })
}

/// Reads the picture file that a client wrote.
fn made(context: &ProgramContext, workspace: &Workspace, limit: u64) -> io::Result<Found> {
    let output = &context.description.output;
    let input = context.description.input();
    let plain = format!("out.{}", output.format.extension());
    let wanted = |name: &str| match &output.path {
        Some(path) => path.matches(name) && name != input,
        None => name == plain,
    };
    workspace.scratch.read(wanted, limit)
}
