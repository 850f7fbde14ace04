//! The functions, called as fuzz targets in C call them.

// They take pointers.
#![allow(unsafe_code)]

use std::ffi::{CString, c_int};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use equivalents_libfuzzer::{
    Decoded, Target, equivalents_check, equivalents_init, equivalents_mutate, equivalents_put,
};

const SEED: &[u8] = include_bytes!("../../../corpus/seeds/tiny.tif");

/// A decoder that sees the byte order.
unsafe extern "C" fn sees_byte_order(file: *const u8, size: usize, result: *mut Decoded) -> c_int {
    if size == 0 {
        return 0;
    }
    // SAFETY: the file has a byte, and the result is the caller's.
    unsafe { equivalents_put(result, file.cast(), 1) };
    1
}

/// Returns an empty folder of a test's own.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    folder
}

/// Returns such a folder with a seed.
fn seeds(test: &str) -> PathBuf {
    let folder = folder(test);
    fs::write(folder.join("tiny.tif"), SEED).unwrap();
    folder
}

fn mutated(number: u32) -> Vec<u8> {
    let mut data = SEED.to_vec();
    data.resize(4096, 0);
    // SAFETY: there is room for 4096 bytes.
    let size = unsafe { equivalents_mutate(data.as_mut_ptr(), SEED.len(), 4096, number) };
    data.truncate(size);
    data
}

/// Calls `equivalents_init` for a program at a path.
fn init(format: &str, program: &Path) -> c_int {
    let format = CString::new(format).unwrap();
    let program = CString::new(program.to_str().unwrap()).unwrap();
    // SAFETY: both are strings of C.
    unsafe { equivalents_init(format.as_ptr(), program.as_ptr()) }
}

#[test]
fn mutated_files_mean_the_same() {
    let folder = folder("mutated");
    let program = folder.join("fuzzer");
    assert_eq!(init("tiff", &program), 1, "there are no seeds");
    assert!(mutated(1).is_empty());
    let seeds = folder.join("fuzzer_seeds");
    fs::create_dir(&seeds).unwrap();
    assert_eq!(init("tiff", &program), 1, "the folder is empty");
    fs::write(seeds.join("tiny.tif"), SEED).unwrap();
    assert_eq!(init("gimp", &program), 1, "no such format ships");
    assert_eq!(init("tiff", &program), 0);
    let all: Vec<_> = (0..20).map(mutated).collect();
    assert!(all.iter().all(|file| equivalents::Format::Tiff.means_the_same(SEED, file)));
    assert!(all.iter().any(|file| file[0] == b'M') && all.iter().any(|file| file[0] == b'I'));
    // SAFETY: nothing is read.
    assert_eq!(unsafe { equivalents_mutate(std::ptr::null_mut(), 0, 0, 1) }, 0);
    let mut other = *b"no file at all..";
    // SAFETY: it has 16 bytes.
    assert_eq!(unsafe { equivalents_mutate(other.as_mut_ptr(), 16, 16, 1) }, 0);
    assert_eq!(&other, b"no file at all..");
}

/// Aborts, if the environment asks for it; else this process runs itself and looks at it.
#[test]
fn another_result_aborts() {
    if let Some(folder) = env::var_os("ABORTS_ON") {
        assert_eq!(init("tiff", &Path::new(&folder).join("fuzzer")), 0);
        let mut all = (0..20).map(mutated);
        let little = all.find(|file| file[0] == b'I').unwrap();
        let big = all.find(|file| file[0] == b'M').unwrap();
        for file in [&little, &b"no file"[..].to_vec(), &Vec::new(), &big] {
            println!("{:?}", &file[..file.len().min(2)]);
            // SAFETY: the buffer outlives the call.
            unsafe { equivalents_check(file.as_ptr(), file.len(), sees_byte_order) };
        }
        unreachable!("a file of the other byte order is decoded differently");
    }
    let folder = seeds("aborts");
    let run = Command::new(env::current_exe().unwrap())
        .args(["--exact", "another_result_aborts", "--nocapture"])
        .env("ABORTS_ON", &folder)
        .env("EQUIVALENTS_SEEDS", &folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), None, "a signal ends it: {said}");
    assert!(said.contains("tiny.tif: a file that means the same is decoded differently"), "{said}");
    assert!(said.contains(r#""byte order":"MM""#), "{said}");
}

#[test]
fn refused_files_pass_and_those_that_differ_in_a_kept_dimension() {
    let folder = seeds("refused");
    let mut target = Target::new("tiff", &folder).unwrap();
    let refuses_other = |file: &[u8]| file.starts_with(b"II").then(|| vec![1]);
    let mut data = SEED.to_vec();
    data.resize(4096, 0);
    for number in 0..20 {
        data[..SEED.len()].copy_from_slice(SEED);
        let size = target.mutate(&mut data, SEED.len(), number).unwrap();
        target.check(&data[..size], refuses_other).unwrap();
    }
    let first = |file: &[u8]| file.first().map(|byte| vec![*byte]);
    let files = equivalents::Format::Tiff.equivalents(SEED).unwrap();
    let big = files.fix("byte order", "MM").unwrap().next().unwrap().bytes;
    let mut target = Target::new("tiff", &folder).unwrap();
    target.check(&big, first).unwrap_err();
    target.keep("byte order".to_owned());
    target.check(&big, first).unwrap();
    let wrong = Target::new("bmp", &folder).err().unwrap();
    assert!(wrong.contains("tiny.tif"), "{wrong}");
}
