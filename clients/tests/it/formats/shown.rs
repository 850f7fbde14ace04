//! Canonical values of archives, data sets and object files as the clients write them.

use serde_json::Value;

/// The rest of a canonical value in bytes, whose numbers have the most significant byte first.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, n: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(n);
        self.0 = rest;
        taken
    }

    fn number(&mut self, n: usize) -> usize {
        self.take(n).iter().fold(0, |n, b| n << 8 | usize::from(*b))
    }

    fn text(&mut self, length: usize) -> String {
        String::from_utf8(self.take(length).to_vec()).unwrap()
    }

    fn name(&mut self) -> String {
        let length = self.number(4);
        self.text(length)
    }

    /// A type's name, and values in hexadecimal digits.
    fn typed(&mut self) -> String {
        const TYPES: [&str; 11] = [
            "byte", "char", "short", "int", "float", "double", "ubyte", "ushort", "uint", "int64",
            "uint64",
        ];
        let kind = TYPES[self.number(1) - 1];
        let length = self.number(4);
        format!("{kind} {}", hex(self.take(length)))
    }

    fn attributes(&mut self, lines: &mut Vec<String>, owner: &str) {
        for _ in 0..self.number(4) {
            let name = self.name();
            lines.push(format!("attribute {owner}{name} {}", self.typed()));
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// The files of `zip_entries`: a line of name, date and length for each, then its content.
pub fn archive(listing: &[u8]) -> Vec<u8> {
    let mut rest = Rest(listing);
    let mut out = Vec::new();
    while !rest.0.is_empty() {
        let (name, date) = (rest.number(2), rest.number(4));
        rest.take(7);
        let length = rest.number(4);
        let bits = |low: u32, count: u32| date >> low & ((1 << count) - 1);
        let name = rest.text(name);
        let (year, month, day) = (1980 + bits(25, 7), bits(21, 4), bits(16, 5));
        let (hour, minute, second) = (bits(11, 5), bits(5, 6), 2 * bits(0, 5));
        let line = format!(
            "{name} {year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} {length}\n"
        );
        out.extend(line.bytes());
        out.extend(rest.take(length));
    }
    out
}

/// The lines of a data set of `netcdf_classic`.
pub fn dataset(bytes: &[u8]) -> Vec<u8> {
    let mut rest = Rest(bytes);
    let records = rest.number(4);
    let mut lines = Vec::new();
    let mut dimensions = Vec::new();
    for _ in 0..rest.number(4) {
        let (name, length) = (rest.name(), rest.number(4));
        lines.push(match length {
            0 => format!("dimension {name} unlimited {records}"),
            _ => format!("dimension {name} {length}"),
        });
        dimensions.push(name);
    }
    rest.attributes(&mut lines, "");
    for _ in 0..rest.number(4) {
        let name = rest.name();
        let own: Vec<String> =
            (0..rest.number(4)).map(|_| dimensions[rest.number(4)].clone()).collect();
        let mut attributes = Vec::new();
        rest.attributes(&mut attributes, &format!("{name}:"));
        lines.push(format!("variable {name}({}) {}", own.join(", "), rest.typed()));
        lines.extend(attributes);
    }
    (lines.join("\n") + "\n").into_bytes()
}

/// The names and the contents of sections, in hexadecimal digits; nothing of the section with the names.
fn sections(value: &Value) -> Vec<(String, String)> {
    let list = |value: &Value| -> Vec<u8> {
        let all = value.as_array().unwrap().iter();
        all.map(|n| u8::try_from(n.as_u64().unwrap()).unwrap()).collect()
    };
    let names = String::from_utf8(list(&value["names"])).unwrap();
    let contents = value["contents"].as_array().unwrap();
    let section = |(k, name): (usize, &str)| {
        let length = match value["kinds"][k].as_u64() {
            Some(8) => 0,
            _ => value["sizes"][k].as_u64().unwrap() as usize,
        };
        (name.to_owned(), hex(&list(&contents[k])[..length]))
    };
    names.split_terminator('\0').enumerate().map(section).collect()
}

/// The lines of an object file; `brief` without what Go's library does not return.
pub fn object(value: &Value, brief: bool) -> Vec<u8> {
    let mut header = vec!["abi", "abi_version", "machine"];
    if !brief {
        header.extend(["flags", "strings"]);
    }
    let numbers: Vec<String> = header.iter().map(|name| value[name].to_string()).collect();
    let mut out = format!("header {}\n", numbers.join(" "));
    for (k, (name, contents)) in sections(value).into_iter().enumerate() {
        let fields = [
            "kinds",
            "attributes",
            "addresses",
            "links",
            "infos",
            "alignments",
            "entry_sizes",
            "sizes",
        ];
        let numbers: Vec<String> = fields.iter().map(|f| value[f][k].to_string()).collect();
        out += &format!("{k} {name} {}\n{contents}\n", numbers.join(" "));
    }
    out.into_bytes()
}

/// Checks that a program's own listing of an object file has the names and the contents of all sections.
pub fn lists_object(text: &str, value: &Value) {
    for (name, contents) in sections(value) {
        assert!(text.contains(&name), "{name}: {text}");
        assert!(text.lines().any(|line| line == contents), "{name}: {contents}: {text}");
    }
}
