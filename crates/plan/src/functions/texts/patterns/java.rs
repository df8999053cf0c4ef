//! Patterns as Java writes them, in the syntax of the matcher.
//!
//! Most is common to both. What Java writes otherwise is rewritten; what needs more than linear time stays as it is
//! or is refused here, and the matcher refuses the rest (decision 0053).

use millrace_model::Result;

use crate::functions::arguments::bad;

/// A pattern of the matcher that a whole text matches where it matches the pattern of Java.
pub(super) fn whole(pattern: &str) -> Result<String> {
    // A dot takes no carriage return either.
    Ok(format!(r"(?R)\A(?:{})\z", translated(pattern)?))
}

/// A pattern of the matcher that matches the parts of a text that the pattern of Java matches.
pub(super) fn part(pattern: &str) -> Result<String> {
    Ok(format!(r"(?R){}", translated(pattern)?))
}

fn translated(pattern: &str) -> Result<String> {
    let mut reader = Reader { rest: pattern, output: String::new(), groups: 0, classes: 0 };
    reader.read()?;
    Ok(reader.output)
}

struct Reader<'p> {
    rest: &'p str,
    output: String,
    /// How many groups are open.
    groups: usize,
    /// How many classes are open.
    classes: usize,
}

const VERTICAL_SPACE: &str = r"\n\x0B\f\r\x{85}\x{2028}\x{2029}";
const HORIZONTAL_SPACE: &str =
    r" \t\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}";

/// Classes by their letter, and the characters they have; the letter in upper case has all others.
const CLASSES: [(char, &str); 5] = [
    ('d', "0-9"),
    ('h', HORIZONTAL_SPACE),
    ('s', r" \t\n\x0B\f\r"),
    ('v', VERTICAL_SPACE),
    ('w', "a-zA-Z_0-9"),
];

/// Named classes that are ASCII in Java, and Unicode under the same names elsewhere.
const ASCII_CLASSES: [&str; 13] = [
    "Lower", "Upper", "ASCII", "Alpha", "Digit", "Alnum", "Punct", "Graph", "Print", "Blank",
    "Cntrl", "XDigit", "Space",
];

impl Reader<'_> {
    fn read(&mut self) -> Result<()> {
        while let Some(character) = self.next() {
            match (character, self.classes) {
                ('\\', _) => self.escape()?,
                ('[', _) => self.open_class(),
                (']', 1..) => {
                    self.classes -= 1;
                    self.output.push(']');
                }
                // Operators on sets that Java does not have.
                ('-' | '~', 1..) if self.rest.starts_with(character) => {
                    self.output.push('\\');
                    self.output.push(character);
                }
                (character, 1..) => self.output.push(character),
                ('(', 0) => self.open_group(),
                (')', 0) => {
                    self.groups = self.groups.checked_sub(1).ok_or_else(|| {
                        bad("this is not a pattern: a group is closed that is not open")
                    })?;
                    self.output.push(')');
                }
                ('*' | '+' | '?', 0) => self.quantifier(character)?,
                ('}', 0) if self.rest.starts_with('+') => return Err(possessive()),
                (character, 0) => self.output.push(character),
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let next = characters.next()?;
        self.rest = characters.as_str();
        Some(next)
    }

    fn quantifier(&mut self, character: char) -> Result<()> {
        self.output.push(character);
        if self.rest.starts_with('?') {
            self.next();
            self.output.push('?');
        } else if self.rest.starts_with('+') {
            return Err(possessive());
        }
        Ok(())
    }

    fn open_class(&mut self) {
        self.classes += 1;
        self.output.push('[');
        if self.rest.starts_with('^') {
            self.next();
            self.output.push('^');
        }
        // `[:` names a class elsewhere.
        if self.rest.starts_with(':') {
            self.next();
            self.output.push_str("\\:");
        }
    }

    /// A group with flags that both know.
    fn open_group(&mut self) {
        self.groups += 1;
        self.output.push('(');
        let Some(flags) = self.rest.strip_prefix('?') else { return };
        let end = flags.find(|flag: char| flag != '-' && !flag.is_ascii_alphabetic());
        let Some((end, closing)) = end.map(|end| (end, &flags[end..])) else { return };
        if end == 0 || !closing.starts_with([':', ')']) {
            return;
        }
        let known: String =
            flags[..end].chars().filter(|flag| !matches!(flag, 'd' | 'u' | 'U')).collect();
        let known = known.strip_suffix('-').unwrap_or(&known);
        self.rest = closing;
        match (known.is_empty(), closing.starts_with(':')) {
            // Flags alone, none of them known here: an empty group.
            (true, false) => self.output.push_str("?:"),
            (_, _) => {
                self.output.push('?');
                self.output.push_str(known);
            }
        }
    }

    fn escape(&mut self) -> Result<()> {
        let Some(character) = self.next() else {
            return Err(bad("this is not a pattern: nothing follows its last backslash"));
        };
        let lower = character.to_ascii_lowercase();
        if let Some((_, characters)) = CLASSES.iter().find(|(letter, _)| *letter == lower) {
            let negation = if character == lower { "" } else { "^" };
            self.output.push_str(&format!("[{negation}{characters}]"));
            return Ok(());
        }
        match character {
            'Q' => self.quoted(),
            'R' => self.output.push_str(&format!(r"(?:\r\n|[{VERTICAL_SPACE}])")),
            // A whole text is matched: there is no line end behind it.
            'Z' => self.output.push_str(r"\z"),
            'e' => self.output.push_str(r"\x1B"),
            'c' => {
                let control = self.next().filter(char::is_ascii);
                let control =
                    control.ok_or_else(|| bad("this is not a pattern: \\c expects a letter"))?;
                self.output.push_str(&format!(r"\x{:02X}", control as u8 ^ 64));
            }
            '0' => self.octal()?,
            'p' | 'P' => self.named_class(character == 'P'),
            letter if letter.is_ascii_alphanumeric() => {
                self.output.push('\\');
                self.output.push(letter);
            }
            literal => self.literal(literal),
        }
        Ok(())
    }

    /// A character that stands for itself; a backslash before some of them has a meaning elsewhere.
    fn literal(&mut self, character: char) {
        match character {
            '<' | '>' => self.output.push(character),
            other if other.is_ascii_punctuation() => {
                self.output.push('\\');
                self.output.push(other);
            }
            other if other.is_alphanumeric() => self.output.push(other),
            other => self.output.push_str(&format!(r"\x{{{:X}}}", u32::from(other))),
        }
    }

    /// Up to `\E`, each character stands for itself.
    fn quoted(&mut self) {
        let (text, rest) = self.rest.split_once(r"\E").unwrap_or((self.rest, ""));
        self.rest = rest;
        text.chars().for_each(|character| self.literal(character));
    }

    /// One to three octal digits, up to 377.
    fn octal(&mut self) -> Result<()> {
        let mut number = 0;
        let mut count = 0;
        while let Some(digit) = self.rest.chars().next().and_then(|digit| digit.to_digit(8)) {
            if count == 3 || 0o377 < number * 8 + digit {
                break;
            }
            number = number * 8 + digit;
            count += 1;
            self.next();
        }
        if count == 0 {
            return Err(bad("this is not a pattern: \\0 expects octal digits"));
        }
        self.output.push_str(&format!(r"\x{{{number:X}}}"));
        Ok(())
    }

    /// `\p{…}`, by its name in Java.
    fn named_class(&mut self, is_negated: bool) {
        let letter = if is_negated { 'P' } else { 'p' };
        let inner = self.rest.strip_prefix('{').and_then(|inner| inner.split_once('}'));
        let Some((name, rest)) = inner else {
            self.output.push('\\');
            self.output.push(letter);
            return;
        };
        self.rest = rest;
        if ASCII_CLASSES.contains(&name) {
            let negation = if is_negated { "^" } else { "" };
            self.output.push_str(&format!("[{negation}[:{}:]]", name.to_ascii_lowercase()));
            return;
        }
        let name = match name {
            "javaLowerCase" => "Lowercase",
            "javaUpperCase" => "Uppercase",
            "javaWhitespace" => "White_Space",
            name => name.strip_prefix("Is").unwrap_or(name),
        };
        self.output.push_str(&format!(r"\{letter}{{{name}}}"));
    }
}

fn possessive() -> millrace_model::Error {
    bad("this pattern cannot be used: a quantifier that gives nothing back")
        .with_help("leave out the + after the quantifier")
}
