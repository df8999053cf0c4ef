//! A text, statement by statement, up to the first error.

use std::io::Write;

use millrace_db::model::{Error, TextPosition};

use super::session::{Session, Step};
use super::statement::Statement;
use crate::exit::Failure;

/// Runs a text; `name` is what errors call it.
pub(crate) fn run(session: &mut Session, name: &str, text: &str) -> Result<(), Failure> {
    let lines: Vec<&str> = text.lines().collect();
    let mut statement = Statement::new(session.language, 1);
    for (at, &line) in lines.iter().enumerate() {
        let number = at + 1;
        if statement.is_empty() {
            statement = Statement::new(session.language, number);
            if Session::is_command(line) {
                let done = session.command(line).map_err(|error| placed(name, number, error))?;
                match print(&done) {
                    true => continue,
                    false => return Ok(()),
                }
            }
        }
        if statement.add(line, lines.get(number).copied()) {
            let done = finish(session, name, &statement)?;
            statement = Statement::new(session.language, number + 1);
            if !done {
                return Ok(());
            }
        }
    }
    if !statement.is_empty() {
        finish(session, name, &statement)?;
    }
    Ok(())
}

/// Whether more may come.
fn finish(session: &mut Session, name: &str, statement: &Statement) -> Result<bool, Failure> {
    let done = session.run(statement.text());
    done.map(|step| print(&step)).map_err(|error| placed(name, statement.line, error))
}

/// Prints what a step gives. False: the shell ends, as it was told to, or since nobody reads what it prints.
fn print(step: &Step) -> bool {
    match step {
        Step::Quit => false,
        Step::Print(text) => {
            let mut out = std::io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok()
        }
    }
}

/// The error with its place in the whole text in front.
fn placed(name: &str, first_line: usize, error: Error) -> Failure {
    let place = match error.position {
        Some(TextPosition { line, column }) => {
            format!("{name}:{}:{column}", first_line - 1 + line as usize)
        }
        None => format!("{name}:{}", first_line - 1 + line_of_lua(&error.detail).unwrap_or(1)),
    };
    let detail = format!("{place}: {}", error.detail);
    Failure::Server(Error { detail, position: None, ..error })
}

/// The line that an error of Lua names first.
fn line_of_lua(detail: &str) -> Option<usize> {
    let (_, behind) = detail.split_once("script:")?;
    let (line, _) = behind.split_once(':')?;
    line.parse().ok().filter(|line| 0 < *line)
}
