//! The clients that are installed on this machine, on files of a known picture. What is missing is
//! said and skipped: run with `--nocapture` to see the table.

use rayon::prelude::*;
use runners::client::{Catalogue, Reply, State, probe};

#[test]
fn installed_clients_are_as_described() {
    let catalogue = Catalogue::load(&[]).unwrap();
    catalogue.probe();
    for entry in catalogue.entries() {
        match entry.state() {
            State::Missing { what } => eprintln!("SKIPPED {}: no {what}", entry.info().name),
            State::Broken { why } => eprintln!("SKIPPED {}: {why}", entry.info().name),
            State::Ready { .. } => {}
        }
    }
    let ready = catalogue.ready();
    assert!(ready.iter().any(|e| e.info().name == "rust-image"), "the linked-in clients work");
    let trouble: Vec<String> = ready
        .par_iter()
        .flat_map(|entry| {
            let (client, info) = (entry.client(), entry.info());
            let mut marks = String::new();
            let mut trouble = Vec::new();
            // One plain turn for everybody; all eight where it costs little.
            let slow = matches!(entry.state(), State::Ready { took } if took.as_millis() > 400);
            let orientations: &[u16] = if slow { &[6] } else { &[1, 2, 3, 4, 5, 6, 7, 8] };
            for &orientation in orientations {
                let reply = client.run(&probe::file(orientation)).unwrap();
                marks.push(match &reply {
                    Reply::Picture(p) if *p == probe::displayed(orientation) => '+',
                    Reply::Picture(p) if *p == probe::picture() => '0',
                    Reply::Picture(_) => '?',
                    _ => '!',
                });
                let as_stored = matches!(&reply, Reply::Picture(p) if *p == probe::picture());
                if !info.applies("orientation") && !as_stored {
                    trouble.push(format!(
                        "{} is described as ignoring the orientation, but gives on {orientation}: {reply:?}",
                        info.name
                    ));
                }
            }
            // + as it should be seen, 0 as stored, ? neither, ! no picture.
            let applies = if info.applies("orientation") { "applies" } else { "ignores" };
            eprintln!("{:16} {:18} {applies} {marks}", info.name, client.version());
            trouble
        })
        .collect();
    assert!(trouble.is_empty(), "{}", trouble.join("\n"));
}

#[test]
fn damaged_files_are_refused_or_read_but_never_an_error_of_ours() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let whole = probe::file(1);
    for name in ["rust-image", "rust-tiff", "tiff2rgba", "ffmpeg", "netpbm", "graphicsmagick"] {
        let entry = catalogue.get(name).unwrap();
        if !matches!(entry.state(), State::Ready { .. }) {
            eprintln!("SKIPPED {name}: {:?}", entry.state());
            continue;
        }
        for cut in [0, 4, 8, 60, whole.len() - 1] {
            let reply = entry.client().run(&whole[..cut]).unwrap();
            let fine = matches!(reply, Reply::Refused { .. } | Reply::Picture(_));
            assert!(fine, "{name}, {cut} bytes: {reply:?}");
        }
    }
}
