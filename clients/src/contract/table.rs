//! The table `[contract]` of a description: its text, and its replacement in a file.

use super::terms::Contract;

impl Contract {
    /// Returns the table as it is written in a description.
    pub fn to_toml(&self) -> String {
        let mut table = "[contract]\n".to_owned();
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        for (name, convention) in self.properties() {
            table += &format!("{name} = {}\n", quoted(convention.name));
        }
        if !self.undistinguished.is_empty() {
            let names: Vec<String> = self.undistinguished.iter().map(|name| quoted(name)).collect();
            table += &format!("undistinguished = [{}]\n", names.join(", "));
        }
        for (name, seen) in &self.unknown {
            table += &format!("unknown.{name} = {}\n", quoted(seen));
        }
        table
    }

    /// Returns the text of a description with this table in place of the existing one, or at the end. Everything else,
    /// and the comments of the old table, stays unchanged.
    pub fn written_into(&self, description: &str) -> String {
        let is_header = |line: &str| line.trim_start().starts_with('[');
        let is_own = |line: &str| {
            let header = line.trim();
            header.starts_with("[contract]") || header.starts_with("[contract.")
        };
        let (mut before, mut after, mut comments) = (String::new(), String::new(), String::new());
        let (mut inside, mut found) = (false, false);
        for line in description.lines() {
            if is_header(line) {
                inside = is_own(line);
                found |= inside;
            }
            let part = match (inside, found) {
                (true, _) if line.trim_start().starts_with('#') => &mut comments,
                (true, _) => continue,
                (false, true) => &mut after,
                (false, false) => &mut before,
            };
            *part += line;
            part.push('\n');
        }
        let table = self.to_toml();
        let (header, rows) = table.split_once('\n').unwrap_or((&table, ""));
        let gap = if after.is_empty() { "" } else { "\n" };
        format!("{}\n\n{header}\n{comments}{rows}{gap}{after}", before.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::convention::{Alpha, Depth};

    fn contract() -> Contract {
        let mut contract = Contract::exact();
        contract.depth = Some(Depth::HighByte);
        contract.alpha = Some(Alpha::OverWhite);
        contract.unknown.insert("gray_alpha".to_owned(), "refused: \"a\" \\ b".to_owned());
        contract.undistinguished.push("depth".to_owned());
        contract
    }

    #[derive(serde::Deserialize)]
    struct Described {
        contract: Contract,
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let read: Described = toml::from_str(&contract().to_toml()).unwrap();
        assert_eq!(read.contract, contract());
    }

    #[test]
    fn a_table_is_added_and_replaced() {
        let plain = "# kept\nname = \"x\"\n\n[run]\ncommand = [\"x\"] # also\n";
        let first = Contract::exact().written_into(plain);
        assert!(first.starts_with(plain), "{first}");
        // Between other tables, with a comment inside.
        let table = first.replace("[contract]\n", "[contract]\n# why\n");
        let middle = format!("{table}\n[output]\nformat = \"pnm\"\n");
        let second = contract().written_into(&middle);
        assert_eq!(second.matches("[contract]\n# why\n").count(), 1, "{second}");
        assert!(second.ends_with("\n\n[output]\nformat = \"pnm\"\n"), "{second}");
        let read: Described = toml::from_str(&without_others(&second)).unwrap();
        assert_eq!(read.contract, contract());
        assert_eq!(contract().written_into(&second), second);
    }

    fn without_others(text: &str) -> String {
        let start = text.find("[contract]").unwrap();
        text[start..text.find("[output]").unwrap()].to_owned()
    }

    #[test]
    fn an_unknown_convention_is_refused() {
        assert!(toml::from_str::<Described>("[contract]\nalpha = \"inverted\"\n").is_err());
        assert!(toml::from_str::<Described>("[contract]\nfudge = 3\n").is_err());
    }
}
