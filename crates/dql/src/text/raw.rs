//! Text between braces that another parser reads: N-Quads, or a schema of 2016.
//!
//! Only its end is looked for: the brace that closes it. Braces in strings, in IRIs and in comments do not count.

use super::cursor::Cursor;
use super::errors::Read;
use crate::tree::RawText;

/// The text up to the brace that closes it, and that brace.
pub(crate) fn raw_text(cursor: &mut Cursor<'_>) -> Read<RawText> {
    let opened = cursor.here();
    cursor.must_take('{', "before data")?;
    let begin = cursor.behind();
    let mut open = 0_usize;
    loop {
        cursor.take_while(|letter| !matches!(letter, '{' | '}' | '"' | '<' | '#'));
        match cursor.next_character() {
            Some('{') => open += 1,
            Some('}') if open == 0 => break,
            Some('}') => open -= 1,
            Some('"') => {
                skip_string(cursor);
                continue;
            }
            // A comparison sign or an IRI without an end ends at its line.
            Some('<') => {
                cursor.take_while(|letter| !matches!(letter, '>' | '\n'));
                continue;
            }
            Some('#') => {
                cursor.take_while(|letter| letter != '\n');
                continue;
            }
            _ => {
                let error =
                    cursor.error(opened, "Unclosed action: the data of a mutation has no end");
                return Err(error.with_help("close it with `}`"));
            }
        }
        cursor.advance(1);
    }
    let text = cursor.text_since(begin).to_owned();
    cursor.advance(1);
    Ok(RawText { offset: begin, text })
}

/// Skips a string, or what is left of the text if it has no end.
fn skip_string(cursor: &mut Cursor<'_>) {
    cursor.advance(1);
    loop {
        cursor.take_while(|letter| letter != '"' && letter != '\\');
        match cursor.next_character() {
            Some('\\') => {
                cursor.advance(1);
                cursor.advance(cursor.next_character().map_or(0, char::len_utf8));
            }
            Some(_) => {
                cursor.advance(1);
                return;
            }
            None => return,
        }
    }
}
