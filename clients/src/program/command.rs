//! Runs one process per file, and others for extra reads of it.

use std::fs::File;
use std::io;
use std::sync::Arc;

use super::context::{ProgramContext, Workspace, refused};
use crate::description::{Argv, OutputSource};
use crate::extra::{Answer, Request};
use crate::process::{Found, Stdout, content};
use crate::{Observed, Reply, Spent};

/// Runs every command on the file, until one fails; then reads the picture.
pub(super) fn run(context: &Arc<ProgramContext>, file: &[u8]) -> io::Result<Observed> {
    let commands: Vec<&Argv> = context.description.run.commands().collect();
    let workspace = context.workspace()?;
    let from = context.description.output.from;
    let (ran, spent) = run_all(context, &workspace, file, &commands, from)?;
    let reply = match ran {
        Ok(Ran { printed, message }) => {
            shown(context, &workspace, printed.as_ref(), message.as_deref())?
        }
        Err(failed) => failed,
    };
    Ok(Observed { spent, ..reply.into() })
}

/// Runs the command of an extra read.
pub(super) fn extra(
    context: &Arc<ProgramContext>,
    file: &[u8],
    request: Request,
    argv: &Argv,
) -> io::Result<Answer> {
    let format = context.description.output.format;
    let extension = request.read.extension(format);
    let mut workspace = context.workspace_for(extension)?;
    workspace.region = Some(request.region);
    let from = if argv.writes() { OutputSource::File } else { OutputSource::Stdout };
    let Ran { printed, .. } = match run_all(context, &workspace, file, &[argv], from)?.0 {
        Ok(ran) => ran,
        Err(failed) => return Ok(Answer::Failed(failed)),
    };
    let limit = context.description.limits.disk_mb << 20;
    let files = match printed {
        Some(file) => vec![content(&file, limit)?],
        None => workspace.scratch.read_all(|name| rank(name, extension), limit)?,
    };
    Ok(Answer::of(request.read, format, files))
}

/// Returns the rank of a file among those that an extra read wrote: `out.png`, or `out-0.png`, `out-1.png`, ….
fn rank(name: &str, extension: &str) -> Option<u32> {
    let stem = name.strip_prefix("out")?.strip_suffix(extension)?.strip_suffix('.')?;
    match stem.trim_start_matches(['-', '_', '.']) {
        "" => Some(0),
        number => number.parse().ok(),
    }
}

/// Results that programs left in addition to files, if they succeeded.
struct Ran {
    /// The output of the last program, if it is wanted.
    printed: Option<File>,
    message: Option<String>,
}

/// Runs `commands` in a new folder. Returns what they left, or the failure of the first that failed.
fn run_all(
    context: &Arc<ProgramContext>,
    workspace: &Workspace,
    file: &[u8],
    commands: &[&Argv],
    from: OutputSource,
) -> io::Result<(Result<Ran, Reply>, Option<Spent>)> {
    workspace.put(file)?;
    // Without a name: a command before the last cannot prepare the place.
    let printed = match from {
        OutputSource::Stdout => Some(workspace.scratch.nameless()?),
        OutputSource::File => None,
    };
    let deadline = context.deadline();
    let last = commands.len().saturating_sub(1);
    let (mut message, mut spent) = (None, None);
    for (at, argv) in commands.iter().enumerate() {
        let stdout = match &printed {
            Some(file) if at == last => Stdout::File(file),
            _ => Stdout::Ends,
        };
        let ended = context.run(workspace, argv, stdout, deadline)?;
        let of_this = ended.spent();
        spent = Some(spent.map_or(of_this, |before: Spent| before.and(of_this)));
        if let Some(reply) = workspace.failure(&ended)? {
            return Ok((Err(reply), spent));
        }
        message = workspace.words(&ended);
    }
    Ok((Ok(Ran { printed, message }), spent))
}

/// Reads what the commands wrote.
fn shown(
    context: &ProgramContext,
    workspace: &Workspace,
    printed: Option<&File>,
    message: Option<&str>,
) -> io::Result<Reply> {
    let limit = context.description.limits.disk_mb << 20;
    let found = match printed {
        Some(file) => Found::File(content(file, limit)?),
        None => made(context, workspace, limit)?,
    };
    Ok(match found {
        Found::File(bytes) if !bytes.is_empty() => context.picture(&bytes, message),
        Found::Other(kind) => refused(&format!("made no picture, but {kind}"), message),
        _ => refused("made no picture", message),
    })
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
