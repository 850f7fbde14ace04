//! One thread that starts what outlives the thread that asks for it.
//!
//! The kernel ends a program with the *thread* that started it, and the threads of a campaign
//! come and go.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use super::child::{Begin, Child};

type Work = Box<dyn FnOnce() + Send>;

/// Starts a program that lives until repfuzz ends or it is killed.
pub(super) fn start(begin: Begin) -> io::Result<Child> {
    static THREAD: OnceLock<Mutex<Sender<Work>>> = OnceLock::new();
    let thread = THREAD.get_or_init(|| {
        let (send, receive) = mpsc::channel::<Work>();
        // Without the thread nobody receives, which is told below.
        let _ = thread::Builder::new()
            .name("spawner".to_string())
            .spawn(move || receive.iter().for_each(|work| work()));
        Mutex::new(send)
    });
    let (send, receive) = mpsc::channel();
    let work = Box::new(move || {
        let _ = send.send(begin.start());
    });
    let gone = || io::Error::other("the thread that starts programs is gone");
    thread.lock().unwrap_or_else(PoisonError::into_inner).send(work).map_err(|_| gone())?;
    receive.recv().map_err(|_| gone())?
}
