//! Runs one process per file.

use std::io;
use std::sync::Arc;

use super::context::{ProgramContext, Workspace, refused};
use crate::client::Reply;
use crate::client::description::OutputSource;
use crate::client::process::Stdout;

/// Runs every command on the file, until one fails; then reads the picture.
pub(super) fn run(context: &Arc<ProgramContext>, file: &[u8]) -> io::Result<Reply> {
    let description = &context.description;
    let workspace = context.workspace()?;
    std::fs::write(&workspace.input, file)?;
    let deadline = context.deadline();
    let last = description.run.commands().count().saturating_sub(1);
    let mut message = None;
    for (at, argv) in description.run.commands().enumerate() {
        let to_file = at == last && description.output.from == OutputSource::Stdout;
        let stdout = if to_file { Stdout::File(&workspace.output) } else { Stdout::Ends };
        let ended = context.run(&workspace, argv, stdout, deadline)?;
        if let Some(reply) = workspace.failure(&ended)? {
            return Ok(reply);
        }
        message = workspace.words(&ended);
    }
    made(context, &workspace, message.as_deref())
}

/// Reads the picture that a client wrote.
fn made(
    context: &ProgramContext,
    workspace: &Workspace,
    message: Option<&str>,
) -> io::Result<Reply> {
    let output = &context.description.output;
    let limit = context.description.limits.disk_mb << 20;
    let input = context.description.input();
    let plain = format!("out.{}", output.format.extension());
    let wanted = |name: &str| match &output.path {
        Some(path) => path.matches(name) && name != input,
        None => name == plain,
    };
    Ok(match workspace.scratch.read(wanted, limit)? {
        Some(bytes) if !bytes.is_empty() => context.picture(&bytes, message),
        _ => refused("made no picture", message),
    })
}
