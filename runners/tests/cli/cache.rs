//! The folder of data that is derived from specs: with and without it, and whatever is in it, output is the same.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::{Ran, command, file, folder, ran, seed};

/// Runs repfuzz with this folder; an empty path is none.
fn cached(cache: &Path, words: &[&Path]) -> Ran {
    ran(command().env("REPFUZZ_CACHE", cache).args(words))
}

/// The output of some subcommands, and the files that they write.
fn output(cache: &Path, spec: &Path) -> Vec<Vec<u8>> {
    let (out, bmp, tif) = (folder(), file("corpus/bmp/gm24.bmp"), seed("rgb.tif"));
    let made = out.path().join("made");
    // It prints the places that conditions come from.
    let ensures = ["--emit", "ensures"].map(Path::new);
    let printed = cached(cache, &[&["invert".as_ref(), spec], &ensures[..]].concat());
    let mut all = vec![printed.fine().as_bytes().to_vec()];
    for words in [&[&*bmp, "--spec".as_ref(), spec][..], &[&*tif]] {
        let ran = cached(cache, &[&["normalize".as_ref()], words].concat());
        all.push(ran.fine().as_bytes().to_vec());
        let more = ["-n", "3", "-o"].map(Path::new);
        let words = [&["variants".as_ref()], words, &more, &[&made]].concat();
        cached(cache, &words).fine();
        let mut files: Vec<PathBuf> =
            fs::read_dir(&made).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        all.extend(files.iter().map(|path| fs::read(path).unwrap()));
        fs::remove_dir_all(&made).unwrap();
    }
    all
}

/// The files of a folder by name, each with a number that a file in its place would not have.
fn files(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.path(), entry.metadata().unwrap().ino())).collect()
}

/// A spec of one's own, which uses a file.
fn own_spec(folder: &Path) -> PathBuf {
    fs::create_dir(folder.join("own")).unwrap();
    for (from, to) in
        [("bmp/bmp.rs", "own/own.rs"), ("picture.rs", "picture.rs"), ("file.rs", "file.rs")]
    {
        let text = fs::read_to_string(file("normalizers/specs").join(from)).unwrap();
        // No record has this text.
        fs::write(folder.join(to), text + "// own\n").unwrap();
    }
    folder.join("own/own.rs")
}

#[test]
fn output_does_not_depend_on_the_cache() {
    let folder = folder();
    let (cache, spec) = (folder.path().join("cache"), own_spec(folder.path()));
    let expected = output(Path::new(""), &spec);
    assert!(!cache.exists());
    assert!(expected == output(&cache, &spec), "it is made");
    let made = files(&cache);
    assert!(expected == output(&cache, &spec), "it is read");
    assert_eq!(files(&cache), made, "nothing is made again");
    for (k, path) in made.keys().enumerate() {
        let mut bytes = fs::read(path).unwrap();
        match k % 3 {
            0 => bytes.truncate(bytes.len() / 2),
            1 => bytes.clear(),
            _ => *bytes.last_mut().unwrap() ^= 1,
        }
        fs::write(path, bytes).unwrap();
    }
    assert!(expected == output(&cache, &spec), "it is damaged");
    let again = files(&cache);
    assert!(again.keys().eq(made.keys()) && again.iter().all(|(path, inode)| made[path] != *inode));
    assert!(expected == output(&cache, &spec), "it is read after that");
    assert_eq!(files(&cache), again);
    // It is read where nothing can be written, but by root.
    fs::write(again.keys().next().unwrap(), "damaged").unwrap();
    let permissions = |mode| fs::set_permissions(&cache, fs::Permissions::from_mode(mode)).unwrap();
    permissions(0o555);
    assert!(expected == output(&cache, &spec), "it is read-only");
    permissions(0o755);
    let no_folder = folder.path().join("picture.rs").join("below");
    assert!(expected == output(&no_folder, &spec), "it cannot be made");
}

#[test]
fn processes_at_once_fill_one_cache() {
    let folder = folder();
    let (cache, spec) = (folder.path().join("cache"), own_spec(folder.path()));
    let expected = output(Path::new(""), &spec);
    std::thread::scope(|scope| {
        let both = [(); 2].map(|()| scope.spawn(|| output(&cache, &spec)));
        both.into_iter().for_each(|one| assert!(one.join().unwrap() == expected));
    });
    let made = files(&cache);
    assert!(made.keys().all(|path| path.file_stem().unwrap().len() == 64), "no drafts: {made:?}");
    assert!(output(&cache, &spec) == expected);
    assert_eq!(files(&cache), made);
}

#[test]
fn a_changed_text_is_read_anew() {
    let folder = folder();
    let (cache, spec) = (folder.path().join("cache"), own_spec(folder.path()));
    let normalize = |cache: &Path| {
        cached(
            cache,
            &["normalize".as_ref(), &*file("corpus/bmp/gm24.bmp"), "--spec".as_ref(), &spec],
        )
    };
    normalize(&cache).fine();
    for name in ["own/own.rs", "picture.rs"] {
        let path = folder.path().join(name);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}\nfn broken(\n")).unwrap();
        let refused = normalize(&cache);
        assert_eq!(refused.code, 2);
        assert_eq!(refused.stderr, normalize(Path::new("")).stderr);
        fs::write(&path, text).unwrap();
        normalize(&cache).fine();
    }
}

#[test]
fn the_cache_is_where_the_environment_says() {
    let home = folder();
    let run = |name: &str, value: &Path| {
        let mut command = command();
        command.env_remove("REPFUZZ_CACHE").env_remove("XDG_CACHE_HOME").env("HOME", home.path());
        ran(command.env(name, value).arg("normalize").arg(seed("rgb.tif"))).fine();
    };
    let made = |folder: &str| home.path().join(folder).is_dir();
    run("REPFUZZ_CACHE", Path::new(""));
    assert!(!made(".cache"));
    run("REPFUZZ_CACHE", &home.path().join("named"));
    assert!(made("named") && !made(".cache"));
    run("XDG_CACHE_HOME", &home.path().join("caches"));
    assert!(made("caches/repfuzz") && !made(".cache"));
    run("XDG_CACHE_HOME", Path::new("relative"));
    assert!(made(".cache/repfuzz") && !Path::new("relative").exists());
}
