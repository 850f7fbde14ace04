//! A viewer of files that say what it does: a line is a step.

use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    ConnectionExt, CreateGCAux, CreateWindowAux, Gcontext, Rectangle, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

struct Viewer {
    connection: RustConnection,
    window: Window,
    gc: Gcontext,
    /// True for a file that it was told to open.
    told: bool,
}

/// Shows a file, and then others that it is told to open by `PATH;` at the socket `socket`.
pub fn run(file: &Path) {
    let listener = UnixListener::bind("socket").ok();
    let mut viewer = Viewer::new();
    viewer.show(file);
    let Some(listener) = listener else {
        std::thread::sleep(Duration::from_secs(60));
        return;
    };
    viewer.told = true;
    for stream in listener.incoming() {
        let (mut stream, mut path, mut byte) = (stream.unwrap(), Vec::new(), [0]);
        while stream.read_exact(&mut byte).is_ok() && byte != *b";" {
            path.push(byte[0]);
        }
        stream.write_all(b"ok").unwrap();
        viewer.show(Path::new(std::str::from_utf8(&path).unwrap()));
    }
}

impl Viewer {
    fn new() -> Self {
        let (connection, screen) = x11rb::connect(None).unwrap();
        let root = connection.setup().roots[screen].root;
        let [window, gc] = [0; 2].map(|_| connection.generate_id().unwrap());
        let aux = CreateWindowAux::new().override_redirect(1).background_pixel(0);
        let class = WindowClass::INPUT_OUTPUT;
        connection.create_window(0, window, root, 0, 0, 800, 600, 0, class, 0, &aux).unwrap();
        connection.create_gc(gc, window, &CreateGCAux::new()).unwrap();
        connection.map_window(window).unwrap();
        connection.sync().unwrap();
        Self { connection, window, gc, told: false }
    }

    fn show(&mut self, file: &Path) {
        self.connection.clear_area(false, self.window, 0, 0, 0, 0).unwrap();
        self.connection.sync().unwrap();
        let bytes = std::fs::read(file).unwrap();
        // The curtain.
        let steps = if bytes.starts_with(b"P6") { b"draw 777777 888888".to_vec() } else { bytes };
        for step in String::from_utf8_lossy(&steps).lines() {
            let words: Vec<&str> = step.split(' ').collect();
            let time = || Duration::from_millis(words[1].parse().unwrap());
            match words[0] {
                "draw" => self.draw(&words[1..]),
                "sleep" => std::thread::sleep(time()),
                "timer" => {
                    let _ = rustix::event::poll(&mut [], Some(&time().try_into().unwrap()));
                }
                "rest" => while rustix::event::poll(&mut [], None).is_err() {},
                "work" => work(time()),
                "child" => {
                    let until = format!(
                        "end=$(($(date +%s%N) + {}000000)); while [ $(date +%s%N) -lt $end ]; do :; done",
                        words[1]
                    );
                    std::process::Command::new("sh").args(["-c", &until]).status().unwrap();
                }
                "forever" => loop {
                    self.draw(&["111111", "222222"]);
                    std::thread::sleep(Duration::from_millis(50));
                    self.draw(&["333333", "444444"]);
                },
                "exit" => std::process::exit(3),
                "unless-told" if self.told => return,
                _ => {}
            }
        }
    }

    /// Draws two rectangles.
    fn draw(&self, colors: &[&str]) {
        for (k, color) in colors.iter().enumerate() {
            let value = match *color {
                // Any two processes of a test have different ones.
                "pid" => own_number().wrapping_mul(0x9e37_79b9) >> 8,
                "told" => {
                    if self.told {
                        0xff_0000
                    } else {
                        0x00_ff00
                    }
                }
                hex => u32::from_str_radix(hex, 16).unwrap(),
            };
            let gc = x11rb::protocol::xproto::ChangeGCAux::new().foreground(value);
            self.connection.change_gc(self.gc, &gc).unwrap();
            let at = Rectangle { x: 100 + 100 * k as i16, y: 100, width: 100, height: 50 };
            self.connection.poly_fill_rectangle(self.window, self.gc, &[at]).unwrap();
        }
        self.connection.sync().unwrap();
    }
}

fn work(time: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// A number of this process that is the same inside and outside of a namespace: when it started.
fn own_number() -> u32 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let start = stat.rsplit(')').next().unwrap().split_whitespace().nth(19).unwrap();
    start.parse::<u64>().unwrap() as u32
}
