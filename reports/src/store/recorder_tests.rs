//! Replies are stored as soon as `keep` returns, and persist.

use serde_json::json;

use super::super::{BatchKind, RunRequest, RunState, Start, StoredRun};
use super::*;
use clients::{ExtraDifference, ExtraRead, Spent};

fn open(store: &Store) -> (super::super::Batch, StoredRun) {
    let batch = store.begin(BatchKind::Fuzz, &json!(1), Start::Resume).unwrap();
    let client = ClientRecord {
        name: "c".into(),
        version: String::new(),
        command: String::new(),
        files: Default::default(),
    };
    let begun = batch.run(&RunRequest {
        place: 0,
        seed_file: "s".into(),
        seed_sha256: "0".into(),
        whole: json!(1),
        format: String::new(),
        shard: campaign::Shard::WHOLE,
        slice: campaign::Slice::WHOLE,
        command: String::new(),
        clients: vec![client],
    });
    let RunState::Open(run) = begun.unwrap() else { panic!("it has no end") };
    (batch, run)
}

/// The `k`-th file, and its reply.
fn file(k: u32) -> (FileKey, RecordedReply) {
    let mut key = [7; 32];
    key[..4].copy_from_slice(&k.to_le_bytes());
    let message = format!("{k} {}", "no".repeat(400));
    let reply = Reply::Refused { message };
    // Some clients publish their edges.
    let edges = (k % 2 == 1).then(|| Edges::from_map(&[1, 0, k.is_multiple_of(3).into()]));
    (
        key,
        RecordedReply {
            reply,
            took: Duration::from_millis(k.into()),
            // Some clients are not measured, or not their memory.
            spent: (!k.is_multiple_of(3)).then(|| Spent {
                cpu: Duration::from_micros(k.into()),
                peak: (k % 3 > 1).then_some(u64::from(k) << 20),
                alone: k % 2 == 1,
            }),
            extra: (k % 5 == 1).then(|| ExtraDifference {
                read: ExtraRead::ALL[k as usize % 5],
                message: format!("{k} pixels"),
            }),
            edges,
            worker: Some("w".into()),
        },
    )
}

#[test]
fn a_full_disk_ends_the_run_in_one_line_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let kept = {
        let store = Store::open(&path).unwrap();
        let (_batch, run) = open(&store);
        let recorder = run.recorder();
        // Makes SQLite report a full disk beyond this number of pages.
        store.lock().pragma_update(None, "max_page_count", 60).unwrap();
        let keep = |k: &u32| recorder.keep("c", &file(*k).0, 0, &file(*k).1);
        let error = (0..10_000).map(|k| keep(&k)).find_map(Result::err).unwrap();
        let line = error.to_string();
        assert!(line.contains("s.sqlite: the disk is full; make room"), "{line}");
        assert!(!line.contains('\n'));
        // Nothing is written after an error, even if there is room again.
        store.lock().pragma_update(None, "max_page_count", 100_000).unwrap();
        assert!(keep(&20_000).is_err() && run.recorder().flush().is_err());
        (0..10_000)
            .find(|k| {
                recorder
                    .0
                    .store
                    .with(|conn| {
                        Ok(journal_rows::find(conn, recorder.0.run, 1, &file(*k).0, 0)?.is_none())
                    })
                    .unwrap()
            })
            .unwrap()
    };
    assert!(kept > 10, "{kept}");
    let store = Store::open(&path).unwrap();
    let (_batch, run) = open(&store);
    let recorder = run.recorder();
    assert_eq!(recorder.replies(), kept as usize);
    for k in 0..kept {
        assert_eq!(recorder.recall("c", &file(k).0, 0).unwrap(), Some(file(k).1));
    }
    assert_eq!(recorder.recall("c", &file(kept).0, 0).unwrap(), None);
    recorder.keep("c", &file(kept).0, 0, &file(kept).1).unwrap();
}

#[test]
fn threads_share_transactions_and_each_waits_for_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let store = Store::open(&path).unwrap();
    let (_batch, run) = open(&store);
    let recorder = run.recorder();
    // Another connection sees only committed rows.
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (recorder, path) = (&recorder, &path);
            scope.spawn(move || {
                let other = Connection::open(path).unwrap();
                for k in (thread * 1000)..(thread * 1000 + 40) {
                    let (key, kept) = file(k);
                    recorder.keep("c", &key, 0, &kept).unwrap();
                    assert!(
                        journal_rows::find(&other, recorder.0.run, 1, &key, 0).unwrap().is_some()
                    );
                }
            });
        }
    });
}

#[test]
fn pictures_come_back_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sqlite");
    let picture = |k: u16| tiff_harness::Picture::new(1, 1, vec![k, 2, 3, 4]);
    {
        let store = Store::open(&path).unwrap();
        let (_batch, run) = open(&store);
        for k in 0..40u16 {
            let reply = Reply::Picture(picture(k % 20));
            let kept = RecordedReply {
                reply,
                took: Duration::ZERO,
                spent: None,
                extra: None,
                edges: None,
                worker: None,
            };
            run.recorder().keep("c", &file(k.into()).0, 1, &kept).unwrap();
        }
    }
    let store = Store::open(&path).unwrap();
    let (_batch, run) = open(&store);
    for k in 0..40u16 {
        let kept = run.recorder().recall("c", &file(k.into()).0, 1).unwrap().unwrap();
        assert_eq!(kept.reply, Reply::Picture(picture(k % 20)));
    }
    let count = |table: &str| -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        store.lock().query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    assert_eq!((count("reply"), count("picture")), (40, 20));
}
