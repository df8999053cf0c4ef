//! The licence of every locked package, as an SPDX expression, against the list of accepted ones.
//!
//! `OR` needs one accepted side, `AND` both; `WITH` only grants more, so its exception is ignored.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::process;
use crate::workspace::Workspace;

const ACCEPTED: [&str; 10] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Accepted for a package that has a reason in `tidy.toml`.
const ACCEPTED_WITH_REASON: [&str; 2] = ["BSL-1.0", "MPL-2.0"];

/// A locked package.
#[derive(Debug)]
pub(super) struct Package {
    name: String,
    licence: Option<String>,
}

/// Every package of `Cargo.lock`.
pub(super) fn packages(workspace: &Workspace) -> Result<Vec<Package>, String> {
    let mut command = workspace.cargo();
    command.args(["metadata", "--format-version", "1", "--locked"]);
    parse(&process::output(command)?).ok_or_else(|| "cargo metadata has a new shape".to_owned())
}

fn parse(metadata: &str) -> Option<Vec<Package>> {
    let metadata: Value = serde_json::from_str(metadata).ok()?;
    let packages = metadata.get("packages")?.as_array()?.iter().map(|package| {
        let name = package.get("name")?.as_str()?.to_owned();
        let licence = package.get("license")?.as_str().map(str::to_owned);
        Some(Package { name, licence })
    });
    packages.collect()
}

/// One line for each package that may not be used, or with a reason that is no longer needed.
pub(super) fn check(packages: &[Package], reasons: &BTreeMap<String, String>) -> Vec<String> {
    let mut breaches = Vec::new();
    for Package { name, licence } in packages {
        let Some(licence) = licence else {
            breaches.push(format!("licence: {name} names none"));
            continue;
        };
        if !is_accepted(licence, reasons.contains_key(name)) {
            breaches.push(format!("licence: {name} is `{licence}`, which is not accepted"));
        }
    }
    for name in reasons.keys().filter(|name| !packages.iter().any(|it| &it.name == *name)) {
        breaches.push(format!("licence: {name} has a reason in tidy.toml but is not locked"));
    }
    breaches
}

fn is_accepted(expression: &str, has_reason: bool) -> bool {
    // Old manifests write `MIT/Apache-2.0` for `OR`.
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Expression { words: &words, has_reason };
    parser.either() == Some(true) && parser.words.is_empty()
}

/// The unread words; each method returns `None` where the text is no expression.
struct Expression<'a> {
    words: &'a [&'a str],
    has_reason: bool,
}

impl Expression<'_> {
    fn either(&mut self) -> Option<bool> {
        let mut accepted = self.both()?;
        while self.take("OR") {
            accepted |= self.both()?;
        }
        Some(accepted)
    }

    fn both(&mut self) -> Option<bool> {
        let mut accepted = self.one()?;
        while self.take("AND") {
            accepted &= self.one()?;
        }
        Some(accepted)
    }

    fn one(&mut self) -> Option<bool> {
        if self.take("(") {
            let inner = self.either()?;
            return self.take(")").then_some(inner);
        }
        let (name, rest) = self.words.split_first()?;
        self.words = rest;
        if self.take("WITH") {
            self.words = self.words.split_first()?.1;
        }
        Some(ACCEPTED.contains(name) || self.has_reason && ACCEPTED_WITH_REASON.contains(name))
    }

    fn take(&mut self, word: &str) -> bool {
        let is_next = self.words.first().is_some_and(|next| next.eq_ignore_ascii_case(word));
        if is_next {
            self.words = &self.words[1..];
        }
        is_next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_evaluated() {
        for accepted in [
            "MIT",
            "GPL-3.0 OR MIT",
            "MIT/GPL-3.0",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
        ] {
            assert!(is_accepted(accepted, false), "{accepted}");
        }
        for refused in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT", "MIT Apache-2.0", "", "MIT OR"] {
            assert!(!is_accepted(refused, false), "{refused}");
        }
    }

    #[test]
    fn a_package_that_needs_a_reason_is_refused_without_one() {
        let metadata = r#"{"packages": [{"name": "webpki", "license": "MPL-2.0"}]}"#;
        let packages = parse(metadata).unwrap();
        let mut reasons = BTreeMap::new();
        assert!(check(&packages, &reasons)[0].contains("webpki is `MPL-2.0`"));
        reasons.insert("webpki".to_owned(), "certificates, unchanged".to_owned());
        assert!(check(&packages, &reasons).is_empty());
        assert!(check(&[], &reasons)[0].contains("is not locked"));
    }

    #[test]
    fn a_package_without_a_licence_is_a_breach() {
        let packages = parse(r#"{"packages": [{"name": "x", "license": null}]}"#).unwrap();
        assert_eq!(check(&packages, &BTreeMap::new()), ["licence: x names none"]);
    }
}
