//! Runs one process per file, and possibly another one for a region of it.

use std::fs::File;
use std::io;
use std::sync::Arc;

use super::context::{ProgramContext, Workspace, refused};
use crate::description::{Argv, FileName, OutputSource, Rectangle};
use crate::output::{self, OutputError};
use crate::process::{Found, Stdout, content};
use crate::{Observed, Reply, Spent};

/// Runs every command on the file until one fails, then reads the picture. If the description says how, a region is
/// read as well.
pub(super) fn run(context: &Arc<ProgramContext>, file: &[u8]) -> io::Result<Observed> {
    let commands: Vec<&Argv> = context.description.run.commands().collect();
    let (reply, spent) = run_all(context, file, &commands, None)?;
    let region = match (&context.description.output.region, &reply) {
        (Some(command), Reply::Picture(whole)) => {
            let region = inner(whole.width(), whole.height());
            let (reply, _) = run_all(context, file, &[command], Some(region))?;
            let size = (region.width, region.height);
            let part = whole.part((region.x, region.y), size).map(Reply::Picture);
            (part.as_ref() != Some(&reply)).then(|| difference(region, part.as_ref(), &reply))
        }
        _ => None,
    };
    Ok(Observed { spent, region, ..reply.into() })
}

/// Returns the region to read from a picture of this size: it touches no edge unless the picture is tiny, and neither
/// begins nor ends at the boundary of a segment.
fn inner(width: u32, height: u32) -> Rectangle {
    let (x, y) = (width / 3, height / 3);
    Rectangle { x, y, width: width.div_ceil(2), height: height.div_ceil(2) }
}

/// Describes how the reply to the request for a region differs from the corresponding part of the whole picture.
fn difference(region: Rectangle, part: Option<&Reply>, reply: &Reply) -> String {
    let Rectangle { width, height, x, y } = region;
    let of = format!("{width}x{height} pixels at ({x}, {y}), read by themselves,");
    match (part, reply) {
        (Some(Reply::Picture(part)), Reply::Picture(got)) => {
            if (got.width(), got.height()) != (width, height) {
                return format!("{of} are {}x{} pixels", got.width(), got.height());
            }
            let pixels = part.rgba().chunks(4).zip(got.rgba().chunks(4));
            let count = pixels.filter(|(part, got)| part != got).count();
            format!("of {of} {count} differ from the whole picture")
        }
        (_, Reply::Refused { message } | Reply::Empty { message }) => {
            format!("{of} are refused: {message}")
        }
        (_, Reply::Crash { message }) => format!("{of} crash it: {message}"),
        (_, Reply::Resource { message }) => format!("{of} exceed a limit: {message}"),
        (_, Reply::Hang) => format!("{of} take longer than the time limit"),
        (_, Reply::Picture(_)) => format!("{of} are not in the picture"),
    }
}

/// Runs `commands` in a new folder, for the whole picture or a `region`.
fn run_all(
    context: &Arc<ProgramContext>,
    file: &[u8],
    commands: &[&Argv],
    region: Option<Rectangle>,
) -> io::Result<(Reply, Option<Spent>)> {
    let description = &context.description;
    let mut workspace = context.workspace()?;
    workspace.region = region;
    workspace.put(file)?;
    // The file has no name, so that an earlier command cannot prepare its place.
    let printed = match description.output.from {
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
        let ended = context.run(&workspace, argv, stdout, deadline)?;
        let of_this = ended.spent();
        spent = Some(spent.map_or(of_this, |before: Spent| before.and(of_this)));
        if let Some(reply) = workspace.failure(&ended)? {
            return Ok((reply, spent));
        }
        message = workspace.words(&ended);
    }
    let reply = shown(context, &workspace, printed.as_ref(), message.as_deref())?;
    Ok((reply, spent))
}

/// Reads what the commands wrote.
fn shown(
    context: &ProgramContext,
    workspace: &Workspace,
    printed: Option<&File>,
    message: Option<&str>,
) -> io::Result<Reply> {
    let output = &context.description.output;
    let limit = context.description.limits.disk_mb << 20;
    if let (true, Some(path)) = (output.pages, &output.path) {
        return all_pages(context, workspace, path, limit, message);
    }
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

/// Reads a picture file for each page, and stacks them vertically.
fn all_pages(
    context: &ProgramContext,
    workspace: &Workspace,
    path: &FileName,
    limit: u64,
    message: Option<&str>,
) -> io::Result<Reply> {
    let mut pages = Vec::new();
    for bytes in workspace.scratch.read_all(|name| path.page(name), limit)? {
        match context.picture(&bytes, message) {
            Reply::Picture(page) => pages.push(page),
            failure => return Ok(failure),
        }
    }
    Ok(match output::joined(pages) {
        Ok(picture) => Reply::Picture(picture),
        Err(OutputError::Empty(..)) => refused("made no picture", message),
        Err(error) => Reply::Resource { message: format!("made {error}") },
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
