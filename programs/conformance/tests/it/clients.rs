//! Predictions for small clients of libtiff, by words and by trials.

use std::fs;

use conformance::client::{Effect, predict, read};

/// The predictions for one file: dimension, values, outcome and line.
fn predictions(name: &str, text: &str) -> Vec<(String, String, Effect, u32)> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    let uses = read(folder.path()).unwrap();
    let told = predict(&uses).into_iter().map(|p| {
        let line = p.place.map_or(0, |place| place.line);
        (p.dimension.to_owned(), p.values, p.effect, line)
    });
    told.collect()
}

/// A reader of rows that asks for what `ask` says, and turns to the RGBA interface as `rgba` says.
fn reader(ask: &str, rgba: &str) -> String {
    format!(
        "#include <missing.h>\n\
         static int rows(TIFF *tif, unsigned short bps) {{\n\
         if (TIFFIsTiled(tif)) {{ my_error(\"no tiles\"); return 0; }}\n\
         for (int i = 0; i < h; i++) {{ TIFFReadScanline(tif, buf, i, 0); put(buf); }}\n\
         return 1; }}\n\
         DECLARE(int) load(TIFF *tif) {{\n\
         unsigned short bps, spp, photo, planar, turn = 1;\n\
         TIFFGetFieldDefaulted(tif, TIFFTAG_BITSPERSAMPLE, &bps);\n\
         TIFFGetFieldDefaulted(tif, TIFFTAG_SAMPLESPERPIXEL, &spp);\n\
         if (!TIFFGetField(tif, TIFFTAG_PLANARCONFIG, &planar)) planar = PLANARCONFIG_CONTIG;\n\
         TIFFGetField(tif, TIFFTAG_PHOTOMETRIC, &photo);\n\
         TIFFGetField(tif, TIFFTAG_ORIENTATION, &turn);\n\
         {ask}\n\
         if ({rgba}) return TIFFReadRGBAImage(tif, w, h, raster, 0);\n\
         return rows(tif, bps); }}\n"
    )
}

fn has(found: &[(String, String, Effect, u32)], dimension: &str, values: &str) -> Option<Effect> {
    found.iter().find(|p| p.0 == dimension && p.1 == values).map(|p| p.2)
}

#[test]
fn depths_that_go_through_the_rgba_interface_lose_bits() {
    let used = "put(photo, turn, spp, planar);";
    let found = predictions("a.c", &reader(used, "bps > 8 && spp > 2"));
    assert_eq!(has(&found, "bits", "16, colors"), Some(Effect::BitsLost), "{found:?}");
    assert_eq!(has(&found, "tiled", "1"), Some(Effect::Refused), "{found:?}");
    // A condition that no tag decides: nothing is said of bits.
    let found = predictions("a.c", &reader(used, "option"));
    assert!(found.iter().all(|p| p.0 != "bits"), "{found:?}");
}

#[test]
fn tags_on_which_nothing_depends() {
    // White is told from black in 8 bits alone; the orientation is only printed.
    let ask = "if (photo == PHOTOMETRIC_MINISWHITE && bps == 8) invert(); \
               switch (spp) { case 1: grey(); break; default: my_error(\"spp\"); return 0; }";
    let found = predictions("a.c", &reader(ask, "0"));
    let wrong = Some(Effect::Wrong);
    assert_eq!(has(&found, "photometric", "0 with bits = 1, 2, 4, 16"), wrong, "{found:?}");
    // With a use of the value, whatever it does, nothing is predicted.
    let used = "put(photo, turn, spp, planar);";
    let found = predictions("a.c", &reader(used, "0"));
    assert!(found.iter().all(|p| !["photometric", "orientation"].contains(&&*p.0)), "{found:?}");
}

#[test]
fn planes_that_nothing_reads_and_methods_of_cpp() {
    let ask = "if (planar != PLANARCONFIG_CONTIG) return 0; put(photo, turn, spp);";
    let found = predictions("a.cc", &reader(ask, "0"));
    assert_eq!(has(&found, "planar", "2, colors"), Some(Effect::WrongOrRefused), "{found:?}");
}

#[test]
fn a_package_of_another_language_may_do_what_its_part_in_c_does_not() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), "int f(void) { TIFFReadScanline(t, b, i, 0); }").unwrap();
    let wrong = |found: &[conformance::client::Prediction]| {
        found.iter().filter(|p| p.effect == Effect::Wrong).count()
    };
    // Orientation, white, and further samples.
    assert_eq!(wrong(&predict(&read(folder.path()).unwrap())), 3);
    fs::write(folder.path().join("setup.py"), "").unwrap();
    assert_eq!(wrong(&predict(&read(folder.path()).unwrap())), 0);
}

#[test]
fn a_library_of_exif_may_read_the_orientation() {
    let reader = "int f(void) { TIFFReadScanline(t, b, i, 0); }\n";
    let by_rgba = "int f(void) { TIFFReadRGBAImage(t, w, h, r, 0); }\n";
    for (before, told) in [
        ("", true),
        ("// #include <exiv2/exiv2.hpp>\n", true),
        ("#include \"exif.h\"\n", true),
        ("#include <exiv2/exiv2.hpp>\n", false),
        ("# include <libexif/exif-data.h>\n", false),
        ("#include <gexiv2/gexiv2.h>\n", false),
        ("int turn(Exiv2::ExifData &d);\n", false),
    ] {
        for own in [reader, by_rgba] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("reader.cc"), own).unwrap();
            // In another file than that which reads TIFF.
            fs::write(folder.path().join("other.cc"), format!("int x;\n{before}")).unwrap();
            let uses = read(folder.path()).unwrap();
            let found = predict(&uses).iter().any(|p| p.dimension == "orientation");
            assert_eq!(found, told, "{before}{own}");
            let place = uses.exif.map(|place| (place.file, place.line));
            assert_eq!(place, (!told).then(|| ("other.cc".to_owned(), 2)));
        }
    }
}

#[test]
fn sources_that_are_no_c_end_in_bounded_time() {
    let call = "TIFFReadRGBAImage(t, w, h, r, 0);";
    let wrapped = |inside: &str| format!("int f(void) {{ {inside} {call} }}");
    let deep = 10_000;
    for text in [
        wrapped(&"{".repeat(deep)),
        wrapped(&"(".repeat(deep)),
        wrapped(&"if (a) ".repeat(deep)),
        wrapped(&format!("x = {}1;", "1 + ".repeat(200_000))),
        wrapped("case 1: default: break; else while do for ( ; goto"),
        format!("{call}\0\u{fffd}}}}}))((\n#if\n#else\n#endif\n#endif"),
        format!("enum {{ A = , B }} {} {call}", "namespace a {".repeat(deep)),
    ] {
        // The words are enough for a prediction.
        assert!(!predictions("a.cpp", &text).is_empty());
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.c"), "int f(void) { TIFFReadScanline(t, b, i, 0); }\0\0").unwrap();
    for (to, name) in [(".", "self"), ("a.c", "again.c"), ("gone.c", "gone.c")] {
        std::os::unix::fs::symlink(to, at(name)).unwrap();
    }
    let uses = read(folder.path()).unwrap();
    assert_eq!((uses.files, uses.functions["TIFFReadScanline"].len()), (1, 1));
    let empty = tempfile::tempdir().unwrap();
    assert!(read(empty.path()).unwrap_err().to_string().ends_with("no source file of C or C++"));
}
