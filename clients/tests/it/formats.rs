//! Independent decoders agree with repfuzz on the content of variants of each format. Decoders
//! that are not installed are reported and skipped: run with `--nocapture` to see the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clients::{Availability, Catalogue, Client, Reply, Sandbox};
use equivalents::Format;
use equivalents::subject::Subject;
use inverter::solve::Vary;
use serde_json::Value;
use tiff_harness::Picture;
use tiff_harness::container::Profile;

#[path = "formats/shown.rs"]
mod shown;

/// A format and its decoders. Clients on one line have the same decoder: the first
/// that is installed is used.
struct Tested {
    name: &'static str,
    decoders: &'static [&'static [&'static str]],
}

const BMP: Tested = Tested {
    name: "bmp",
    decoders: &[
        &["pyav", "ffmpeg"],
        &["pymupdf"],
        &["rust-image"],
        &["netpbm-bmp"],
        &["opencv"],
        &["pillow"],
        &["gdk-pixbuf"],
        &["sdl2"],
        &["qt5"],
        &["go-ximage"],
    ],
};

const TGA: Tested = Tested {
    name: "tga",
    decoders: &[
        &["pyav", "ffmpeg"],
        &["pillow"],
        &["rust-image"],
        &["gdk-pixbuf"],
        &["imlib2"],
        &["sdl2"],
    ],
};

const PNM: Tested = Tested {
    name: "pnm",
    decoders: &[
        &["netpbm-pnm"],
        &["pymupdf"],
        &["rust-image"],
        &["pyav", "ffmpeg"],
        &["imagemagick", "graphicsmagick"],
        &["opencv"],
        &["leptonica"],
    ],
};

const PNG: Tested = Tested {
    name: "png",
    // Pillow has its own code for chunks and filters; OpenCV and Netpbm use libpng.
    decoders: &[
        &["opencv", "netpbm-png"],
        &["pyav", "ffmpeg"],
        &["pillow"],
        &["rust-image"],
        &["pymupdf"],
        &["go-ximage"],
    ],
};

const GIF: Tested = Tested {
    name: "gif",
    decoders: &[
        &["netpbm-gif"],
        &["pillow"],
        &["pyav", "ffmpeg"],
        &["rust-image"],
        &["go-ximage"],
        &["gdk-pixbuf"],
    ],
};

const AIFF: Tested = Tested {
    name: "aiff",
    decoders: &[
        &["libsndfile"],
        &["sox"],
        &["ffmpeg-wav"],
        &["audiofile"],
        &["java-sound"],
        &["python-aifc"],
    ],
};

const DBF: Tested = Tested {
    name: "dbf",
    decoders: &[&["dbfread"], &["python-dbf"], &["ogr"], &["xbase"], &["dbffile"]],
};

const ICO: Tested = Tested {
    name: "ico",
    decoders: &[
        &["icotool"],
        &["netpbm-ico"],
        &["pillow"],
        &["rust-image"],
        &["gdk-pixbuf"],
        &["imlib2"],
        &["sdl2"],
        &["qt5"],
    ],
};

const NIFTI: Tested = Tested {
    name: "nifti",
    decoders: &[
        &["nibabel"],
        &["niftilib"],
        &["simpleitk-nifti"],
        &["vtk-nifti"],
        &["nifti-reader-js"],
    ],
};

const NPY: Tested = Tested {
    name: "npy",
    decoders: &[&["numpy"], &["npyz"], &["mlx"], &["npyjs"], &["numpy-parser"], &["xtensor"]],
};

const AU: Tested = Tested { name: "au", decoders: &[&["libsndfile"], &["sox"], &["ffmpeg-wav"]] };

const WAV: Tested = Tested { name: "wav", decoders: &[&["libsndfile"], &["scipy-wav"], &["sox"]] };

const TAR: Tested =
    Tested { name: "tar", decoders: &[&["bsdtar"], &["gnu-tar"], &["python-tarfile"]] };

const ZIP: Tested = Tested {
    name: "zip",
    decoders: &[
        &["python-zipfile"],
        &["java-zip"],
        &["go-zip"],
        &["zip-crate"],
        &["yauzl"],
        &["7zip"],
    ],
};

const NETCDF: Tested = Tested {
    name: "netcdf",
    decoders: &[
        &["netcdf4-python"],
        &["netcdf-reader"],
        &["scipy-netcdf"],
        &["netcdf3"],
        &["netcdfjs"],
    ],
};

const ELF: Tested = Tested {
    name: "elf",
    decoders: &[
        &["readelf"],
        &["eu-readelf"],
        &["llvm-readobj"],
        &["pyelftools"],
        &["object-crate"],
        &["goblin"],
        &["elf-crate"],
        &["go-elf"],
        &["lief"],
    ],
};

/// The number of draws per distinct variant: small content often has few encodings.
const DRAWS: u64 = 4;

/// A client, and its expected result for every variant of a seed.
struct Reader {
    name: &'static str,
    decoder: usize,
    client: Arc<dyn Client>,
    wanted: Picture,
}

struct Seed {
    file: PathBuf,
    subject: Box<dyn Subject>,
    readers: Vec<Reader>,
}

/// The results of a client on variants.
#[derive(Default)]
struct Tally {
    right: usize,
    wrong: usize,
    refused: usize,
    other: usize,
    /// The first variant that it decodes wrongly.
    example: Option<String>,
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

impl Tested {
    fn seeds(&self) -> Vec<Seed> {
        let name = self.name;
        let spec = here().join(format!("normalizers/specs/{name}/{name}.rs"));
        let format = Format::from_file(spec).unwrap();
        let files = fs::read_dir(here().join("corpus").join(name)).unwrap();
        let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
        files.retain(|f| f.is_file() && f.extension().is_some_and(|e| e != "sh"));
        files.sort();
        let mut catalogues = BTreeMap::new();
        let mut absent = BTreeSet::new();
        let mut seeds = Vec::new();
        for file in files {
            let extension = file.extension().unwrap().to_str().unwrap().to_owned();
            let catalogue = catalogues
                .entry(extension.clone())
                .or_insert_with(|| Catalogue::load_for(&[], Sandbox::best(), &extension).unwrap());
            let subject = format.open(fs::read(&file).unwrap(), Profile::Strict).unwrap();
            let mut readers = Vec::new();
            for (decoder, names) in self.decoders.iter().enumerate() {
                for name in *names {
                    let entry = catalogue.get(name).unwrap();
                    if !entry.reads(&extension) {
                        continue;
                    }
                    if !matches!(entry.state(), Availability::Ready { .. }) {
                        absent.insert(*name);
                        continue;
                    }
                    let client = entry.client();
                    match client.run(subject.seed_bytes()).unwrap() {
                        Reply::Refused { message } if message.starts_with("not installed") => {
                            absent.insert(*name);
                        }
                        reply => {
                            let wanted = wanted(name, &*subject, &reply);
                            readers.push(Reader { name, decoder, client, wanted });
                            break;
                        }
                    }
                }
            }
            seeds.push(Seed { file, subject, readers });
        }
        absent.iter().for_each(|client| eprintln!("{name}: absent: {client}"));
        seeds
    }

    /// Runs all clients on `count` different variants, equally many of each seed.
    fn agree(&self, count: usize) {
        let name = self.name;
        let seeds = self.seeds();
        let readers = || seeds.iter().flat_map(|s| &s.readers);
        let decoders: BTreeSet<usize> = readers().map(|r| r.decoder).collect();
        let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
        let (mut agreed, mut trouble) = (0, Vec::new());
        let mut made = BTreeSet::new();
        for index in 0..DRAWS * count as u64 {
            if made.len() == count {
                break;
            }
            let seed = &seeds[(index % seeds.len() as u64) as usize];
            let file = seed.file.file_name().unwrap().display();
            let variant = seed.subject.variant(11, index, Vary::All).unwrap();
            if !made.insert(variant.bytes.clone()) {
                continue;
            }
            let mut right = BTreeSet::new();
            for reader in &seed.readers {
                let tally = tallies.entry(reader.name).or_default();
                match reader.client.run(&variant.bytes).unwrap() {
                    Reply::Picture(picture) if picture == reader.wanted => {
                        tally.right += 1;
                        right.insert(reader.decoder);
                    }
                    Reply::Picture(_) => {
                        tally.wrong += 1;
                        tally.example.get_or_insert_with(|| format!(", as {index} of {file}"));
                    }
                    Reply::Refused { .. } => tally.refused += 1,
                    _ => tally.other += 1,
                }
            }
            if right.len() >= 2 {
                agreed += 1;
            } else {
                let who: Vec<_> = right.iter().map(|decoder| self.decoders[*decoder]).collect();
                let choices = variant.choices;
                trouble.push(format!("{file}, variant {index}: right in {who:?}: {choices:?}"));
            }
        }
        assert_eq!(made.len(), count, "{name}: too few are different");
        eprintln!("{name}: {count} variants, {agreed} right in two decoders or more");
        for (client, tally) in &tallies {
            let Tally { right, wrong, refused, other, example } = tally;
            let version = readers().find(|r| r.name == *client).map(|r| r.client.version());
            eprintln!(
                "{name}: {client:12} {:18} {right:5} right {wrong:5} wrong {refused:5} refused {other:3} other{}",
                version.unwrap_or_default(),
                example.as_deref().unwrap_or_default(),
            );
        }
        if decoders.len() < self.decoders.len() {
            // Perhaps only missing decoders would show it.
            return test_support::skipped(format_args!("{name}: decoders are missing"));
        }
        let some = &trouble[..trouble.len().min(20)];
        assert!(trouble.is_empty(), "{name}: {} variants:\n{}", trouble.len(), some.join("\n"));
    }
}

/// The expected result: the canonical value itself. If each program has an output format of its own, the result
/// for the seed, which must have all content in it.
fn wanted(client: &str, seed: &dyn Subject, reply: &Reply) -> Picture {
    let Some(value) = seed.value() else { return seed.picture().clone() };
    let value: Value = serde_json::from_str(&value).unwrap();
    let bytes = |name: &str| -> Option<Vec<u8>> {
        let all = value.get(name)?.as_array()?;
        Some(all.iter().map(|n| u8::try_from(n.as_u64().unwrap()).unwrap()).collect())
    };
    if let Some(pcm) = bytes("pcm") {
        return Picture::of_bytes(pcm);
    }
    if let Some(elements) = bytes("values") {
        // The shape, as the clients write it.
        let sizes = ["rows", "columns"].map(|name| value[name].as_u64().unwrap() as u32);
        return Picture::of_bytes([&sizes.map(u32::to_le_bytes).concat(), &elements[..]].concat());
    }
    if let Some(voxels) = value.get("voxels") {
        let sizes = ["columns", "rows", "slices"].map(|name| value[name].clone());
        let numbers = sizes.iter().chain(voxels.as_array().unwrap());
        let numbers = numbers.map(|n| i32::try_from(n.as_i64().unwrap()).unwrap());
        return Picture::of_bytes(numbers.flat_map(i32::to_le_bytes).collect());
    }
    if let Some(table) = bytes("table") {
        return Picture::of_bytes(lines(&table).into_bytes());
    }
    if let Some(data) = bytes("dataset") {
        return Picture::of_bytes(shown::dataset(&data));
    }
    if value.get("kinds").is_some() {
        if !matches!(client, "readelf" | "eu-readelf" | "llvm-readobj") {
            return Picture::of_bytes(shown::object(&value, client == "go-elf"));
        }
        let (picture, text) = listing(client, reply);
        shown::lists_object(&text, &value);
        return picture;
    }
    if let Some(archive) = bytes("archive") {
        if client != "7zip" {
            return Picture::of_bytes(shown::archive(&archive));
        }
        let (picture, text) = listing(client, reply);
        assert!(text.contains("\nPath = folder/numbers\n"), "as in make.sh: {text}");
        assert!(text.contains("\n100\n101\n102\n"), "as in make.sh: {text}");
        return picture;
    }
    let files = entries(&bytes("listing").unwrap());
    if client == "python-tarfile" {
        let mut text = Vec::new();
        for File { name, numbers: [mode, user, group, time], content } in &files {
            text.extend(name);
            let size = content.len();
            text.extend(format!(" {mode:o} {user} {group} {time} {size}\n").into_bytes());
            text.extend(content);
        }
        return Picture::of_bytes(text);
    }
    let (shown, text) = listing(client, reply);
    for File { name, numbers: [_, user, group, time], content } in &files {
        assert_eq!(*time, 951_782_400, "as in make.sh");
        let name = str::from_utf8(name).unwrap();
        let owner = [format!("{user}/{group}"), format!("{user} {group}")];
        let line = |line: &str| {
            let words = line.split_whitespace().collect::<Vec<_>>();
            line.ends_with(name)
                && owner.iter().any(|o| words.join(" ").contains(o))
                && words.contains(&content.len().to_string().as_str())
        };
        assert!(text.lines().any(line), "{client}: {name}: {text}");
    }
    let contents: Vec<u8> = files.into_iter().flat_map(|f| f.content).collect();
    assert!(text.trim_end_matches(' ').as_bytes().ends_with(&contents), "{client}: {text}");
    shown
}

/// A reply in a form of the program's own, and its text.
fn listing(client: &str, reply: &Reply) -> (Picture, String) {
    let Reply::Picture(shown) = reply else { panic!("{client}: {reply:?}") };
    let bytes: Vec<u8> = shown.rgba().iter().map(|v| (v / 257) as u8).collect();
    (shown.clone(), String::from_utf8(bytes).unwrap())
}

/// The lines that clients write of a table of `dbf_table`: names, then the values of each record.
fn lines(mut table: &[u8]) -> String {
    let mut take = |n: usize| {
        let (taken, rest) = table.split_at(n);
        table = rest;
        taken
    };
    let mut lines = Vec::new();
    let fields = take(1)[0];
    let mut line = Vec::new();
    for _ in 0..fields {
        let length = take(1)[0];
        line.push(String::from_utf8(take(length.into()).to_vec()).unwrap());
        take(2);
    }
    lines.push(line.join("\t"));
    let records = take(4).iter().rev().fold(0, |n, b| n << 8 | u32::from(*b));
    for _ in 0..records {
        let values = (0..fields).map(|_| {
            let length = take(1)[0];
            String::from_utf8(take(length.into()).to_vec()).unwrap()
        });
        lines.push(values.collect::<Vec<_>>().join("\t"));
    }
    lines.join("\n") + "\n"
}

/// A regular file of an archive.
struct File {
    name: Vec<u8>,
    /// Mode, owner, group, modification time.
    numbers: [u32; 4],
    content: Vec<u8>,
}

/// An entry listed by `tar_entries`.
fn entries(mut listing: &[u8]) -> Vec<File> {
    let mut files = Vec::new();
    let mut take = |n: usize| {
        let (taken, rest) = listing.split_at(n);
        listing = rest;
        (taken.to_vec(), rest.is_empty())
    };
    loop {
        let number = |bytes: Vec<u8>| bytes.iter().fold(0, |n, b| n << 8 | u32::from(*b));
        let name = number(take(2).0) as usize;
        let numbers = [(); 4].map(|()| number(take(4).0));
        let size = number(take(4).0) as usize;
        let name = take(name).0;
        let (content, last) = take(size);
        files.push(File { name, numbers, content });
        if last {
            return files;
        }
    }
}

macro_rules! formats {
    ($($test:ident: $format:ident,)*) => {
        $(#[test] fn $test() { $format.agree(24); })*

        /// `cargo test --release -p repfuzz-clients --test it formats -- --ignored --nocapture`.
        mod slow {
            $(#[test] #[ignore = "slow: 2,000 variants"] fn $test() { super::$format.agree(2000); })*
        }
    };
}

formats! {
    bmp: BMP,
    tga: TGA,
    pnm: PNM,
    png: PNG,
    wav: WAV,
    gif: GIF,
    au: AU,
    aiff: AIFF,
    dbf: DBF,
    ico: ICO,
    nifti: NIFTI,
    npy: NPY,
    tar: TAR,
    zip: ZIP,
    netcdf: NETCDF,
    elf: ELF,
}
