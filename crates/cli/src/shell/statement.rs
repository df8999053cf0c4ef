//! Lines to statements: where a statement ends, as far as a reader of lines can know.
//!
//! A statement goes on while a bracket, a quote, a comment or a block of Lua is open, behind a line that ends
//! with `\` or `.`, in Lua behind a line of `local` or the end of a block, and in Gremlin before a line that begins with `.`. A blank
//! line or `;` at the end of a line ends it. A statement of Cypher ends at its `;`, wherever in a line that is, and
//! nowhere else. The reader scans each line once and never rejects text: what is wrong with a statement, its language says.

use millrace_db::languages::Entry;

use super::commands;

/// A statement under way.
#[derive(Debug)]
pub(crate) struct Statement {
    language: Entry,
    syntax: Syntax,
    text: String,
    /// The line of the input on which it began.
    pub(crate) line: usize,
    /// Brackets and blocks that are open.
    depth: usize,
    inside: Inside,
    is_continued: bool,
    /// Whether there is more than comments.
    has_code: bool,
    has_line: bool,
}

/// What a line did to a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Added<'l> {
    GoesOn,
    /// The statement is whole, in front of the rest of the line.
    Whole(&'l str),
}

/// Where the scan of a line ended.
enum Scanned {
    /// At a comment that ends with the line.
    Comment,
    /// In front of the `;` of a statement of Cypher, after so many bytes.
    Semicolon(usize),
    Whole,
}

/// What a reader of lines has to know of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Syntax {
    Cypher,
    Gremlin,
    Lua,
    /// A statement goes on while a bracket or a quote is open.
    Other,
}

impl Syntax {
    fn of(language: &str) -> Syntax {
        match language {
            "cypher" => Syntax::Cypher,
            "gremlin" | "gremlin-lang" => Syntax::Gremlin,
            "lua" => Syntax::Lua,
            _ => Syntax::Other,
        }
    }
}

/// What a character is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Code,
    /// A quoted text, ended by one or three of these.
    Quote(char, bool),
    /// A long text or comment of Lua, by the count of its `=`.
    Long(usize),
    /// A comment of Gremlin or Cypher.
    Comment,
}

/// Words that open and close blocks of Lua: `while` and `for` are opened by their `do`.
const OPENING: [&str; 4] = ["function", "do", "if", "repeat"];
const CLOSING: [&str; 2] = ["end", "until"];

/// Words that begin a line of Lua behind which a script cannot end, as its last line is its result.
const UNENDING: [&str; 3] = ["end", "local", "until"];

impl Statement {
    /// None yet; it will begin on this line of the input.
    pub(crate) fn new(language: Entry, line: usize) -> Statement {
        let syntax = Syntax::of(language.name());
        let (text, inside) = (String::new(), Inside::Code);
        let (is_continued, has_code, has_line) = (false, false, false);
        Statement {
            language,
            syntax,
            text,
            line,
            depth: 0,
            inside,
            is_continued,
            has_code,
            has_line,
        }
    }

    /// None yet; it will begin on this line of the input, in front of the rest of it.
    pub(crate) fn within(language: Entry, number: usize, line: &str, rest: &str) -> Statement {
        let mut statement = Statement::new(language, number);
        // Blanks in place of what went before, so that an error names the right column.
        let before = &line[..line.len() - rest.len()];
        statement.text.extend(before.chars().map(|_| ' '));
        statement
    }

    /// Whether nothing of it has come; of Cypher, nothing but comments.
    pub(crate) fn is_empty(&self) -> bool {
        match self.syntax {
            Syntax::Cypher => !self.has_code && self.inside == Inside::Code,
            Syntax::Gremlin | Syntax::Lua | Syntax::Other => self.text.trim().is_empty(),
        }
    }

    /// Whether a line is a command that ends it, although it is not whole.
    pub(crate) fn is_ended_by(&self, line: &str) -> bool {
        let is_code = self.inside == Inside::Code;
        !self.is_empty() && is_code && commands::interrupts(line, 0 < self.depth)
    }

    /// Whether a blank line that is typed ends it, whatever is open.
    pub(crate) fn ends_at_blank_line(&self) -> bool {
        self.syntax != Syntax::Cypher && !self.is_empty()
    }

    /// What has come.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Adds a line. Where nothing else decides whether the statement ends with it, `continues` is asked whether the
    /// next line goes on with it, which begins with `.` then.
    pub(crate) fn add<'l>(&mut self, line: &'l str, continues: impl FnOnce() -> bool) -> Added<'l> {
        if self.syntax == Syntax::Cypher {
            return self.add_cypher(line);
        }
        match self.add_whole(line, continues) {
            true => Added::Whole(""),
            false => Added::GoesOn,
        }
    }

    /// Adds lines that come at once, as from the history or a clipboard: the statements that end in them. Only of
    /// Cypher that may be several; another language's statement ends with the last line or goes on.
    pub(crate) fn add_lines(&mut self, lines: &str) -> Vec<Statement> {
        let (mut ended, mut ends) = (Vec::new(), false);
        for line in lines.split('\n') {
            if self.is_empty() {
                *self = Statement::new(self.language, 1);
            }
            let mut added = self.add(line, || false);
            ends = added != Added::GoesOn;
            while let Added::Whole(rest) = added
                && self.syntax == Syntax::Cypher
            {
                let next = Statement::within(self.language, 1, line, rest);
                ended.push(std::mem::replace(self, next));
                added = self.add(rest, || false);
            }
        }
        if ends && self.syntax != Syntax::Cypher {
            let next = Statement::new(self.language, 1);
            ended.push(std::mem::replace(self, next));
        }
        ended
    }

    fn add_cypher<'l>(&mut self, line: &'l str) -> Added<'l> {
        // Blank lines stay, so that an error names the right line.
        if self.has_line {
            self.text.push('\n');
        }
        self.has_line = true;
        let mut rest = line;
        while let Scanned::Semicolon(at) = self.scan(rest) {
            self.text.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            if self.has_code {
                return Added::Whole(rest);
            }
            self.text.push(' ');
        }
        self.text.push_str(rest);
        Added::GoesOn
    }

    /// Whether the statement ends here.
    fn add_whole(&mut self, line: &str, continues: impl FnOnce() -> bool) -> bool {
        let is_plain = self.depth == 0 && self.inside == Inside::Code;
        if line.trim().is_empty() && is_plain {
            return !self.is_empty();
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let ends_in_comment = matches!(self.scan(line), Scanned::Comment);
        let trimmed = line.trim_end();
        let is_code = self.inside == Inside::Code;
        if is_code && let Some(rest) = trimmed.strip_suffix('\\') {
            self.text.push_str(rest);
            return false;
        }
        if is_code
            && self.depth == 0
            && !ends_in_comment
            && let Some(rest) = trimmed.strip_suffix(';')
        {
            self.text.push_str(rest);
            return !self.is_empty();
        }
        self.text.push_str(line);
        if !is_code || self.depth != 0 || trimmed.ends_with('.') || self.is_empty() {
            return false;
        }
        match self.syntax {
            Syntax::Gremlin => !continues(),
            Syntax::Lua => !self.is_continued,
            Syntax::Cypher | Syntax::Other => true,
        }
    }

    fn scan(&mut self, line: &str) -> Scanned {
        let is_code = self.inside == Inside::Code;
        let mut words = line.split_whitespace();
        let (first, last) = (words.next().unwrap_or_default(), words.next_back());
        self.is_continued = is_code && (UNENDING.contains(&first) || last == Some("end"));
        let mut rest = line;
        while let Some(letter) = rest.chars().next() {
            rest = match self.inside {
                Inside::Code if letter == ';' && self.syntax == Syntax::Cypher => {
                    return Scanned::Semicolon(line.len() - rest.len());
                }
                Inside::Code => match self.code(letter, rest) {
                    Some(behind) => behind,
                    None => return Scanned::Comment,
                },
                Inside::Quote(..) => self.quoted(letter, rest),
                Inside::Long(level) => self.until(&long_end(level), rest),
                Inside::Comment => self.until("*/", rest),
            };
        }
        // A text in simple quotes ends with its line, but in Cypher; what is wrong with that, the language says.
        if let Inside::Quote(_, false) = self.inside
            && self.syntax != Syntax::Cypher
            && !line.ends_with('\\')
        {
            self.inside = Inside::Code;
        }
        Scanned::Whole
    }

    /// The rest of a line behind what its first letter begins; `None`: the rest is a comment.
    fn code<'a>(&mut self, letter: char, rest: &'a str) -> Option<&'a str> {
        let behind = &rest[letter.len_utf8()..];
        match (letter, self.syntax) {
            ('/', Syntax::Cypher | Syntax::Gremlin) if behind.starts_with('/') => return None,
            ('/', Syntax::Cypher | Syntax::Gremlin) if behind.starts_with('*') => {
                self.inside = Inside::Comment;
                return Some(&behind[1..]);
            }
            ('-', Syntax::Lua) if behind.starts_with('-') => {
                let (level, behind) = long_start(&behind[1..])?;
                self.inside = Inside::Long(level);
                return Some(behind);
            }
            ('[', Syntax::Lua) if long_start(rest).is_some() => {
                let (level, behind) = long_start(rest)?;
                self.inside = Inside::Long(level);
                return Some(behind);
            }
            ('`', Syntax::Cypher) => {
                self.has_code = true;
                self.inside = Inside::Quote(letter, false);
                return Some(behind);
            }
            ('"' | '\'', syntax) => {
                let three = format!("{letter}{letter}");
                let is_triple = syntax == Syntax::Gremlin && behind.starts_with(&three);
                self.has_code = true;
                self.inside = Inside::Quote(letter, is_triple);
                return Some(&behind[if is_triple { 2 } else { 0 }..]);
            }
            ('(' | '[' | '{', _) => self.depth += 1,
            (')' | ']' | '}', _) => self.depth = self.depth.saturating_sub(1),
            (letter, Syntax::Lua) if letter.is_alphabetic() || letter == '_' => {
                let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
                let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
                let word = &rest[..end];
                if OPENING.contains(&word) {
                    self.depth += 1;
                } else if CLOSING.contains(&word) {
                    self.depth = self.depth.saturating_sub(1);
                }
                return Some(&rest[end..]);
            }
            _ => {}
        }
        self.has_code |= !letter.is_whitespace();
        Some(behind)
    }

    fn quoted<'a>(&mut self, letter: char, rest: &'a str) -> &'a str {
        let Inside::Quote(quote, is_triple) = self.inside else { return rest };
        let behind = &rest[letter.len_utf8()..];
        if letter == '\\' {
            let escaped = behind.chars().next().map_or(0, char::len_utf8);
            return &behind[escaped..];
        }
        let end: String = std::iter::repeat_n(quote, if is_triple { 3 } else { 1 }).collect();
        match rest.strip_prefix(&end) {
            Some(behind) => {
                self.inside = Inside::Code;
                behind
            }
            None => behind,
        }
    }

    fn until<'a>(&mut self, end: &str, rest: &'a str) -> &'a str {
        match rest.split_once(end) {
            Some((_, behind)) => {
                self.inside = Inside::Code;
                behind
            }
            None => "",
        }
    }
}

/// Whether a line of Gremlin goes on with the one before.
pub(crate) fn begins_with_step(line: &str) -> bool {
    line.trim_start().starts_with('.')
}

/// How many `=` a long bracket of Lua has, and what is behind it, if the text begins with one.
fn long_start(text: &str) -> Option<(usize, &str)> {
    let behind = text.strip_prefix('[')?;
    let rest = behind.trim_start_matches('=');
    let level = behind.len() - rest.len();
    Some((level, rest.strip_prefix('[')?))
}

fn long_end(level: usize) -> String {
    format!("]{}]", "=".repeat(level))
}

#[cfg(test)]
mod tests {
    use millrace_db::languages::LANGUAGES;

    use super::*;

    /// The statements of a text.
    fn split(language: &str, text: &str) -> Vec<String> {
        let language = Entry::of_name(language).unwrap();
        let (mut found, mut statement) = (Vec::new(), Statement::new(language, 1));
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            if statement.is_empty() {
                statement = Statement::new(language, at + 1);
            }
            let continues = || lines.get(at + 1).is_some_and(|next| begins_with_step(next));
            let mut added = statement.add(line, continues);
            while let Added::Whole(rest) = added {
                found.push(statement.text().to_owned());
                statement = Statement::within(language, at + 1, line, rest);
                added = statement.add(rest, || false);
            }
        }
        if !statement.is_empty() {
            found.push(statement.text().to_owned());
        }
        found
    }

    #[test]
    fn a_statement_of_gremlin_goes_on_while_something_is_open() {
        for (text, count) in [
            ("g.V()\ng.E()", 2),
            ("g.V(\n1\n)\ng.E()", 2),
            ("g.V()\n  .out()\n  .count()\ng.E()", 2),
            ("g.V().\nout()", 1),
            ("g.V() \\\n.out()", 1),
            ("g.V().has('a', ')')\ng.E()", 2),
            ("g.V().has('a', 'it\\'s (')\ng.E()", 2),
            ("g.V().has(\"a\", '''one\ntwo''')\ng.E()", 2),
            ("g.V() // what of (\ng.E()", 2),
            ("g.V() /* not (\nyet */\n.out()\ng.E()", 2),
            ("g.V();\n\n\ng.E();", 2),
            ("x = [1,\n\n2]\ng.V(x)", 2),
            ("// nothing but a remark", 1),
            ("", 0),
        ] {
            assert_eq!(split("gremlin", text).len(), count, "{text}");
        }
        assert_eq!(split("gremlin", "g.V() \\\n.out();"), ["g.V() \n.out()"]);
        assert_eq!(split("gremlin", "g.V().has('a', '\ng.E()").len(), 1, "( is open");
    }

    #[test]
    fn a_statement_of_lua_goes_on_over_blocks_and_locals() {
        for (text, count) in [
            ("1\n2", 2),
            ("local x = 1\nx\n2", 2),
            ("for i = 1, 2 do\n\n  x = i\nend\nx\n2", 2),
            ("if a then\n b()\nelseif c then\n d()\nend\n1\n2", 2),
            ("repeat\n x()\nuntil y\n1\n2", 2),
            ("while true do\n f(function() return 1 end)\nend\n1\n2", 2),
            ("for i = 1, 2 do x = i end\nx\n2", 2),
            ("weekend = 1\nx.do_it = 2", 2),
            ("-- don't (\n1", 2),
            ("--[[ one\ntwo ]] 1\n2", 2),
            ("x = [==[ ]] (\n ]==]\n2", 2),
            ("x = 'end' .. \"do\"\n2", 2),
            ("local x = 1; x\n\n2", 2),
        ] {
            assert_eq!(split("lua", text).len(), count, "{text}");
        }
    }

    #[test]
    fn a_statement_of_cypher_goes_on_until_its_semicolon() {
        for (text, count) in [
            ("MATCH (n)\nRETURN n;\nRETURN 1;", 2),
            ("CREATE (a)\n\nCREATE (b)\n;\nRETURN 1", 2),
            ("RETURN 'one;\ntwo;';\nRETURN 1;", 2),
            ("RETURN `a;\n`;\nRETURN 1;", 2),
            ("// no end;\nRETURN 1; ", 1),
            ("/* not;\nyet; */ RETURN 1;\nRETURN 2;", 2),
            ("RETURN 1; RETURN ';'; RETURN 3", 3),
            ("RETURN 1; // one;\nRETURN 2; /* two;\n*/ RETURN 3;", 3),
            ("RETURN 1;; ;\n;RETURN 2;", 2),
            ("RETURN 1;\n// the end\n/* of\nit */", 1),
            ("RETURN [1; RETURN 2;", 2),
            ("'a';`b`;", 2),
            ("", 0),
        ] {
            assert_eq!(split("cypher", text).len(), count, "{text}");
        }
        let blanks = " ".repeat("RETURN 'é'; ".chars().count());
        assert_eq!(
            split("cypher", "MATCH (n)\n\nRETURN n;\nRETURN 'é'; RETURN 1;"),
            ["MATCH (n)\n\nRETURN n", "RETURN 'é'", &format!("{blanks}RETURN 1")]
        );
    }

    #[test]
    fn pasted_lines_may_have_several_statements_of_cypher() {
        let added = |language: &str, lines: &str| {
            let mut statement = Statement::new(Entry::of_name(language).unwrap(), 1);
            let ended = statement.add_lines(lines).into_iter();
            let ended: Vec<String> = ended.map(|own| own.text().trim().to_owned()).collect();
            (ended, statement.is_empty())
        };
        let of = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let pasted = "CREATE (a)\n\nCREATE (b);\n\nMATCH (n)\nRETURN n; RETURN 1;\n";
        let wanted = of(&["CREATE (a)\n\nCREATE (b)", "MATCH (n)\nRETURN n", "RETURN 1"]);
        assert_eq!(added("cypher", pasted), (wanted, true));
        assert_eq!(added("cypher", "RETURN 1;\nRETURN"), (of(&["RETURN 1"]), false));
        assert_eq!(added("gremlin", "g.V()\n.count()"), (of(&["g.V()\n.count()"]), true));
        assert_eq!(added("gremlin", "g.V(\n"), (of(&[]), false));
        let mut statement = Statement::new(Entry::of_name("cypher").unwrap(), 1);
        assert!(statement.add_lines("CREATE (a)").is_empty() && !statement.ends_at_blank_line());
    }

    #[test]
    fn a_command_ends_a_statement_unless_it_is_a_part_of_it() {
        for (text, line, ends) in [
            ("MATCH (n)", ":commit", true),
            ("MATCH (n", ":quit", true),
            ("MATCH (n", ":graph)", false),
            ("MATCH (n) SET n", ":Person", false),
            ("RETURN 'a", ":quit", false),
            ("/* a", ":quit", false),
            ("// a", ":quit", false),
            ("", ":quit", false),
        ] {
            let mut statement = Statement::new(Entry::of_name("cypher").unwrap(), 1);
            assert_eq!(statement.add(text, || false), Added::GoesOn);
            assert_eq!(statement.is_ended_by(line), ends, "{text} {line}");
        }
    }

    #[test]
    fn a_line_of_any_letters_is_no_reason_to_panic() {
        for text in ["'ä\\", "é(", "[=", "--[", "\"\\é", "'''", "]]", "/", "-", "日本.", "\\", ";"]
        {
            for language in LANGUAGES {
                split(language.name(), text);
            }
        }
    }
}
