//! Nights of several formats on a fleet, and workers that know of one only.

use std::fs;
use std::path::Path;
use std::time::Duration;

use fleet::wire::{Beat, Hello, encode};
use serde_json::json;

use crate::fleet::{Night, repfuzz};
use crate::nats::Nats;

/// A night of TIFF, BMP and a format of one's own: `mm` reads the first two, and `late` the last.
fn night() -> Night {
    let night = Night::new(6, "0");
    let at = night.path();
    let bmp = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/bmp/gm24.bmp");
    fs::copy(bmp, at.join("gm24.bmp")).unwrap();
    assert!(repfuzz(&["new", "mine", "-o", at.to_str().unwrap()]).status.success());
    // The name of the file that it is given says which faults it has.
    let fault = "case $1 in\n\
        *.tif) case $(od -An -tx1 -j4 -N4 \"$1\" | tr -d ' \\n') in 08000000|00000008) ;; \
        *) echo no >&2; exit 3;; esac;;\n\
        *.bmp) [ $(od -An -tu1 -j10 -N1 \"$1\") -eq 54 ] || { echo no >&2; exit 3; };;\n\
        *) exit 4;;\nesac";
    let text = fs::read_to_string(at.join("mm.toml")).unwrap();
    let (head, rest) = text.split_once("'''\n").unwrap();
    let rest = rest.split_once("\nsleep").unwrap().1;
    let head = head.replace("[run]", "formats = ['tif', 'bmp']\n[run]");
    fs::write(at.join("mm.toml"), format!("{head}'''\n{fault}\nsleep{rest}")).unwrap();
    let late = fs::read_to_string(at.join("mine-client.toml")).unwrap();
    fs::write(at.join("late.toml"), late.replace("mine-reader", "late")).unwrap();
    let reader = at.join("read-mine.py");
    let text = fs::read_to_string(&reader).unwrap();
    let line = "    place, width, height, pitch";
    let bad = "    if data[4] != 16:\n        sys.exit('no such place')\n";
    assert!(text.contains(line));
    fs::write(reader, text.replace(line, &format!("{bad}{line}"))).unwrap();
    let config = fs::read_to_string(at.join("nightly.toml")).unwrap();
    let config = config.replace("['*.tif']", "['tiny.tif', '*.bmp']");
    let table = "[[format]]\nseeds = ['seed.mine']\nspec = 'mine.rs'\n";
    fs::write(at.join("nightly.toml"), format!("{config}{table}")).unwrap();
    night
}

#[test]
fn a_night_of_several_formats_is_the_same_on_a_fleet() {
    let Some(nats) = Nats::start() else { return };
    let here = night();
    let ran = here.run_here();
    assert_eq!(ran.status.code(), Some(1), "{}", String::from_utf8_lossy(&ran.stderr));
    let expected = here.results();
    for (place, client) in [(0, "mm"), (1, "mm"), (2, "late")] {
        let cause = format!("Text(\"cause\") Integer({place}) Text(\"{client}\")");
        assert!(expected.iter().any(|line| line.starts_with(&cause)), "{cause}: {expected:#?}");
    }
    let night = night();
    let _workers = ["w-1", "w-2"].map(|name| night.work(&nats.url(), name, &[]));
    let mut server = night.serve(&nats.url(), &["--workers", "2"]);
    assert_eq!(server.wait(Duration::from_secs(300)), 1);
    assert_eq!(night.results(), expected);
    assert_eq!(night.told(), here.told());
}

/// A worker of the first protocol, which takes every seed for a TIFF file, says that it is there.
async fn earlier(url: String) {
    let client = async_nats::connect(url).await.unwrap();
    let (worker, group) = ("old".to_owned(), "g".to_owned());
    let hello =
        Hello { protocol: 1, worker: worker.clone(), group: group.clone(), clients: Vec::new() };
    let mut hello = serde_json::to_value(hello).unwrap();
    hello.as_object_mut().unwrap().remove("protocol");
    hello["clients"] = json!([{
        "name": "mm", "version": "", "summary": "", "command": null, "applies": [], "ignores": [],
        "contract": null, "facts": clients::Facts::default(), "confinement": null,
    }]);
    let hello = campaign::pack::pack(&serde_json::to_vec(&hello).unwrap());
    let (process, slots) = (String::new(), 4);
    let beat = Beat { worker, group, process, slots, busy: 0, runs: 0, jobs: 0, load: 0.0 };
    loop {
        client.publish("repfuzz.hello.old", hello.clone().into()).await.unwrap();
        client.publish("repfuzz.beat.old", encode(&beat).into()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[test]
fn a_worker_of_an_earlier_version_is_not_used_and_the_server_says_so() {
    let Some(nats) = Nats::start() else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.spawn(earlier(nats.url()));
    let night = night();
    let config = night.path().join("nightly.toml");
    let ran = repfuzz(&["serve", config.to_str().unwrap(), "--nats", &nats.url(), "--wait", "5s"]);
    runtime.shutdown_background();
    assert_eq!(ran.status.code(), Some(2));
    let log = String::from_utf8(ran.stderr).unwrap();
    let line =
        "worker old is not used: it is of an earlier version of repfuzz (protocol 1, here 2)";
    assert_eq!(log.matches(line).count(), 1, "{log}");
    assert!(log.contains("no worker came within 5s"), "{log}");
}
