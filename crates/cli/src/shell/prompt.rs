//! A shell on a terminal: a prompt, lines that are edited, statements of former sessions.

use std::cell::RefCell;
use std::rc::Rc;

use millrace_model::{Error, ErrorKind};
use rustyline::Editor;
use rustyline::config::{CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;

use super::caret;
use super::commands;
use super::complete::{Around, Completion};
use super::history;
use super::session::{Session, Step};
use super::statement::Statement;
use crate::exit::Failure;
use crate::say;

pub(crate) fn run(session: &mut Session) -> Result<(), Failure> {
    let failed = |error: ReadlineError| {
        Failure::Of(Error::new(ErrorKind::Io, format!("the terminal: {error}")))
    };
    let config = Config::builder();
    let config = config.auto_add_history(false).completion_type(CompletionType::List).build();
    let mut editor: Editor<Completion, MemHistory> =
        Editor::with_history(config, MemHistory::new()).map_err(failed)?;
    let (language, graph) = (session.language, session.graph.clone());
    editor.set_helper(Some(Completion {
        target: Rc::clone(&session.target),
        interrupt: session.interrupt.clone(),
        around: RefCell::new(Around { language, graph, before: String::new() }),
    }));
    let file = history::file(|name| std::env::var(name).ok());
    for statement in file.iter().flat_map(|file| history::read(file)) {
        editor.add_history_entry(statement).map_err(failed)?;
    }
    say!("millrace {}: :help lists the commands, Ctrl-D exits", env!("CARGO_PKG_VERSION"));
    session.interrupt.keep_alive();
    let mut new = Vec::new();
    let done = ask(session, &mut editor, &mut new).map_err(failed);
    if let Some(file) = file
        && let Err(error) = history::append(&file, &new)
    {
        eprintln!("millrace: the history was not saved: {}: {error}", file.display());
    }
    done
}

fn ask(
    session: &mut Session,
    editor: &mut Editor<Completion, MemHistory>,
    new: &mut Vec<String>,
) -> Result<(), ReadlineError> {
    let mut statement = Statement::new(session.language, 1);
    loop {
        // As in Neo4j's shell, the prompt of an open transaction ends otherwise.
        let end = if session.is_in_transaction() { '#' } else { '>' };
        let prompt = format!("{}:{}{end} ", session.graph, session.language.name());
        let shown = match statement.is_empty() {
            true => prompt,
            false => format!("{}> ", ".".repeat(prompt.chars().count().saturating_sub(2))),
        };
        if let Some(helper) = editor.helper() {
            let (language, graph) = (session.language, session.graph.clone());
            let before = statement.text().to_owned();
            *helper.around.borrow_mut() = Around { language, graph, before };
        }
        let line = match editor.readline(&shown) {
            Ok(line) => line,
            Err(ReadlineError::Eof) => return Ok(()),
            Err(ReadlineError::Interrupted) => {
                // What was typed is dropped, the shell goes on.
                statement = Statement::new(session.language, 1);
                continue;
            }
            Err(error) => return Err(error),
        };
        // Pasted lines of Cypher may be a script with commands; those of another language are one statement.
        let pieces = match session.language.name() {
            "cypher" => line.split('\n').collect(),
            _ => vec![line.as_str()],
        };
        for piece in pieces {
            if !take(piece, &mut statement, session, (editor, new))? {
                return Ok(());
            }
        }
    }
}

/// Takes what was typed: a command, or more of a statement. Whether the shell goes on.
fn take(
    line: &str,
    statement: &mut Statement,
    session: &mut Session,
    (editor, new): (&mut Editor<Completion, MemHistory>, &mut Vec<String>),
) -> Result<bool, ReadlineError> {
    let is_interrupted = statement.is_ended_by(line);
    if is_interrupted {
        eprintln!("the statement before it was unfinished, and was not run");
        keep(statement.text(), editor, new)?;
    }
    if is_interrupted || statement.is_empty() && commands::is_command(line, session.language) {
        let step = session.command(line);
        *statement = Statement::new(session.language, 1);
        return done(line, step, editor, new);
    }
    let mut whole = statement.add_lines(line);
    if line.trim().is_empty() && statement.ends_at_blank_line() {
        whole.push(std::mem::replace(statement, Statement::new(session.language, 1)));
    }
    for statement in whole {
        let text = statement.text().trim_end();
        if !done(text, session.run(text), editor, new)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Shows what came of a text, and keeps it. Whether the shell goes on.
fn done(
    text: &str,
    step: Result<Step, Error>,
    editor: &mut Editor<Completion, MemHistory>,
    new: &mut Vec<String>,
) -> Result<bool, ReadlineError> {
    match step {
        Ok(Step::Quit) => return Ok(false),
        Ok(Step::Print(shown)) => say::text(&shown),
        Err(error) => eprintln!("{}", caret::shown(text, &error)),
    }
    keep(text, editor, new)?;
    Ok(true)
}

fn keep(
    text: &str,
    editor: &mut Editor<Completion, MemHistory>,
    new: &mut Vec<String>,
) -> Result<(), ReadlineError> {
    let text = text.trim();
    if new.last().is_none_or(|last| last != text) {
        editor.add_history_entry(text)?;
        new.push(text.to_owned());
    }
    Ok(())
}
