//! The parameters of a text, by its tokens.

use std::ops::Range;

use millrace_model::Error;

use super::lexer::{self, Token};
use crate::tree::Name;

/// The parameter that is the time of the statement; no text can name it.
pub(crate) const NOW: &str = " now";

/// Names of functions that may ask for the time.
const CLOCKS: [&str; 6] = ["date", "datetime", "localdatetime", "localtime", "time", "timestamp"];

/// The names of the parameters in a text, each once, and [`NOW`] if a word in it may ask for the time; of a text that
/// does not parse none.
pub(crate) fn parameters(text: &str) -> Vec<Name> {
    let Ok((tokens, _)) = lexer::tokens(text) else { return Vec::new() };
    let mut names: Vec<Name> = Vec::new();
    for (index, placed) in tokens.iter().enumerate() {
        let name = match &placed.token {
            Token::Parameter(name) if !is_dynamic_label(&tokens, index) => Name::clone(name),
            Token::Word(word) if CLOCKS.iter().any(|own| own.eq_ignore_ascii_case(word)) => {
                Name::from(NOW)
            }
            _ => continue,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The parameters of a text by their names, and the bytes where each stands.
///
/// # Errors
/// A token that is none.
pub(crate) fn parameter_ranges(text: &str) -> Result<Vec<(Name, Range<usize>)>, Vec<Error>> {
    let (tokens, errors) = lexer::tokens(text).map_err(|error| vec![error])?;
    if !errors.is_empty() {
        return Err(errors);
    }
    let parameter = |(index, placed): (usize, &lexer::Placed<'_>)| match &placed.token {
        Token::Parameter(name) if !is_dynamic_label(&tokens, index) => {
            Some((Name::clone(name), placed.begin..placed.end))
        }
        _ => None,
    };
    Ok(tokens.iter().enumerate().filter_map(parameter).collect())
}

/// Whether a token that looks like a parameter is `$any(…)` or `$all(…)`, a dynamic label.
fn is_dynamic_label(tokens: &[lexer::Placed<'_>], index: usize) -> bool {
    let [own, next, ..] = &tokens[index..] else { return false };
    let Token::Parameter(name) = &own.token else { return false };
    let is_word = ["any", "all"].iter().any(|word| word.eq_ignore_ascii_case(name));
    is_word && own.end == next.begin && next.token == Token::Mark("(")
}
