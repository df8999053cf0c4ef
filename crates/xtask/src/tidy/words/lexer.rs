//! Comments and strings of Rust, found without parsing.

/// Calls back with each comment and each string, and the line where it begins. Lines of one comment come
/// together.
pub(super) fn rust_prose(text: &str, found: &mut impl FnMut(&str, usize)) {
    let bytes = text.as_bytes();
    let (mut at, mut line) = (0, 1);
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => comment_end(bytes, at),
            b'/' if bytes[at..].starts_with(b"/*") => block_end(bytes, at),
            b'"' => string_end(bytes, at),
            b'r' if is_raw_string(bytes, at) => raw_end(bytes, at),
            b'\'' => {
                at = quote_end(bytes, at);
                continue;
            }
            byte => {
                line += usize::from(byte == b'\n');
                at += 1;
                continue;
            }
        };
        found(&text[at..end], line);
        line += bytes[at..end].iter().filter(|byte| **byte == b'\n').count();
        at = end;
    }
}

/// The end of a comment and of those in the next lines, up to something else.
fn comment_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    loop {
        end = position(bytes, end, |byte| byte == b'\n');
        let next = position(bytes, end, |byte| !byte.is_ascii_whitespace());
        let blank = bytes[end..next].iter().filter(|byte| **byte == b'\n').count() != 1;
        if blank || !bytes[next..].starts_with(b"//") {
            return end;
        }
        end = next;
    }
}

fn block_end(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => (depth, at) = (depth + 1, at + 2),
            Some(b"*/") => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn is_raw_string(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| bytes[before]);
    let is_name = before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let quote = position(bytes, at + 1, |byte| byte != b'#');
    (!is_name || before == Some(b'b')) && bytes.get(quote) == Some(&b'"')
}

fn raw_end(bytes: &[u8], start: usize) -> usize {
    let quote = position(bytes, start + 1, |byte| byte != b'#');
    let hashes = quote - start - 1;
    let mut at = quote + 1;
    while at < bytes.len() {
        at = position(bytes, at, |byte| byte == b'"') + 1;
        let closing = bytes.get(at..at + hashes);
        if closing.is_some_and(|closing| closing.iter().all(|byte| *byte == b'#')) {
            return at + hashes;
        }
    }
    bytes.len()
}

/// Behind a character, or behind the quote of a lifetime or a label.
fn quote_end(bytes: &[u8], at: usize) -> usize {
    let start = at + 1;
    match bytes.get(start) {
        Some(b'\\') => position(bytes, start + 2, |byte| byte == b'\'') + 1,
        Some(byte) if byte.is_ascii() && bytes.get(start + 1) == Some(&b'\'') => start + 2,
        Some(byte) if !byte.is_ascii() => position(bytes, start, |byte| byte == b'\'') + 1,
        Some(_) | None => start,
    }
    .min(bytes.len())
}

/// Where the first byte of a kind is, from `from` on; the end if there is none.
fn position(bytes: &[u8], from: usize, is_wanted: impl Fn(u8) -> bool) -> usize {
    let from = from.min(bytes.len());
    let found = bytes[from..].iter().position(|byte| is_wanted(*byte));
    found.map_or(bytes.len(), |found| from + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_found_with_their_lines() {
        let text = "//! a\n//! b\n\n// c\nfn f<'x>(y: &'x str) { g('\"', '\\'', 'ü', b\"d\", r#\"e\"f\"#)\n\
                    /* g /* h */ i */ } // j \"k\"\n// l";
        let mut found = Vec::new();
        rust_prose(text, &mut |part, line| found.push((line, part.to_owned())));
        let expected = [
            (1, "//! a\n//! b"),
            (4, "// c"),
            (5, "\"d\""),
            (5, "r#\"e\"f\"#"),
            (6, "/* g /* h */ i */"),
            (6, "// j \"k\"\n// l"),
        ];
        assert_eq!(found, expected.map(|(line, part)| (line, part.to_owned())));
    }

    #[test]
    fn an_unclosed_literal_ends_with_the_file() {
        for text in ["\"a", "r#\"a\"", "/* a", "'", "'\\", "\"\\"] {
            rust_prose(text, &mut |_, _| {});
        }
    }
}
