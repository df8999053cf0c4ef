//! TAB: words that may stand where the cursor is, as the target's check proposes them, and names of commands.

use std::cell::RefCell;
use std::rc::Rc;

use rustyline::completion::{Completer, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use millrace_db::languages::Entry;

use super::commands::{self, COMMANDS};
use super::interrupt::Interrupt;
use super::parameters::Parameters;
use super::target::{Asked, Mode, Proposed, Target};

/// What a line is a part of.
pub(super) struct Around {
    pub(super) language: Entry,
    pub(super) graph: String,
    /// The lines of the statement before it.
    pub(super) before: String,
}

/// Proposes words.
pub(super) struct Completion {
    pub(super) target: Rc<Target>,
    pub(super) interrupt: Interrupt,
    pub(super) around: RefCell<Around>,
}

impl Completer for Completion {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let Around { language, graph, before } = &*self.around.borrow();
        if before.is_empty() && commands::is_command(line, *language) {
            return Ok(named(&line[..pos]));
        }
        let text = match before.as_str() {
            "" => line.to_owned(),
            before => format!("{before}\n{line}"),
        };
        let cursor = text.len() - line.len() + pos;
        let offset = text[..cursor].chars().count();
        let (text, parameters) = (text.as_str(), &Parameters::default());
        let asked = Asked { language: *language, graph, text, parameters, mode: Mode::Rows };
        // A server that does not answer is reported by the next statement.
        let proposed = self.target.complete(&asked, offset, &self.interrupt).unwrap_or_default();
        Ok(pairs(&line[..pos], proposed))
    }
}

impl Hinter for Completion {
    type Hint = String;
}

impl Highlighter for Completion {}

impl Validator for Completion {}

impl Helper for Completion {}

/// The proposals with the place where they begin: the longest end of the line that begins all of them.
fn pairs(line: &str, proposed: Vec<Proposed>) -> (usize, Vec<Pair>) {
    let mut begins = line.char_indices().map(|(at, _)| at).chain([line.len()]);
    let begin = begins.find(|at| proposed.iter().all(|own| own.text.starts_with(&line[*at..])));
    let pair = |Proposed { text, detail }| {
        let display = if detail.is_empty() { text.clone() } else { format!("{text}  {detail}") };
        Pair { display, replacement: text }
    };
    (begin.unwrap_or(line.len()), proposed.into_iter().map(pair).collect())
}

/// The commands that a line may name.
fn named(line: &str) -> (usize, Vec<Pair>) {
    let begin = line.find(':').map_or(0, |colon| colon + 1);
    let fits = COMMANDS.iter().filter(|command| command.name.starts_with(&line[begin..]));
    let pair = |command: &commands::Command| Pair {
        display: format!(":{} {}", command.name, command.arguments),
        replacement: command.name.to_owned(),
    };
    (begin, fits.map(pair).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposal_replaces_its_beginning() {
        let proposed = |texts: &[&str]| {
            let of = |text: &&str| Proposed { text: (*text).to_owned(), detail: String::new() };
            texts.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(pairs("g.V().out", proposed(&["out", "outE"])).0, 6);
        assert_eq!(pairs("g.V().", proposed(&["out", "in"])).0, 6);
        assert_eq!(pairs("g.V().hasLabel('ä", proposed(&["ä b"])).0, 16);
        assert_eq!(pairs("g.", proposed(&[])).0, 0);
        assert_eq!(named(":he").1.len(), 1);
        assert_eq!(named(":").1.len(), COMMANDS.len());
    }
}
