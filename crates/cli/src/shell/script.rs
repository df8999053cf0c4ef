//! A text, statement by statement, up to the first error.
//!
//! A statement runs as soon as it is known to be whole, so that a program may write one, read its answer and
//! write the next: one that ends with `;` or a blank line waits for no line behind it.

use std::io::{BufRead, Write};

use millrace_model::{Error, ErrorKind, TextPosition};

use super::caret::caret;
use super::commands;
use super::session::{Session, Step};
use super::statement::{Added, Statement, begins_with_step};
use crate::exit::Failure;

/// Bytes of one statement; what a server takes is a setting of its own.
const STATEMENT_BYTES_MAX: usize = 1 << 30;

/// In front of a text, it is none of it: editors write it to say that the text is UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Runs what a reader has, line by line, as it comes; `name` is what errors call it.
pub(crate) fn run(session: &mut Session, name: &str, text: impl BufRead) -> Result<(), Failure> {
    let mut lines = text.lines().peekable();
    let mut statement = Statement::new(session.language, 1);
    let mut number = 0;
    while let Some(line) = lines.next() {
        let mut line = line.map_err(|error| unreadable(name, &error))?;
        number += 1;
        if number == 1 && line.starts_with(BYTE_ORDER_MARK) {
            line.remove(0);
        }
        if statement.is_empty() {
            statement = Statement::new(session.language, number);
            if commands::is_command(&line, session.language) {
                let done = session.command(&line);
                match print(&done.map_err(|error| placed(name, (number, &line), &error))?) {
                    true => continue,
                    false => return Ok(()),
                }
            }
        } else if statement.is_ended_by(&line) {
            let detail = format!(
                "{} follows an unfinished statement, which begins on line {}",
                line.trim(),
                statement.line
            );
            let error = Error::new(ErrorKind::BadInput, detail);
            let error = error.with_help("end it with `;`, and close its open quotes and brackets");
            return Err(placed(name, (number, &line), &error));
        }
        let continues = || {
            lines.peek().is_some_and(|next| next.as_ref().is_ok_and(|next| begins_with_step(next)))
        };
        let mut added = statement.add(&line, continues);
        while let Added::Whole(rest) = added {
            if !finish(session, name, &statement)? {
                return Ok(());
            }
            statement = Statement::within(session.language, number, &line, rest);
            // A command may stand behind a statement of Cypher.
            if rest.trim_start().starts_with(':') {
                let done = session.command(rest);
                if !print(&done.map_err(|error| placed(name, (number, &line), &error))?) {
                    return Ok(());
                }
                statement = Statement::new(session.language, number + 1);
                break;
            }
            added = statement.add(rest, || false);
        }
        if STATEMENT_BYTES_MAX < statement.text().len() {
            let detail = format!("a statement is longer than {STATEMENT_BYTES_MAX} bytes");
            return Err(placed(
                name,
                (statement.line, ""),
                &Error::new(ErrorKind::LimitReached, detail),
            ));
        }
    }
    if !statement.is_empty() {
        finish(session, name, &statement)?;
    }
    if session.abandon() {
        let detail = "the script ends inside a transaction, which is rolled back";
        let error = Error::new(ErrorKind::BadInput, detail).with_help(":commit commits it");
        return Err(placed(name, (number, ""), &error));
    }
    Ok(())
}

fn unreadable(name: &str, error: &std::io::Error) -> Failure {
    Failure::Of(Error::new(ErrorKind::Io, format!("{name}: {error}")))
}

/// Whether more may come.
fn finish(session: &mut Session, name: &str, statement: &Statement) -> Result<bool, Failure> {
    let done = session.run(statement.text());
    done.map(|step| print(&step))
        .map_err(|error| placed(name, (statement.line, statement.text()), &error))
}

/// Prints what a step gives. False: the shell ends, by a command or because its output is closed.
fn print(step: &Step) -> bool {
    match step {
        Step::Quit => false,
        Step::Print(text) => {
            let mut out = std::io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok()
        }
    }
}

/// The error of a statement with its place in the whole text in front, and its line with a mark behind.
fn placed(name: &str, (first_line, text): (usize, &str), error: &Error) -> Failure {
    let place = match error.position {
        Some(TextPosition { line, column }) => {
            format!("{name}:{}:{column}", first_line - 1 + line as usize)
        }
        None => format!("{name}:{first_line}"),
    };
    let help = error.help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
    let caret = caret(text, error.position).map_or_else(String::new, |caret| format!("\n{caret}"));
    let detail = format!("{place}: {}{help}{caret}", error.detail.trim_end());
    Failure::Server(Error { detail, help: None, position: None, ..error.clone() })
}
