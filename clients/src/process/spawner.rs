//! A thread that starts programs which outlive the thread that requests them.
//!
//! The kernel kills a program when the *thread* that started it ends, and the threads of a
//! campaign come and go.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use super::child::{Child, Launch};

type Work = Box<dyn FnOnce() + Send>;

/// Starts a program that lives until repfuzz ends or kills it.
pub(super) fn start(launch: Launch) -> io::Result<Child> {
    static THREAD: OnceLock<Mutex<Sender<Work>>> = OnceLock::new();
    let thread = THREAD.get_or_init(|| {
        let (send, receive) = mpsc::channel::<Work>();
        // If the thread cannot be started, sending fails below.
        let _ = thread::Builder::new()
            .name("spawner".to_string())
            .spawn(move || receive.iter().for_each(|work| work()));
        Mutex::new(send)
    });
    let (send, receive) = mpsc::channel();
    let work = Box::new(move || {
        let _ = send.send(launch.start());
    });
    let gone = || io::Error::other("the thread that starts programs is gone");
    thread.lock().unwrap_or_else(PoisonError::into_inner).send(work).map_err(|_| gone())?;
    receive.recv().map_err(|_| gone())?
}
