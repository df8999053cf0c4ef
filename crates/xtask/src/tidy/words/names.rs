//! Retired words in declared names and in names of files.

use std::collections::HashMap;

use proc_macro2::Ident;
use syn::visit::{self, Visit};

use super::super::source::Source;
use super::{Glossary, Retired, Scope, Use, is_excepted};

/// Every use in a name that a source declares, and in the name of a file.
pub(super) fn uses(
    glossary: &Glossary,
    sources: &[Source],
    files: &[(String, String)],
) -> Vec<Use> {
    let words = Words::of(glossary);
    let mut uses = Vec::new();
    for (path, _) in files.iter().filter(|(path, _)| !is_excepted(path)) {
        let found = path.split('/').flat_map(|part| words.found_in(part));
        uses.extend(found.map(|word| name(word, path.clone())));
    }
    for source in sources {
        let mut declared = Declared(Vec::new());
        declared.visit_file(&source.whole);
        for ident in declared.0 {
            let text = ident.to_string();
            let place = || format!("{}:{}", source.path, ident.span().start().line);
            uses.extend(words.found_in(&text).into_iter().map(|word| name(word, place())));
            uses.extend(words.whole.get(text.as_str()).map(|word| name(word, place())));
        }
    }
    uses
}

fn name(word: &str, place: String) -> Use {
    Use { word: word.to_owned(), is_name: true, place }
}

/// The retired words by their first segment, and those that are whole names.
struct Words<'a> {
    by_first: HashMap<&'a str, Vec<(Vec<&'a str>, &'a str)>>,
    whole: HashMap<&'a str, &'a str>,
    /// The terms of more than one word, which may contain a retired one.
    terms: Vec<Vec<&'a str>>,
}

impl<'a> Words<'a> {
    fn of(glossary: &'a Glossary) -> Words<'a> {
        let terms = glossary.terms.iter().map(|term| term.split([' ', '-']).collect());
        let terms = terms.filter(|term: &Vec<&str>| 1 < term.len()).collect();
        let mut words = Words { by_first: HashMap::new(), whole: HashMap::new(), terms };
        for Retired { text, scope } in &glossary.retired {
            match scope {
                Scope::WholeName => drop(words.whole.insert(text, text)),
                Scope::Everywhere | Scope::Names => {
                    let segments: Vec<&str> = text.split([' ', '-', '_']).collect();
                    words.by_first.entry(singular(segments[0])).or_default().push((segments, text));
                }
            }
        }
        words
    }

    /// The words that are a sequence of a name's segments; the last one may be a plural.
    fn found_in(&self, name: &str) -> Vec<&'a str> {
        let segments = segments(name);
        let mut found = Vec::new();
        for (start, first) in segments.iter().enumerate() {
            for (word, text) in self.by_first.get(singular(first)).into_iter().flatten() {
                if is_word_at(&segments, start, word) && !self.is_in_term(&segments, start, word) {
                    found.push(*text);
                }
            }
        }
        found
    }

    /// Whether the word there is a part of a term.
    fn is_in_term(&self, segments: &[String], start: usize, word: &[&str]) -> bool {
        self.terms.iter().any(|term| {
            let mut places = term.windows(word.len()).enumerate().filter(|(_, own)| *own == word);
            places.any(|(place, _)| {
                start.checked_sub(place).is_some_and(|start| is_word_at(segments, start, term))
            })
        })
    }
}

fn is_word_at(segments: &[String], start: usize, word: &[&str]) -> bool {
    let last = word.len() - 1;
    let Some(own) = segments.get(start..=start + last) else { return false };
    own[..last].iter().zip(word).all(|(one, other)| one == other)
        && (own[last] == word[last] || own[last].strip_suffix('s') == Some(word[last]))
}

/// Without a last `s`: only to look a word up.
fn singular(segment: &str) -> &str {
    segment.strip_suffix('s').unwrap_or(segment)
}

/// The parts of a snake_case, kebab-case or CamelCase name, in lower case.
fn segments(name: &str) -> Vec<String> {
    let mut segments = vec![String::new()];
    let mut was_upper = true;
    for letter in name.chars() {
        let is_upper = letter.is_uppercase();
        if !letter.is_alphanumeric() || is_upper && !was_upper {
            segments.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(last) = segments.last_mut()
        {
            last.extend(letter.to_lowercase());
        }
        was_upper = is_upper;
    }
    segments.retain(|segment| !segment.is_empty());
    segments
}

/// The names that a file declares; names of values inside functions are not among them.
struct Declared(Vec<Ident>);

macro_rules! declares {
    ($($visit:ident $item:ident: $name:expr;)*) => {
        impl<'ast> Visit<'ast> for Declared {
            $(fn $visit(&mut self, item: &'ast syn::$item) {
                let name: fn(&syn::$item) -> Option<&Ident> = $name;
                self.0.extend(name(item).cloned());
                visit::$visit(self, item);
            })*
        }
    };
}

declares! {
    visit_item_const ItemConst: |item| Some(&item.ident);
    visit_item_enum ItemEnum: |item| Some(&item.ident);
    visit_item_macro ItemMacro: |item| item.ident.as_ref();
    visit_item_mod ItemMod: |item| Some(&item.ident);
    visit_item_static ItemStatic: |item| Some(&item.ident);
    visit_item_struct ItemStruct: |item| Some(&item.ident);
    visit_item_trait ItemTrait: |item| Some(&item.ident);
    visit_item_type ItemType: |item| Some(&item.ident);
    visit_item_union ItemUnion: |item| Some(&item.ident);
    visit_signature Signature: |item| Some(&item.ident);
    visit_field Field: |item| item.ident.as_ref();
    visit_variant Variant: |item| Some(&item.ident);
    visit_trait_item_const TraitItemConst: |item| Some(&item.ident);
    visit_trait_item_type TraitItemType: |item| Some(&item.ident);
    visit_impl_item_const ImplItemConst: |item| Some(&item.ident);
    visit_impl_item_type ImplItemType: |item| Some(&item.ident);
}

#[cfg(test)]
mod tests {
    use super::segments;

    #[test]
    fn names_of_every_case_have_segments() {
        for (name, expected) in [
            ("at_once", "at once"),
            ("AtOnceMax", "at once max"),
            ("AT_ONCE_MAX", "at once max"),
            ("0065-touched-lists.md", "0065 touched lists md"),
            ("r2Max", "r2 max"),
            ("_leading", "leading"),
        ] {
            assert_eq!(segments(name).join(" "), expected);
        }
    }
}
