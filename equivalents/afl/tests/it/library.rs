//! The shared library, loaded and called as by AFL++.

// Its functions take pointers from C.
#![allow(unsafe_code)]

use std::collections::BTreeSet;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::{env, fs, ptr, slice};

use equivalents::Format;
use libloading::{Library, Symbol};

type Init = extern "C" fn(*mut c_void, c_uint) -> *mut c_void;
type Fuzz =
    unsafe extern "C" fn(*mut c_void, *mut u8, usize, *mut *mut u8, *mut u8, usize, usize) -> usize;
type Describe = unsafe extern "C" fn(*mut c_void, usize) -> *const c_char;
type PostProcess = unsafe extern "C" fn(*mut c_void, *mut u8, usize, *mut *mut u8) -> usize;
type InitTrim = unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_int;
type Trim = unsafe extern "C" fn(*mut c_void, *mut *mut u8) -> usize;
type PostTrim = unsafe extern "C" fn(*mut c_void, u8) -> c_int;
type Deinit = unsafe extern "C" fn(*mut c_void);

fn example(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/decoder").join(path)
}

/// Returns the path of the library: cargo builds it beside the tests.
fn library() -> Library {
    let beside = env::current_exe().unwrap();
    let file = beside.with_file_name("libequivalents_afl.so");
    // SAFETY: loading the library runs no code.
    unsafe { Library::new(&file) }.unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

/// A mutator as AFL++ uses it.
struct Mutator<'l> {
    library: &'l Library,
    data: *mut c_void,
}

impl Mutator<'_> {
    /// Returns a function of the library.
    ///
    /// # Safety
    ///
    /// It has the type `F`.
    unsafe fn function<F>(&self, name: &str) -> Symbol<'_, F> {
        // SAFETY: by the caller's condition.
        unsafe { self.library.get(name.as_bytes()) }.unwrap()
    }

    fn fuzz(&self, file: &[u8], max_size: usize) -> Option<Vec<u8>> {
        let (mut file, mut out) = (file.to_vec(), ptr::null_mut());
        // SAFETY: the types are those of the documentation, and the buffers outlive the call.
        let size = unsafe {
            let fuzz = self.function::<Fuzz>("afl_custom_fuzz");
            fuzz(self.data, file.as_mut_ptr(), file.len(), &mut out, ptr::null_mut(), 0, max_size)
        };
        assert!(!out.is_null(), "AFL++ takes that for an error");
        // SAFETY: the library keeps these bytes until the next call.
        (size > 0).then(|| unsafe { slice::from_raw_parts(out, size) }.to_vec())
    }

    fn describe(&self, most: usize) -> String {
        // SAFETY: the type is that of the documentation, and the library keeps the text until the next
        // call.
        let text = unsafe {
            CStr::from_ptr(self.function::<Describe>("afl_custom_describe")(self.data, most))
        };
        text.to_str().unwrap().to_owned()
    }

    fn is_given(&self, file: &[u8]) -> bool {
        let (mut file, mut out) = (file.to_vec(), ptr::null_mut());
        // SAFETY: as above.
        let size = unsafe {
            let process = self.function::<PostProcess>("afl_custom_post_process");
            process(self.data, file.as_mut_ptr(), file.len(), &mut out)
        };
        let same = out == file.as_mut_ptr() && size == file.len();
        assert!(same || (out.is_null() && size == 0));
        same
    }

    /// Trims `file` as AFL++ does, for a target that behaves the same on files that `same` accepts.
    fn trimmed(&self, file: &[u8], same: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        let (mut best, mut step) = (file.to_vec(), 0);
        // SAFETY: as above.
        unsafe {
            let steps = self.function::<InitTrim>("afl_custom_init_trim")(
                self.data,
                best.clone().as_mut_ptr(),
                best.len(),
            );
            while step < steps {
                let mut out = ptr::null_mut();
                let size = self.function::<Trim>("afl_custom_trim")(self.data, &mut out);
                assert!(size <= best.len() && !out.is_null(), "AFL++ takes that for an error");
                let trimmed = slice::from_raw_parts(out, size).to_vec();
                let success = same(&trimmed);
                if success {
                    best = trimmed;
                }
                step = self.function::<PostTrim>("afl_custom_post_trim")(self.data, success.into());
            }
        }
        best
    }
}

impl Drop for Mutator<'_> {
    fn drop(&mut self) {
        // SAFETY: it is the last call.
        unsafe { self.function::<Deinit>("afl_custom_deinit")(self.data) }
    }
}

fn init(library: &Library, seed: u32) -> Option<Mutator<'_>> {
    // SAFETY: the type is that of the documentation.
    let init = unsafe { library.get::<Init>(b"afl_custom_init") }.unwrap();
    let data = init(ptr::null_mut(), seed);
    (!data.is_null()).then_some(Mutator { library, data })
}

/// A single test, since the environment belongs to the process.
#[test]
fn it_is_what_afl_asks_for() {
    let (spec, seed_file) = (example("spec/sprite.rs"), example("seeds/seed.spr"));
    // SAFETY: no other thread reads the environment: this is the only test.
    unsafe {
        env::set_var("EQUIVALENTS_SPEC", &spec);
        env::set_var("EQUIVALENTS_SEED", &seed_file);
    }
    let library = library();
    let format = Format::from_file(&spec).unwrap();
    let seed = fs::read(&seed_file).unwrap();
    let mutator = init(&library, 7).unwrap();

    // A mutated file means the same, has at most the requested size, and can be mutated again.
    let (mut file, mut files) = (seed.clone(), Vec::new());
    for k in 0..60 {
        let most = if k % 2 == 0 { 1 << 16 } else { 300 };
        let Some(made) = mutator.fuzz(&file, most) else { continue };
        assert!(made.len() <= most && made != file);
        assert!(format.means_the_same(&seed, &made), "{k}");
        assert!(mutator.is_given(&made));
        let said = mutator.describe(24);
        assert!(said.starts_with("equivalent") && said.len() <= 24, "{said}");
        file.clone_from(&made);
        files.push(made);
    }
    assert!(files.len() > 50, "{}", files.len());
    assert!(files.iter().collect::<BTreeSet<_>>().len() > 40);
    // Equal numbers give equal files.
    let again = init(&library, 7).unwrap();
    assert_eq!(again.fuzz(&seed, 1 << 16).as_ref(), files.first());

    // A file that means something else is not passed to the target; bytes that are no sprite are not
    // mutated.
    let mut other = seed.clone();
    *other.last_mut().unwrap() ^= 1;
    assert!(!mutator.is_given(&other) && !mutator.is_given(b"SPR1"));
    assert!(mutator.is_given(&seed));
    assert_eq!(mutator.fuzz(b"SPR1", 1 << 16), None);

    // Trimming keeps only the differences that the target needs to behave the same.
    let upward = |file: &[u8]| file[10] == 1;
    let large = files.iter().find(|file| upward(file) && file.len() > seed.len()).unwrap();
    let mut least = seed.clone();
    least[10] = 1;
    least[12..].rotate_left(3);
    assert_eq!(mutator.trimmed(large, upward), least);
    assert_eq!(mutator.trimmed(large, |_| true), seed);
    assert_eq!(mutator.trimmed(&other, |_| true), other, "it means something else");

    // A file that cannot be read is reported, and AFL++ ends.
    // SAFETY: as above.
    unsafe { env::set_var("EQUIVALENTS_SEED", &spec) };
    assert!(init(&library, 7).is_none());
    // SAFETY: as above.
    unsafe {
        env::remove_var("EQUIVALENTS_SEED");
        env::remove_var("EQUIVALENTS_SPEC");
    }
    let tiff = init(&library, 1).unwrap();
    let seed = fs::read(example("../../corpus/seeds/tiny.tif")).unwrap();
    let made = tiff.fuzz(&seed, 1 << 20).unwrap();
    assert!(Format::Tiff.means_the_same(&seed, &made));
    assert!(tiff.is_given(b"anything"), "there is no seed");
    assert_eq!(tiff.trimmed(&made, |_| true), made, "nothing to trim towards");
}
