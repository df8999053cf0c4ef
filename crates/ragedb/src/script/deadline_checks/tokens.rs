//! A text of Lua as tokens, by the rules of Lua 5.4's own reader (`llex.c`).
//!
//! This reader must agree with Lua's: a text or a comment here must be one for Lua too, byte for byte,
//! else a loop could hide in it. Bytes that it can't read are refused.

/// A word, sign or literal, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    /// The bytes it is made of.
    pub(super) text: &'a [u8],
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    /// A reserved word.
    Word,
    Number,
    Text,
    /// `..`, `...`, `::`, or one byte of any other sign.
    Sign,
    /// The text ends here.
    End,
}

/// Bytes that form no token: the place where they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed(pub(super) usize);

/// The reserved words of Lua 5.4.
const WORDS: [&str; 22] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// Reads one token after the other.
pub(super) struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a [u8]) -> Tokens<'a> {
        Tokens { text, at: 0 }
    }

    fn byte(&self, offset: usize) -> Option<u8> {
        self.text.get(self.at + offset).copied()
    }

    fn skip_while(&mut self, is_part: impl Fn(u8) -> bool) {
        while self.byte(0).is_some_and(&is_part) {
            self.at += 1;
        }
    }

    /// The next token, spaces and comments left out.
    pub(super) fn next(&mut self) -> Result<Token<'a>, Malformed> {
        self.skip_blank()?;
        let start = self.at;
        let kind = match self.byte(0) {
            None => Kind::End,
            Some(byte) if begins_name(byte) => {
                self.skip_while(continues_name);
                let is_word =
                    WORDS.iter().any(|word| word.as_bytes() == &self.text[start..self.at]);
                if is_word { Kind::Word } else { Kind::Name }
            }
            Some(byte) if byte.is_ascii_digit() => self.number(),
            Some(b'.') if self.byte(1).is_some_and(|byte| byte.is_ascii_digit()) => self.number(),
            Some(quote @ (b'"' | b'\'')) => self.quoted(quote)?,
            Some(b'[') => self.bracket()?,
            Some(_) => self.sign(),
        };
        Ok(Token { kind, text: &self.text[start..self.at], start, end: self.at })
    }

    fn skip_blank(&mut self) -> Result<(), Malformed> {
        loop {
            self.skip_while(is_space);
            if (self.byte(0), self.byte(1)) != (Some(b'-'), Some(b'-')) {
                return Ok(());
            }
            self.at += 2;
            match self.level() {
                Some(level) => self.long(level)?,
                None => self.skip_while(|byte| !is_newline(byte)),
            }
        }
    }

    /// How many `=` stand between the brackets that begin a long text here, if one begins here.
    fn level(&self) -> Option<usize> {
        if self.byte(0) != Some(b'[') {
            return None;
        }
        let level = self.text[self.at + 1..].iter().take_while(|&&byte| byte == b'=').count();
        (self.byte(1 + level) == Some(b'[')).then_some(level)
    }

    /// Goes behind a long text.
    fn long(&mut self, level: usize) -> Result<(), Malformed> {
        let start = self.at;
        let ends = [b"]".as_slice(), &vec![b'='; level], b"]"].concat();
        self.at += 2 + level;
        let found = self.text[self.at..].windows(ends.len()).position(|part| part == ends);
        self.at += found.ok_or(Malformed(start))? + ends.len();
        Ok(())
    }

    fn bracket(&mut self) -> Result<Kind, Malformed> {
        match self.level() {
            Some(level) => self.long(level).map(|()| Kind::Text),
            None if self.byte(1) == Some(b'=') => Err(Malformed(self.at)),
            None => Ok(self.sign()),
        }
    }

    fn quoted(&mut self, quote: u8) -> Result<Kind, Malformed> {
        let start = self.at;
        self.at += 1;
        loop {
            let byte = self.byte(0).ok_or(Malformed(start))?;
            self.at += 1;
            match byte {
                _ if byte == quote => return Ok(Kind::Text),
                b'\\' => self.escape().ok_or(Malformed(start))?,
                _ if is_newline(byte) => return Err(Malformed(start)),
                _ => {}
            }
        }
    }

    /// Skips an escape, as far as its bytes could be mistaken for something else.
    fn escape(&mut self) -> Option<()> {
        let byte = self.byte(0)?;
        self.at += 1;
        match (byte, self.byte(0)) {
            (b'z', _) => self.skip_while(is_space),
            // Both together are one line's end.
            (b'\n', Some(b'\r')) | (b'\r', Some(b'\n')) => self.at += 1,
            _ => {}
        }
        Some(())
    }

    /// As Lua does it: whatever may stand in a number goes on with it, right or wrong.
    fn number(&mut self) -> Kind {
        let is_hex = self.byte(0) == Some(b'0') && matches!(self.byte(1), Some(b'x' | b'X'));
        self.at += if is_hex { 2 } else { 1 };
        let exponent = if is_hex { [b'p', b'P'] } else { [b'e', b'E'] };
        while let Some(byte) = self.byte(0) {
            if exponent.contains(&byte) {
                self.at += 1;
                if matches!(self.byte(0), Some(b'-' | b'+')) {
                    self.at += 1;
                }
            } else if byte.is_ascii_hexdigit() || byte == b'.' {
                self.at += 1;
            } else {
                break;
            }
        }
        Kind::Number
    }

    fn sign(&mut self) -> Kind {
        let long = [b"...".as_slice(), b"..", b"::"];
        let found = long.iter().find(|sign| self.text[self.at..].starts_with(sign));
        self.at += found.map_or(1, |sign| sign.len());
        Kind::Sign
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, Malformed> {
        let mut tokens = Tokens::new(text.as_bytes());
        let mut read = Vec::new();
        loop {
            let token = tokens.next()?;
            if token.kind == Kind::End {
                return Ok(read);
            }
            read.push(format!("{:?} {}", token.kind, String::from_utf8_lossy(token.text)));
        }
    }

    #[test]
    fn words_names_numbers_and_signs_are_told_apart() {
        let expected = ["Name a", "Sign .", "Name b", "Sign ..", "Number 0x1p-2", "Word end"];
        assert_eq!(read("a.b..0x1p-2 end").as_deref(), Ok(expected.map(String::from).as_slice()));
        let expected = ["Number 3..2", "Sign -", "Number .5e+3", "Sign ::", "Name ends"];
        assert_eq!(read("3..2-.5e+3::ends").as_deref(), Ok(expected.map(String::from).as_slice()));
        let expected = ["Sign ...", "Sign =", "Sign =", "Sign [", "Name x", "Sign ]"];
        assert_eq!(read("...==[x]").as_deref(), Ok(expected.map(String::from).as_slice()));
    }

    #[test]
    fn nothing_is_read_in_texts_and_comments() {
        for text in [
            "'while \\' do'",
            "\"\\\\\\\"for\"",
            "[[ end ]=] ]]",
            "[==[ ]] ]=] ]==]",
            "'a\\z \n  end'",
            "'a\\\r\n end'",
            "--[[ while\n ]] 'x'",
            "--[==[ while\n ]] ]==] 'x'",
            "--[=x while\n'x'",
            "-- [[ while\r'x'",
        ] {
            let read = read(text).expect("it is well formed");
            assert!(read.len() == 1 && read[0].starts_with("Text "), "{text}: {read:?}");
        }
    }

    #[test]
    fn text_that_lua_cannot_read_is_refused() {
        for text in ["'a", "'a\nb'", "[[ ]=]", "--[[ ]", "[=x", "'\\", "\"a\\\"", "[=[ ]]"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
