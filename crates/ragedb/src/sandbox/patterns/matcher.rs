//! Lua's patterns, matched by backtracking as in the reference implementation, but with a check of the
//! deadline: a pattern of a few bytes can need more attempts than a script has time for.

/// Steps between two deadline checks.
const STEPS_BETWEEN_CHECKS: u32 = 1 << 14;

/// How deep alternatives may nest.
const DEPTH_MAX: usize = 200;

/// Captures of one pattern.
const CAPTURES_MAX: usize = 32;

/// A part of the text that a pattern asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capture {
    /// Begun and not ended.
    Open(usize),
    /// A place, from 0.
    Place(usize),
    /// From one place up to another.
    Part(usize, usize),
}

/// The result of a match: the place behind it, if there is one.
pub(super) type Matched = mlua::Result<Option<usize>>;

/// A pattern and a text.
pub(super) struct Matcher<'a> {
    text: &'a [u8],
    pattern: &'a [u8],
    check: &'a dyn Fn() -> mlua::Result<()>,
    captures: Vec<Capture>,
    depth: usize,
    steps: u32,
}

fn malformed(what: &str) -> mlua::Error {
    mlua::Error::runtime(format!("malformed pattern ({what})"))
}

impl<'a> Matcher<'a> {
    pub(super) fn new(
        text: &'a [u8],
        pattern: &'a [u8],
        check: &'a dyn Fn() -> mlua::Result<()>,
    ) -> Matcher<'a> {
        Matcher { text, pattern, check, captures: Vec::new(), depth: 0, steps: 0 }
    }

    /// The captures of the last match.
    pub(super) fn captures(&self) -> &[Capture] {
        &self.captures
    }

    /// A match that begins exactly here.
    pub(super) fn at(&mut self, start: usize) -> Matched {
        self.captures.clear();
        self.depth = 0;
        self.from(start, 0)
    }

    fn step(&mut self, count: usize) -> mlua::Result<()> {
        self.steps = self.steps.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        if STEPS_BETWEEN_CHECKS < self.steps {
            self.steps = 0;
            (self.check)()?;
        }
        Ok(())
    }

    fn from(&mut self, place: usize, at: usize) -> Matched {
        if self.depth == DEPTH_MAX {
            return Err(mlua::Error::runtime("pattern too complex"));
        }
        self.depth += 1;
        let matched = self.run(place, at);
        self.depth -= 1;
        matched
    }

    fn run(&mut self, mut place: usize, mut at: usize) -> Matched {
        loop {
            self.step(1)?;
            let next = self.pattern.get(at + 1).copied();
            match self.pattern.get(at) {
                None => return Ok(Some(place)),
                Some(b'(') if next == Some(b')') => {
                    return self.capture(place, at + 2, Capture::Place(place));
                }
                Some(b'(') => return self.capture(place, at + 1, Capture::Open(place)),
                Some(b')') => return self.end_capture(place, at + 1),
                Some(b'$') if next.is_none() => {
                    return Ok((place == self.text.len()).then_some(place));
                }
                Some(b'%') if next == Some(b'b') => match self.balanced(place, at + 2)? {
                    Some(end) => (place, at) = (end, at + 4),
                    None => return Ok(None),
                },
                Some(b'%') if next == Some(b'f') => match self.frontier(place, at + 2)? {
                    Some(end) => at = end,
                    None => return Ok(None),
                },
                Some(b'%') if next.is_some_and(|byte| byte.is_ascii_digit()) => {
                    match self.again(place, next.unwrap_or(b'0'))? {
                        Some(end) => (place, at) = (end, at + 2),
                        None => return Ok(None),
                    }
                }
                Some(_) => {
                    let end = self.class_end(at)?;
                    let fits = self.fits(place, at, end);
                    match self.pattern.get(end) {
                        Some(b'?') => {
                            if fits && let Some(end) = self.from(place + 1, end + 1)? {
                                return Ok(Some(end));
                            }
                            at = end + 1;
                        }
                        Some(b'+') if fits => return self.longest(place + 1, at, end),
                        Some(b'*') => return self.longest(place, at, end),
                        Some(b'-') => return self.shortest(place, at, end),
                        _ if !fits => return Ok(None),
                        _ => (place, at) = (place + 1, end),
                    }
                }
            }
        }
    }

    fn longest(&mut self, place: usize, at: usize, end: usize) -> Matched {
        let mut count = 0;
        while self.fits(place + count, at, end) {
            count += 1;
        }
        self.step(count)?;
        loop {
            if let Some(matched) = self.from(place + count, end + 1)? {
                return Ok(Some(matched));
            }
            if count == 0 {
                return Ok(None);
            }
            count -= 1;
        }
    }

    fn shortest(&mut self, mut place: usize, at: usize, end: usize) -> Matched {
        loop {
            if let Some(matched) = self.from(place, end + 1)? {
                return Ok(Some(matched));
            }
            if !self.fits(place, at, end) {
                return Ok(None);
            }
            place += 1;
        }
    }

    fn capture(&mut self, place: usize, at: usize, capture: Capture) -> Matched {
        if self.captures.len() == CAPTURES_MAX {
            return Err(mlua::Error::runtime("too many captures"));
        }
        let level = self.captures.len();
        self.captures.push(capture);
        let matched = self.from(place, at)?;
        if matched.is_none() {
            self.captures.truncate(level);
        }
        Ok(matched)
    }

    fn end_capture(&mut self, place: usize, at: usize) -> Matched {
        let open = |capture: &Capture| matches!(capture, Capture::Open(_));
        let Some(level) = self.captures.iter().rposition(open) else {
            return Err(mlua::Error::runtime("invalid pattern capture"));
        };
        let Capture::Open(start) = self.captures[level] else { return Ok(None) };
        self.captures[level] = Capture::Part(start, place);
        let matched = self.from(place, at)?;
        if matched.is_none() {
            self.captures[level] = Capture::Open(start);
        }
        Ok(matched)
    }

    /// The text of an earlier capture once more.
    fn again(&mut self, place: usize, digit: u8) -> Matched {
        let number = usize::from(digit - b'0');
        let capture = number.checked_sub(1).and_then(|level| self.captures.get(level));
        let Some(&Capture::Part(start, end)) = capture else {
            return Err(mlua::Error::runtime(format!("invalid capture index %{number}")));
        };
        self.step(end - start)?;
        let part = &self.text[start..end];
        Ok(self.text[place..].starts_with(part).then_some(place + part.len()))
    }

    fn balanced(&mut self, place: usize, at: usize) -> Matched {
        let (Some(&open), Some(&close)) = (self.pattern.get(at), self.pattern.get(at + 1)) else {
            return Err(malformed("missing arguments to '%b'"));
        };
        if self.text.get(place) != Some(&open) {
            return Ok(None);
        }
        let mut depth = 1;
        // The closing byte first: it may be the opening one, too.
        for (count, &byte) in self.text[place + 1..].iter().enumerate() {
            if byte == close {
                depth -= 1;
                if depth == 0 {
                    self.step(count)?;
                    return Ok(Some(place + count + 2));
                }
            } else if byte == open {
                depth += 1;
            }
        }
        self.step(self.text.len() - place)?;
        Ok(None)
    }

    /// The place in the pattern behind a frontier that is here.
    fn frontier(&mut self, place: usize, at: usize) -> Matched {
        if self.pattern.get(at) != Some(&b'[') {
            return Err(malformed("missing '[' after '%f' in pattern"));
        }
        let end = self.class_end(at)?;
        let before = if place == 0 { 0 } else { self.text[place - 1] };
        let after = self.text.get(place).copied().unwrap_or(0);
        let is_here = !self.in_set(before, at, end - 1) && self.in_set(after, at, end - 1);
        Ok(is_here.then_some(end))
    }

    /// The place behind a class that begins here.
    fn class_end(&self, at: usize) -> mlua::Result<usize> {
        let byte = self.pattern[at];
        let mut end = at + 1;
        if byte == b'%' {
            if end == self.pattern.len() {
                return Err(malformed("ends with '%'"));
            }
            return Ok(end + 1);
        }
        if byte != b'[' {
            return Ok(end);
        }
        if self.pattern.get(end) == Some(&b'^') {
            end += 1;
        }
        loop {
            let Some(&byte) = self.pattern.get(end) else {
                return Err(malformed("missing ']'"));
            };
            end += if byte == b'%' { 2 } else { 1 };
            if self.pattern.get(end) == Some(&b']') {
                return Ok(end + 1);
            }
        }
    }

    fn fits(&self, place: usize, at: usize, end: usize) -> bool {
        let Some(&byte) = self.text.get(place) else { return false };
        match self.pattern[at] {
            b'.' => true,
            b'%' => in_class(byte, self.pattern[at + 1]),
            b'[' => self.in_set(byte, at, end - 1),
            literal => literal == byte,
        }
    }

    /// Whether a byte is in the set from `[` at `at` up to `]` at `last`.
    fn in_set(&self, byte: u8, at: usize, last: usize) -> bool {
        let mut at = at + 1;
        let wanted = self.pattern[at] != b'^';
        at += usize::from(!wanted);
        while at < last {
            if self.pattern[at] == b'%' {
                if in_class(byte, self.pattern[at + 1]) {
                    return wanted;
                }
                at += 2;
            } else if self.pattern[at + 1] == b'-' && at + 2 < last {
                if (self.pattern[at]..=self.pattern[at + 2]).contains(&byte) {
                    return wanted;
                }
                at += 3;
            } else {
                if self.pattern[at] == byte {
                    return wanted;
                }
                at += 1;
            }
        }
        !wanted
    }
}

/// `%a` and kin; a letter in upper case is all others.
fn in_class(byte: u8, class: u8) -> bool {
    let is_in = match class.to_ascii_lowercase() {
        b'a' => byte.is_ascii_alphabetic(),
        b'c' => byte.is_ascii_control(),
        b'd' => byte.is_ascii_digit(),
        b'g' => byte.is_ascii_graphic(),
        b'l' => byte.is_ascii_lowercase(),
        b'p' => byte.is_ascii_punctuation(),
        b's' => byte.is_ascii_whitespace() || byte == 0x0b,
        b'u' => byte.is_ascii_uppercase(),
        b'w' => byte.is_ascii_alphanumeric(),
        b'x' => byte.is_ascii_hexdigit(),
        _ => return class == byte,
    };
    is_in != class.is_ascii_uppercase()
}
