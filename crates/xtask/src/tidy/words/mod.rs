//! The retired words of the glossary: they may not come back, and where they are left they only get fewer.
//!
//! The last column of `docs/glossary.md` is the list. A plain entry is refused in declared names, names of
//! files, comments, strings and documents; one marked `(as a name)` has an ordinary meaning too and is
//! refused in names only; one in backticks is refused as a whole declared name. `retired-words.toml` has
//! the number of uses that are left, which `cargo xtask tidy --record` lowers.

mod lexer;
mod names;
mod prose;

use std::collections::BTreeMap;

use toml::Table;

use super::source::Source;

/// Where the words are listed.
pub(super) const GLOSSARY: &str = "docs/glossary.md";

/// Where the uses that are left are counted.
pub(super) const FILE: &str = "crates/xtask/retired-words.toml";

/// Whether a file may have every retired word: the glossary, and the list of remaining uses.
fn is_excepted(path: &str) -> bool {
    path == GLOSSARY || path == FILE || path.starts_with("crates/xtask/src/tidy/words/")
}

const PLACES_PRINTED: usize = 20;

/// A word or a phrase that the glossary retires.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Retired {
    /// As the glossary writes it, without marks.
    text: String,
    scope: Scope,
}

/// Where a retired word is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// In names, and in comments, strings and documents.
    Everywhere,
    /// In declared names and names of files, as a part of them.
    Names,
    /// As a declared name.
    WholeName,
}

/// One use of a retired word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Use {
    word: String,
    is_name: bool,
    /// File and line.
    place: String,
}

/// The uses that are left: for each word in names and in prose.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Left {
    names: BTreeMap<String, usize>,
    prose: BTreeMap<String, usize>,
}

/// The words in the glossary's tables.
pub(super) struct Glossary {
    /// The words of the last column.
    retired: Vec<Retired>,
    /// The words of the first column. A name may have a retired word as a part of one: `ParameterSlot`.
    terms: Vec<String>,
}

impl Glossary {
    pub(super) fn parse(text: &str) -> Glossary {
        let (mut retired, mut terms) = (Vec::new(), Vec::new());
        for line in text.lines() {
            let row = line.trim().strip_prefix('|').and_then(|row| row.strip_suffix('|'));
            let cells: Vec<&str> = row.into_iter().flat_map(|row| row.split('|')).collect();
            let [term, _, not] = cells.as_slice() else { continue };
            if not.trim() != "not" && !not.contains("---") {
                retired.extend(not.split(',').filter_map(entry));
                terms.extend(term.split(',').map(|term| term.trim().to_lowercase()));
            }
        }
        Glossary { retired, terms }
    }
}

fn entry(text: &str) -> Option<Retired> {
    let text = text.trim();
    if let Some(name) = text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')) {
        return Some(Retired { text: name.to_owned(), scope: Scope::WholeName });
    }
    let (text, scope) = match text.strip_suffix("(as a name)") {
        Some(word) => (word.trim(), Scope::Names),
        None => (text, Scope::Everywhere),
    };
    (!text.is_empty()).then(|| Retired { text: text.to_lowercase(), scope })
}

/// Every use in the files, except in the glossary and in the list of remaining uses.
pub(super) fn uses(
    glossary: &Glossary,
    sources: &[Source],
    files: &[(String, String)],
) -> Vec<Use> {
    let mut uses = names::uses(glossary, sources, files);
    uses.extend(prose::uses(&glossary.retired, files));
    uses
}

impl Left {
    /// The counts in `retired-words.toml`.
    pub(super) fn parse(text: &str) -> Result<Left, String> {
        let table: Table = text.parse().map_err(|error| format!("{FILE}: {error}"))?;
        let mut left = Left::default();
        for (section, value) in &table {
            let counts = match section.as_str() {
                "names" => &mut left.names,
                "prose" => &mut left.prose,
                _ => return Err(format!("{FILE}: [{section}] is unknown")),
            };
            for (word, count) in value.as_table().into_iter().flatten() {
                let count = count.as_integer().and_then(|count| usize::try_from(count).ok());
                let count = count.ok_or_else(|| format!("{FILE}: {word} needs a number"))?;
                counts.insert(word.clone(), count);
            }
        }
        Ok(left)
    }

    fn found(uses: &[Use]) -> Left {
        let mut found = Left::default();
        for one in uses {
            let counts = if one.is_name { &mut found.names } else { &mut found.prose };
            *counts.entry(one.word.clone()).or_default() += 1;
        }
        found
    }

    /// The smaller of both counts for each word; a word that is not in `self` stays at zero.
    fn lowered(&self, found: &Left) -> Left {
        let lower = |recorded: &BTreeMap<String, usize>, found: &BTreeMap<String, usize>| {
            let both = recorded.iter().filter_map(|(word, count)| {
                let least = (*count).min(*found.get(word)?);
                Some((word.clone(), least))
            });
            both.collect()
        };
        Left { names: lower(&self.names, &found.names), prose: lower(&self.prose, &found.prose) }
    }

    fn sections(&self) -> [(&'static str, &BTreeMap<String, usize>); 2] {
        [("names", &self.names), ("prose", &self.prose)]
    }
}

/// The text of `retired-words.toml` with every count lowered to the number found; the comment at its head stays.
pub(super) fn record(text: &str, uses: &[Use]) -> Result<String, String> {
    let lowered = Left::parse(text)?.lowered(&Left::found(uses));
    let head = text.lines().take_while(|line| line.starts_with('#'));
    let mut lines: Vec<String> = head.map(str::to_owned).collect();
    for (section, counts) in lowered.sections() {
        lines.push(format!("\n[{section}]"));
        lines.extend(counts.iter().map(|(word, count)| format!("{word:?} = {count}")));
    }
    Ok(lines.join("\n") + "\n")
}

/// A few lines for each word that is used more often than recorded, and for each that is recorded but
/// not retired.
pub(super) fn check(glossary: &Glossary, uses: &[Use], recorded: &Left) -> Vec<String> {
    let mut breaches = Vec::new();
    let found = Left::found(uses);
    for ((section, found), (_, recorded)) in found.sections().into_iter().zip(recorded.sections()) {
        for (word, count) in found {
            let most = recorded.get(word).copied().unwrap_or(0);
            if most < *count {
                let own = uses.iter().filter(|own| own.word == *word);
                let own = own.filter(|own| own.is_name == (section == "names"));
                breaches.push(format!(
                    "`{word}` is retired ({GLOSSARY}): at most {most} uses are left in {section}, \
                     found {count}\n{}",
                    listed(own)
                ));
            }
        }
        let unknown =
            recorded.keys().filter(|word| !glossary.retired.iter().any(|own| own.text == **word));
        breaches.extend(unknown.map(|word| format!("{FILE}: {GLOSSARY} does not retire `{word}`")));
    }
    breaches
}

/// One line with the number of uses that are left, and whether fewer can be recorded.
pub(super) fn line(uses: &[Use], recorded: &Left) -> String {
    let sum =
        |left: &Left| -> usize { left.sections().iter().flat_map(|(_, own)| own.values()).sum() };
    let (found, most) = (uses.len(), sum(recorded));
    let hint = if found < most { ": run `cargo xtask tidy --record`" } else { "" };
    format!("uses of retired words: {found} (recorded {most}{hint})")
}

fn listed<'a>(uses: impl Iterator<Item = &'a Use>) -> String {
    let places: Vec<&str> = uses.map(|own| own.place.as_str()).collect();
    let mut lines: Vec<String> =
        places.iter().take(PLACES_PRINTED).map(|place| format!("  {place}")).collect();
    if PLACES_PRINTED < places.len() {
        lines.push(format!("  … and {} more", places.len() - PLACES_PRINTED));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    const GLOSSARY_ROWS: &str = "\
| term | meaning | not |
|---|---|---|
| kept page | one that stays | |
| detached element | as it leaves | shown element, kept (as a name) |
| reference | an operator | `Ref` |
";

    fn found(path: &str, text: &str) -> Vec<String> {
        let files = [(path.to_owned(), text.to_owned())];
        let sources: Vec<Source> = match source::is_rust(path) {
            true => vec![source::parse(path, text).expect("it is Rust")],
            false => Vec::new(),
        };
        let uses = uses(&Glossary::parse(GLOSSARY_ROWS), &sources, &files);
        let line = |own: &Use| format!("{} {} {}", own.word, own.is_name, own.place);
        uses.iter().map(line).collect()
    }

    #[test]
    fn entries_have_three_scopes() {
        let of = |text: &str, scope| Retired { text: text.to_owned(), scope };
        let expected = [
            of("shown element", Scope::Everywhere),
            of("kept", Scope::Names),
            of("Ref", Scope::WholeName),
        ];
        assert_eq!(Glossary::parse(GLOSSARY_ROWS).retired, expected);
    }

    #[test]
    fn declared_names_are_refused_by_their_segments() {
        for (text, expected) in [
            ("struct ShownElements;", "shown element true a.rs:1"),
            ("fn f() {}\nfn of_kept() {}", "kept true a.rs:2"),
            ("enum E { Kept(u8) }", "kept true a.rs:1"),
            ("struct S { kept_max: u8 }", "kept true a.rs:1"),
            ("trait T { const KEPT: u8; }", "kept true a.rs:1"),
            ("impl S { fn kept(&self) {} }", "kept true a.rs:1"),
            ("macro_rules! kept { () => {} }", "kept true a.rs:1"),
            ("mod m { type Kept = u8; }", "kept true a.rs:1"),
            ("struct Ref;", "Ref true a.rs:1"),
            ("#[test]\nfn what_is_kept_stays() {}", "kept true a.rs:2"),
        ] {
            assert_eq!(found("a.rs", text), [expected], "{text}");
        }
        for text in [
            "struct Keptic;",
            "struct LetRef;",
            "struct AllKeptPages;",
            "fn f(kept: u8) { let kept = kept; }",
        ] {
            assert_eq!(found("a.rs", text), [""; 0], "{text}");
        }
    }

    #[test]
    fn names_of_files_and_folders_are_refused() {
        assert_eq!(found("src/kept.rs", ""), ["kept true src/kept.rs"]);
        assert_eq!(found("src/kept/mod.rs", ""), ["kept true src/kept/mod.rs"]);
        assert_eq!(found("docs/0012-a-kept-row.md", ""), ["kept true docs/0012-a-kept-row.md"]);
    }

    #[test]
    fn phrases_are_refused_in_comments_strings_and_documents() {
        for text in [
            "//! A shown element.",
            "/// The shown\n/// elements.\nfn f() {}",
            "fn f() { g(\"no shown element\") }",
            "fn f() { g(r#\"a \"shown element\"\"#) } // 'x'",
            "/* shown-element */",
        ] {
            assert_eq!(found("a.rs", text).len(), 1, "{text}");
        }
        assert_eq!(found("a.md", "It is kept.\n\nA Shown Element"), ["shown element false a.md:3"]);
        for text in ["// shown. Element", "fn f() { shown(element) }", "// it is kept, `Ref`"] {
            assert_eq!(found("a.rs", text), [""; 0], "{text}");
        }
    }

    #[test]
    fn the_glossary_itself_may_have_them() {
        assert_eq!(found(GLOSSARY, "shown element"), [""; 0]);
    }

    #[test]
    fn uses_may_only_get_fewer() {
        let glossary = Glossary::parse(GLOSSARY_ROWS);
        let one = |word: &str| Use { word: word.into(), is_name: true, place: "a.rs:1".into() };
        let uses = [one("kept"), one("kept")];
        let text = "# Head.\n\n[names]\n\"Ref\" = 1\n\"kept\" = 3\n\n[prose]\n";
        let left = Left::parse(text).unwrap();
        assert_eq!(check(&glossary, &uses, &left), [""; 0]);
        assert!(line(&uses, &left).contains("2 (recorded 4: run"));
        let lowered = record(text, &uses).unwrap();
        assert_eq!(lowered, "# Head.\n\n[names]\n\"kept\" = 2\n\n[prose]\n");
        assert_eq!(record(&lowered, &[uses.to_vec(), uses.to_vec()].concat()).unwrap(), lowered);
        let breaches =
            check(&glossary, &uses, &Left::parse("[names]\nkept = 1\ntold = 1").unwrap());
        assert_eq!(breaches.len(), 2, "{breaches:?}");
        assert!(breaches[0].contains("at most 1 uses") && breaches[0].ends_with("  a.rs:1"));
        assert!(breaches[1].contains("does not retire `told`"));
        assert!(Left::parse("[nams]\n").unwrap_err().contains("[nams]"));
        assert!(Left::parse("[names]\nkept = -1\n").unwrap_err().contains("kept"));
    }
}
