//! What does not go together in the settings of a queue.

use lapin::uri::{AMQPScheme, AMQPUri};
use millrace_db::languages::{Entry, Language, Script, Statement, StatementKind};
use millrace_db::settings::Settings;
use millrace_db::settings::measures::Measure;
use millrace_model::{Error, Result};

use super::{Allowed, Form, KeyFrom, QueueKind, QueueSettings, bad};

/// Bytes of a name in AMQP.
const SHORT_STRING_BYTES_MAX: usize = 255;

/// Everything with which a start would not get far.
pub(super) fn faults(queue: &QueueSettings) -> Vec<Error> {
    let mut faults: Vec<Error> = url(queue).err().into_iter().collect();
    let name = &queue.name;
    let mut wrong = |key: &str, what: &str, help: &str| {
        faults.push(bad(format!("queue.{name}.{key} {what}")).with_help(help.to_owned()));
    };
    let names = [
        ("queue", &queue.queue),
        ("exchange", &queue.exchange),
        ("binding", &queue.binding),
        ("dead-letter", &queue.dead_letter.exchange),
        ("dead-letter-key", &queue.dead_letter.key),
    ];
    for (key, text) in names {
        if SHORT_STRING_BYTES_MAX < text.len() {
            wrong(key, "is too long", "a name in AMQP has 255 bytes at most");
        }
    }
    if queue.prefetch < queue.batch_messages {
        let (prefetch, batch) = (queue.prefetch, queue.batch_messages);
        let what = format!("is {prefetch}, and batch-messages is {batch}");
        let help = format!(
            "a batch is complete only if the broker sends as many: set prefetch to {batch} at least, or batch-messages to \
             {prefetch} at most"
        );
        wrong("prefetch", &what, &help);
    }
    let is_bound = !queue.exchange.is_empty();
    if queue.kind == QueueKind::Existing && (is_bound || !queue.binding.is_empty()) {
        wrong(
            "exchange",
            "is set, and declare is none",
            "set declare to durable or quorum, or bind the queue where it is made",
        );
    }
    if queue.kind != QueueKind::Existing && !is_bound && !queue.binding.is_empty() {
        wrong(
            "binding",
            "is set without exchange",
            "every queue is bound to the default exchange by its name",
        );
    }
    if let KeyFrom::Path(path) = &queue.key
        && path.iter().any(String::is_empty)
    {
        let what = format!("is `{}`", path.join("."));
        wrong("key", &what, "write message-id, none, or a path as $.person.id");
    }
    if queue.key_required && queue.key == KeyFrom::None {
        wrong("key-required", "is true, and key is none", "set key to message-id or a path");
    }
    let has_statements = queue.statements_allowed != Allowed::Unset;
    if has_statements && queue.form.is_some_and(|form| form != Form::Requests) {
        let what = "is set, and messages bring no statements";
        wrong("statements-allowed", what, "only the form requests has it");
    }
    match queue.form {
        None => wrong("form", "is not set", "set one of commands, jobs, requests, statement"),
        Some(Form::Statement) => faults.extend(statement(queue).err()),
        Some(form) if !queue.statement.is_empty() => {
            let what = format!("is set, and form is {form:?}").to_lowercase();
            wrong("statement", &what, "only the form statement has one");
        }
        Some(Form::Requests) => faults.extend(requests(queue)),
        Some(Form::Commands | Form::Jobs) => {}
    }
    faults
}

/// Messages that no query could take, or hold.
pub(super) fn over_bounds(queue: &QueueSettings, settings: &Settings) -> Vec<Error> {
    let most = queue.message_bytes_max as u64;
    let readable = |bytes: u64| format!("{bytes} ({})", Measure::Bytes.readable(bytes));
    let bounds =
        [("query.bytes-max", settings.query.bytes_max), ("memory.max", settings.memory.max)];
    // 0 is found by the machine.
    let over = bounds.into_iter().filter(|(_, bytes)| *bytes != 0 && *bytes < most);
    let refused = over.map(|(bound, bytes)| {
        let setting = format!("queue.{}.message-bytes-max", queue.name);
        let (value, bytes) = (readable(most), readable(bytes));
        let detail = format!(
            "{setting} is {value}, and {bound} is {bytes}: no such message could be applied"
        );
        bad(detail).with_help(format!("set {setting} to {bytes} at most, or {bound} to {value}"))
    });
    refused.collect()
}

/// The text of the URL is not repeated: it may have a password.
fn url(queue: &QueueSettings) -> Result<()> {
    let setting = format!("queue.{}.url", queue.name);
    let help = "write amqp://USER:PASSWORD@HOST:PORT/VHOST, with %2f for the host `/`";
    if queue.url.starts_with("amqps:") {
        let error = bad(format!("{setting} is of amqps, which is not supported"));
        return Err(error.with_help("use amqp through a tunnel, or to a broker on this machine"));
    }
    match queue.url.parse::<AMQPUri>() {
        Ok(uri) if uri.scheme == AMQPScheme::AMQP => Ok(()),
        Ok(_) => Err(bad(format!("{setting} is not of amqp")).with_help(help)),
        Err(why) => {
            Err(bad(format!("{setting} is not the address of a broker: {why}")).with_help(help))
        }
    }
}

fn statement(queue: &QueueSettings) -> Result<()> {
    let setting = format!("queue.{}.statement", queue.name);
    if queue.statement.trim().is_empty() {
        let error = bad(format!("{setting} is not set, and form is statement"));
        return Err(error.with_help("write UNWIND $messages AS m CREATE (:Person {name: m.name})"));
    }
    parse(queue, &setting, &queue.statement)
}

fn requests(queue: &QueueSettings) -> Vec<Error> {
    let setting = format!("queue.{}.statements-allowed", queue.name);
    match &queue.statements_allowed {
        Allowed::Any => Vec::new(),
        Allowed::These(texts) if !texts.is_empty() => {
            texts.iter().filter_map(|text| parse(queue, &setting, text).err()).collect()
        }
        Allowed::These(_) | Allowed::Unset => {
            let error = bad(format!("{setting} allows no statement, and form is requests"));
            vec![error.with_help("list the texts that messages may bring, or write any")]
        }
    }
}

/// A text has to be one of its language; whether it finds its labels is known only as it runs.
fn parse(queue: &QueueSettings, setting: &str, text: &str) -> Result<()> {
    let named = |error: Error| {
        let detail = format!("{setting} does not parse as {}: {error}", queue.language);
        Error { detail, position: None, ..error }
    };
    match Entry::of_name(&queue.language)? {
        Entry::Compiled(language) => {
            let script = language.parse(text).map_err(named)?;
            within_transaction(queue, setting, language, &*script)
        }
        Entry::Interpreted(language) => {
            language.check(text).into_iter().next().map_or(Ok(()), |error| Err(named(error)))
        }
    }
}

/// The keys of messages are in the commit of their data, which is one, on the graph of the queue.
fn within_transaction(
    queue: &QueueSettings,
    setting: &str,
    language: &dyn Language,
    script: &dyn Script,
) -> Result<()> {
    let own_names = language.default_graph_names();
    for Statement { kind, graph, .. } in script.statements() {
        match kind {
            StatementKind::Begin | StatementKind::Commit | StatementKind::Rollback => {
                let detail = format!("{setting} begins or ends a transaction");
                let help = "remove that part: a batch of messages is one transaction";
                return Err(bad(detail).with_help(help));
            }
            StatementKind::Query | StatementKind::Explain
                if **graph != *queue.graph && !own_names.contains(&&**graph) =>
            {
                let detail = format!("{setting} names the graph `{graph}`");
                let help = format!("set queue.{}.graph to the graph it is for", queue.name);
                return Err(bad(detail).with_help(help));
            }
            StatementKind::Query | StatementKind::Explain | StatementKind::Value => {}
        }
    }
    Ok(())
}
