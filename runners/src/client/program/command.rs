//! A process for each file.

use std::io;
use std::sync::Arc;

use super::setting::{Room, Setting, refused};
use crate::client::Reply;
use crate::client::description::From;
use crate::client::process::Stdout;

/// Runs every command on the file; the last word on it, unless all ended well.
pub(super) fn run(setting: &Arc<Setting>, file: &[u8]) -> io::Result<Reply> {
    let description = &setting.description;
    let room = setting.room()?;
    std::fs::write(&room.input, file)?;
    let deadline = setting.deadline();
    let last = description.run.commands().count().saturating_sub(1);
    let mut said = None;
    for (at, argv) in description.run.commands().enumerate() {
        let to_file = at == last && description.output.from == From::Stdout;
        let stdout = if to_file { Stdout::File(&room.output) } else { Stdout::Ends };
        let ended = setting.run(&room, argv, stdout, deadline)?;
        if let Some(reply) = room.failure(&ended) {
            return Ok(reply);
        }
        said = room.words(&ended);
    }
    made(setting, &room, said.as_deref())
}

/// The picture that a client that ended well has made.
fn made(setting: &Setting, room: &Room, said: Option<&str>) -> io::Result<Reply> {
    let output = &setting.description.output;
    let limit = setting.description.limits.disk_mb << 20;
    let input = setting.description.input();
    let plain = format!("out.{}", output.format.extension());
    let wanted = |name: &str| match &output.path {
        Some(path) => path.matches(name) && name != input,
        None => name == plain,
    };
    Ok(match room.scratch.read(wanted, limit)? {
        Some(bytes) if !bytes.is_empty() => setting.picture(&bytes, said),
        _ => refused("made no picture", said),
    })
}
