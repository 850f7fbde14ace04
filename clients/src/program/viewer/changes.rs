//! The events of a display: X11's damage extension reports every change of the screen.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use x11rb::connection::Connection;
use x11rb::errors::{ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::protocol::Event;
use x11rb::protocol::damage::{ConnectionExt as _, Damage, ReportLevel};
use x11rb::protocol::xproto::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// The first version of the extension whose events suffice.
const VERSION: (u32, u32) = (1, 1);

/// A connection to a display that receives the changes of its screen.
pub(super) struct Changes {
    connection: RustConnection,
    damage: Damage,
}

impl Changes {
    /// Connects to the display of this name, such as `:1`.
    pub(super) fn of(display: &str) -> io::Result<Self> {
        let lost = |e: &dyn std::fmt::Display| {
            io::Error::other(format!("no connection to display {display}: {e}"))
        };
        let (connection, screen) = x11rb::connect(Some(display)).map_err(|e| lost(&e))?;
        let root = connection.setup().roots[screen].root;
        let damage = (|| {
            connection.damage_query_version(VERSION.0, VERSION.1)?.reply()?;
            let damage = connection.generate_id()?;
            // The damage of the root window includes that of all windows in it. Only one event arrives until the damage
            // is reset, so an animation does not flood us.
            connection.damage_create(damage, root, ReportLevel::NON_EMPTY)?.check()?;
            Ok::<_, ReplyOrIdError>(damage)
        })()
        .map_err(|e| lost(&e))?;
        Ok(Self { connection, damage })
    }

    /// Returns true if the screen has changed since the last call, as far as events have arrived.
    pub(super) fn any(&mut self) -> io::Result<bool> {
        let mut changed = false;
        while let Some(event) = self.connection.poll_for_event().map_err(gone)? {
            changed |= matches!(event, Event::DamageNotify(_));
        }
        if changed {
            self.connection.damage_subtract(self.damage, x11rb::NONE, x11rb::NONE).map_err(gone)?;
            self.connection.flush().map_err(gone)?;
        }
        Ok(changed)
    }

    /// Like [`Changes::any`], for all changes until now: the server sends the events for completed drawing before it
    /// answers.
    pub(super) fn any_until_now(&mut self) -> io::Result<bool> {
        let answer = self.connection.get_input_focus().map_err(gone)?.reply();
        answer.map_err(|e: ReplyError| io::Error::other(format!("the display is gone: {e}")))?;
        self.any()
    }
}

fn gone(error: ConnectionError) -> io::Error {
    io::Error::other(format!("the display is gone: {error}"))
}

impl AsFd for Changes {
    /// It is readable when events have arrived.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.connection.stream().as_fd()
    }
}
