//! The clients that are installed on this machine, on files with a known picture. Missing clients are
//! reported and skipped: run with `--nocapture` to see the table.

use std::time::{Duration, Instant};

use clients::contract::Contract;
use clients::contract::probe::learn;
use clients::{Availability, Catalogue, Kind, Reply, probe};
use rayon::prelude::*;

#[test]
fn installed_clients_are_as_described() {
    let catalogue = Catalogue::load(&[]).unwrap();
    catalogue.probe();
    for entry in catalogue.entries() {
        match entry.state() {
            Availability::Missing { what } => eprintln!("absent: {}: no {what}", entry.info().name),
            Availability::Broken { why, .. } => eprintln!("absent: {}: {why}", entry.info().name),
            Availability::Ready { .. } => {}
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
            // One rotation for every client; all eight orientations where that is fast.
            // A viewer may enlarge the picture: campaigns report that.
            if info.kind == Kind::Viewer {
                return trouble;
            }
            let slow = matches!(entry.state(), Availability::Ready { took } if took.as_millis() > 400);
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
            // + in display orientation, 0 as stored, ? neither, ! no picture.
            let applies = if info.applies("orientation") { "applies" } else { "ignores" };
            eprintln!("{:16} {:18} {applies} {marks}", info.name, client.version());
            trouble
        })
        .collect();
    assert!(trouble.is_empty(), "{}", trouble.join("\n"));
}

/// Returns true if two contracts have the same conventions, and the same unknown properties.
fn agree(a: &Contract, b: &Contract) -> bool {
    a.properties() == b.properties() && a.unknown.keys().eq(b.unknown.keys())
}

#[test]
fn linked_in_clients_have_the_contracts_that_probes_find() {
    let catalogue = Catalogue::load(&[]).unwrap();
    for name in ["rust-image", "rust-tiff"] {
        let client = catalogue.get(name).unwrap().client();
        let learned = learn(client.as_ref()).unwrap();
        assert_eq!(learned.fault, None, "{name}");
        assert!(agree(&learned.contract, client.contract().unwrap()), "{name}: {learned:?}");
    }
}

#[test]
#[ignore = "slow: some sixty processes a client"]
fn described_contracts_are_those_that_probes_find() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let different: Vec<String> = catalogue
        .ready()
        .par_iter()
        .filter_map(|entry| {
            let client = entry.client();
            let contract = client.contract()?;
            let learned = learn(client.as_ref()).unwrap();
            let same = learned.fault.is_none() && agree(&learned.contract, contract);
            (!same).then(|| format!("{}: {learned:?}", client.name()))
        })
        .collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
#[ignore = "slow: every worker, and starting each anew"]
fn a_worker_says_what_a_fresh_process_says() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let workers = catalogue.entries().iter().filter(|e| e.info().kind == Kind::Worker);
    let workers: Vec<_> = workers.collect();
    workers.par_iter().for_each(|entry| {
        if !matches!(entry.state(), Availability::Ready { .. }) {
            eprintln!("absent: {}", entry.info().name);
            return;
        }
        let client = entry.client();
        let whole = probe::file(1);
        // The second and the third file are read by a worker that has read others.
        for file in [&whole[..], &whole[..60], &whole[..]] {
            let (worker, fresh) = (client.run(file).unwrap(), client.run_fresh(file).unwrap());
            let same = match (&worker, &fresh) {
                (Reply::Picture(a), Reply::Picture(b)) => a == b,
                (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
            };
            assert!(same, "{}: {worker:?}, but {fresh:?}", client.name());
        }
    });
}

/// Prints the files per second for each way to run a client, with `--nocapture`.
#[test]
#[ignore = "slow: a measurement"]
fn how_fast_workers_are() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let file = probe::file(1);
    for entry in catalogue.entries() {
        let ready = matches!(entry.state(), Availability::Ready { .. });
        if entry.info().kind != Kind::Worker || !ready {
            continue;
        }
        let client = entry.client();
        let rate = |run: &dyn Fn() -> Reply, most: u32| {
            let begun = Instant::now();
            let mut done = 0;
            while done < most && begun.elapsed() < Duration::from_secs(3) {
                assert!(matches!(run(), Reply::Picture(_)));
                done += 1;
            }
            f64::from(done) / begun.elapsed().as_secs_f64()
        };
        let fresh = rate(&|| client.run_fresh(&file).unwrap(), 50);
        client.run(&file).unwrap();
        let worker = rate(&|| client.run(&file).unwrap(), 1000);
        eprintln!("{:18} {fresh:7.1} files/s fresh, {worker:7.1} by a worker", client.name());
    }
}

#[test]
fn damaged_files_are_refused_or_read_but_never_an_error_of_ours() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let whole = probe::file(1);
    for name in ["rust-image", "rust-tiff", "tiff2rgba", "ffmpeg", "netpbm", "graphicsmagick"] {
        let entry = catalogue.get(name).unwrap();
        if !matches!(entry.state(), Availability::Ready { .. }) {
            eprintln!("absent: {name}: {:?}", entry.state());
            continue;
        }
        for cut in [0, 4, 8, 60, whole.len() - 1] {
            let reply = entry.client().run(&whole[..cut]).unwrap();
            let fine = matches!(reply, Reply::Refused { .. } | Reply::Picture(_));
            assert!(fine, "{name}, {cut} bytes: {reply:?}");
        }
    }
}
