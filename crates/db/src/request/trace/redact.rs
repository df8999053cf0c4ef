//! Texts without values: literals become `?`, comments go, names of the graph's schema stay.
//!
//! A text that is the name of a label, of an edge type or of a property key stays, because it shows the purpose
//! of the query. This is no parser: an ambiguous text loses more than it had to, and a missing end
//! takes the rest with it.

use millrace_model::Catalog;

/// The language of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// Only names between backticks are quoted, and literals never are names.
    Cypher,
    /// gremlin-lang or Groovy.
    Gremlin,
    Lua,
    /// Words of a plan, as `explain` has them.
    Plan,
}

/// The text on one line, without values.
pub(super) fn without_values(text: &str, language: Language, catalog: Option<&Catalog>) -> String {
    let mut scan = Scan { rest: text, language, catalog, shown: String::new() };
    while let Some(letter) = scan.rest.chars().next() {
        scan.step(letter);
    }
    scan.shown.trim_end().to_owned()
}

struct Scan<'t> {
    rest: &'t str,
    language: Language,
    catalog: Option<&'t Catalog>,
    shown: String,
}

impl Scan<'_> {
    fn step(&mut self, letter: char) {
        if let Some(length) = self.comment() {
            self.skip(length);
            self.space();
        } else if let Some((length, inside)) = self.quoted() {
            let quoted = &self.rest[..length];
            let is_shown = match self.language {
                Language::Cypher => quoted.starts_with('`'),
                Language::Gremlin | Language::Lua | Language::Plan => self.is_name(&quoted[inside]),
            };
            let shown = if is_shown { quoted } else { "?" };
            self.shown.push_str(shown);
            self.skip(length);
        } else if letter.is_whitespace() || letter.is_control() {
            self.skip(letter.len_utf8());
            self.space();
        } else if letter.is_ascii_digit() {
            self.number();
        } else if is_of_word(letter) {
            let length = self.rest.find(|next| !is_of_word(next)).unwrap_or(self.rest.len());
            self.shown.push_str(&self.rest[..length]);
            self.skip(length);
        } else {
            self.shown.push(letter);
            self.skip(letter.len_utf8());
        }
    }

    fn skip(&mut self, length: usize) {
        self.rest = &self.rest[length..];
    }

    /// One space, however many there were.
    fn space(&mut self) {
        if !self.shown.is_empty() && !self.shown.ends_with(' ') {
            self.shown.push(' ');
        }
    }

    /// A number with its point, exponent and suffix; columns and parameters of plans have theirs as names.
    fn number(&mut self) {
        let bytes = self.rest.as_bytes();
        let mut length = 0;
        while let Some(&byte) = bytes.get(length) {
            let is_point = byte == b'.' && bytes.get(length + 1).is_some_and(u8::is_ascii_digit);
            let is_sign = matches!(byte, b'+' | b'-')
                && matches!(bytes[length - 1], b'e' | b'E')
                && bytes.get(length + 1).is_some_and(u8::is_ascii_digit);
            if !(byte.is_ascii_alphanumeric() || byte == b'_' || is_point || is_sign) {
                break;
            }
            length += 1;
        }
        let is_name = match self.language {
            Language::Cypher => self.shown.ends_with('$'),
            Language::Plan => self.shown.ends_with(['#', '$']),
            Language::Gremlin | Language::Lua => false,
        };
        let shown = if is_name { &self.rest[..length] } else { "?" };
        self.shown.push_str(shown);
        self.skip(length);
    }

    /// How long the comment is that begins here.
    fn comment(&self) -> Option<usize> {
        let up_to = |end: &str, from: usize, keeps_end: bool| {
            let length = self.rest[from..].find(end).map(|at| from + at);
            length.map_or(self.rest.len(), |at| if keeps_end { at } else { at + end.len() })
        };
        match self.language {
            Language::Cypher | Language::Gremlin if self.rest.starts_with("//") => {
                Some(up_to("\n", 2, true))
            }
            Language::Cypher | Language::Gremlin if self.rest.starts_with("/*") => {
                Some(up_to("*/", 2, false))
            }
            Language::Lua if self.rest.starts_with("--") => {
                let long = long_bracket(&self.rest[2..]).map(|(length, _)| length + 2);
                Some(long.unwrap_or_else(|| up_to("\n", 2, true)))
            }
            Language::Cypher | Language::Gremlin | Language::Lua | Language::Plan => None,
        }
    }

    /// How long the text is that begins here, and where in it its contents are.
    fn quoted(&self) -> Option<(usize, std::ops::Range<usize>)> {
        let Some((begin, end)) = self.quotes() else {
            let is_lua = self.language == Language::Lua;
            return is_lua.then(|| long_bracket(self.rest)).flatten();
        };
        let mut is_escaped = false;
        for (place, letter) in self.rest.char_indices().skip(begin.len()) {
            if is_escaped {
                is_escaped = false;
            } else if letter == '\\' && begin != "`" {
                is_escaped = true;
            } else if self.rest[place..].starts_with(end) {
                return Some((place + end.len(), begin.len()..place));
            }
        }
        Some((self.rest.len(), 0..0))
    }

    /// The delimiters of the text that begins here.
    fn quotes(&self) -> Option<(&'static str, &'static str)> {
        let is_gremlin = self.language == Language::Gremlin;
        // Behind an operand a slash divides; elsewhere Groovy has texts between slashes.
        let divides = self.shown.trim_end().ends_with(|before: char| {
            is_of_word(before) || matches!(before, ')' | ']' | '}' | '?' | '"' | '\'')
        });
        let all = [
            ("\"\"\"", "\"\"\"", is_gremlin),
            ("'''", "'''", is_gremlin),
            ("\"", "\"", true),
            ("'", "'", true),
            ("`", "`", self.language == Language::Cypher),
            ("$/", "/$", is_gremlin),
            ("/", "/", is_gremlin && !divides),
        ];
        let here =
            all.into_iter().find(|(begin, _, is_there)| *is_there && self.rest.starts_with(begin));
        here.map(|(begin, end, _)| (begin, end))
    }

    fn is_name(&self, text: &str) -> bool {
        self.catalog.is_some_and(|catalog| {
            catalog.label(text).is_some()
                || catalog.edge_type(text).is_some()
                || catalog.key(text).is_some()
        })
    }
}

/// How long a text of Lua in long brackets is, and where in it its contents are: `[[…]]`, `[==[…]==]`.
fn long_bracket(text: &str) -> Option<(usize, std::ops::Range<usize>)> {
    let inside = text.strip_prefix('[')?;
    let level = inside.find(|letter| letter != '=')?;
    if !inside[level..].starts_with('[') {
        return None;
    }
    let (from, end) = (level + 2, format!("]{}]", "=".repeat(level)));
    Some(match text[from..].find(&end) {
        Some(length) => (from + length + end.len(), from..from + length),
        None => (text.len(), 0..0),
    })
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog() -> Catalog {
        let mut catalog = Catalog::default();
        catalog.labels.intern("Person");
        catalog.edge_types.intern("KNOWS");
        catalog.keys.intern("name");
        catalog
    }

    #[track_caller]
    fn check(language: Language, text: &str, shown: &str) {
        assert_eq!(without_values(text, language, Some(&catalog())), shown, "{text}");
    }

    #[test]
    fn literals_of_gremlin_go_and_names_of_the_schema_stay() {
        for (text, shown) in [
            (
                "g.V().has('Person', 'name', 'Ann').out(\"KNOWS\")",
                "g.V().has('Person', 'name', ?).out(\"KNOWS\")",
            ),
            ("g.V(1L, 2.5e-3d, -7).limit(10)", "g.V(?, ?, -?).limit(?)"),
            ("g.V().has('ssn','a\\'b')", "g.V().has(?,?)"),
            ("x = '''it's'''; \"\"\"a \"b\" c\"\"\"", "x = ?; ?"),
            ("g.V() // secret\n /* 's' */ .count()", "g.V() .count()"),
            ("g.V().has('name', 'no end)", "g.V().has('name', ?"),
            ("v1.step2[[1,2]]", "v1.step2[[?,?]]"),
            ("x = /a 'b' c/; y(/d\\/e/, $/f/g/$, 'name')", "x = ?; y(?, ?, 'name')"),
            ("a / 2 + size() / 3 - 'b'", "a / ? + size() / ? - ?"),
            ("g.inject(/no end)", "g.inject(?"),
            ("", ""),
        ] {
            check(Language::Gremlin, text, shown);
        }
    }

    #[test]
    fn literals_of_cypher_go_and_names_stay() {
        for (text, shown) in [
            (
                "MATCH (n:Person {name: 'Person', age: 41})-[:KNOWS*1..3]->(`a 'b' 1`) RETURN n.x1",
                "MATCH (n:Person {name: ?, age: ?})-[:KNOWS*?..?]->(`a 'b' 1`) RETURN n.x1",
            ),
            (
                "RETURN $0, $name, 'it\\'s' + \"a\\\"b\" // 's'\n/* 's' */",
                "RETURN $0, $name, ? + ?",
            ),
            (
                "RETURN 7 / 2, -1.5e-3, 0xFF, .5, [1,2] AS `x\\`",
                "RETURN ? / ?, -?, ?, .?, [?,?] AS `x\\`",
            ),
            ("RETURN 'no end", "RETURN ?"),
        ] {
            check(Language::Cypher, text, shown);
        }
    }

    #[test]
    fn literals_of_lua_go_and_names_of_the_schema_stay() {
        for (text, shown) in [
            ("NodeGet('Person', 'ann')\n-- of Ann\nx = 0x1F", "NodeGet('Person', ?) x = ?"),
            ("s = [[ long 'x' ]] .. [==[ ]] ]==]", "s = ? .. ?"),
            ("--[[ two\nlines ]] 1", "?"),
            ("a[b[1]] = t.name", "a[b[?]] = t.name"),
            ("[[ no end", "?"),
            ("x = \"über\" .. 'Person'", "x = ? .. 'Person'"),
        ] {
            check(Language::Lua, text, shown);
        }
    }

    #[test]
    fn words_of_a_plan_keep_columns_and_parameters() {
        for (text, shown) in [
            ("Filter v#12.name = \"Ann\" and v#3.age > 41", "Filter v#12.name = ? and v#3.age > ?"),
            ("Seek v#2 Person.name = $0", "Seek v#2 Person.name = $0"),
            ("Project Date(Date { days: 18000 })", "Project Date(Date { days: ? })"),
        ] {
            check(Language::Plan, text, shown);
        }
    }
}
