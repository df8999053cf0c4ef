//! The shell's commands: one row each, from which `:help` and the reference page are made.

use millrace_db::languages::Entry;

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Begin,
    Commit,
    Format,
    Graph,
    Help,
    Parameter,
    Parameters,
    Profile,
    Quit,
    RollBack,
    Schema,
    Use,
}

/// A command.
pub(crate) struct Command {
    /// Its name, without the colon.
    pub(crate) name: &'static str,
    /// What may stand behind it.
    pub(crate) arguments: &'static str,
    /// What it does, for `:help`.
    pub(crate) help: &'static str,
    pub(crate) action: Action,
}

const fn command(
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    action: Action,
) -> Command {
    Command { name, arguments, help, action }
}

/// Every command, by name.
pub(crate) const COMMANDS: [Command; 13] = [
    command(
        "begin",
        "",
        "begins a transaction of several statements, in Cypher or Gremlin",
        Action::Begin,
    ),
    command("commit", "", "commits the transaction", Action::Commit),
    command("exit", "", "exits the shell, as :quit does", Action::Quit),
    command("format", "table|json|csv", "changes the format of results", Action::Format),
    command(
        "graph",
        "[NAME]",
        "switches to another graph; without a name, lists the graphs",
        Action::Graph,
    ),
    command("help", "", "lists the commands", Action::Help),
    command(
        "param",
        "[NAME => EXPRESSION|{MAP}|clear]",
        "sets a parameter to the value of a Cypher expression, or those of a map; alone, lists the parameters",
        Action::Parameter,
    ),
    command(
        "params",
        "[{MAP}|clear]",
        "lists the parameters, or replaces them by those of a map",
        Action::Parameters,
    ),
    command(
        "profile",
        "[STATEMENT]",
        "runs a statement of Cypher, Gremlin or DQL, or the last one again, and shows the profile of its operators",
        Action::Profile,
    ),
    command("quit", "", "exits the shell, as Ctrl-D does", Action::Quit),
    command("rollback", "", "rolls the transaction back", Action::RollBack),
    command(
        "schema",
        "[await]",
        "lists the labels and edge types of the graph, with counts and declared properties; `await` does nothing, \
         because indexes are ready when they are created",
        Action::Schema,
    ),
    command(
        "use",
        "LANGUAGE",
        "switches to another language: cypher, gremlin, gremlin-lang or lua",
        Action::Use,
    ),
];

/// Commands that scripts for Neo4j's older shell have without a colon.
const WITHOUT_COLON: [&str; 4] = ["begin", "commit", "rollback", "schema await"];

/// The line of a command, if it is one where a statement could begin: without its colon.
fn line_of(line: &str, language: Entry) -> Option<&str> {
    let line = line.trim();
    if let Some(line) = line.strip_prefix(':') {
        return Some(line);
    }
    let plain = line.trim_end_matches(';').trim_end();
    let is_known = WITHOUT_COLON.iter().any(|known| plain.eq_ignore_ascii_case(known));
    (language.name() == "cypher" && is_known).then_some(plain)
}

/// Whether a line is a command, where a statement could begin.
pub(crate) fn is_command(line: &str, language: Entry) -> bool {
    line_of(line, language).is_some()
}

/// Whether a line can be nothing but a command, although a statement is not whole: one that is known, with a colon. A
/// label may have the name of a command within brackets, but not alone on its line.
pub(crate) fn interrupts(line: &str, is_within: bool) -> bool {
    let Some(rest) = line.trim().strip_prefix(':') else { return false };
    let (name, argument) = split(rest);
    let is_known = COMMANDS.iter().any(|command| command.name == name);
    is_known && (argument.is_empty() || !is_within)
}

/// A name, and what stands behind it; a `;` at its end is none of it.
fn split(line: &str) -> (&str, &str) {
    let end = |letter: char| letter.is_whitespace() || letter == ';' || letter == '{';
    let (name, rest) = line.split_at(line.find(end).unwrap_or(line.len()));
    let rest = rest.trim();
    (name, if rest.trim_matches(';').is_empty() { "" } else { rest })
}

/// The command of a line that is one, and its argument.
pub(crate) fn find(line: &str, language: Entry) -> Option<(&'static Command, &str)> {
    let (name, argument) = split(line_of(line, language)?);
    let found = COMMANDS.iter().find(|command| command.name.eq_ignore_ascii_case(name))?;
    Some((found, argument))
}

/// What `:help` says.
pub(crate) fn help() -> String {
    let shown = |command: &Command| format!(":{} {}", command.name, command.arguments);
    let width = COMMANDS.iter().map(|command| shown(command).len()).max().unwrap_or(0);
    let mut text = String::new();
    for command in &COMMANDS {
        text.push_str(&format!("{:<width$}  {}\n", shown(command), command.help));
    }
    text.push_str(
        "\nA Cypher statement ends at its `;`. In other languages a statement goes on while a bracket, a quote or a block is\n\
         open, after `\\` or `.`, and in Lua after a `local` or a block; a blank line or `;` ends it. Ctrl-C cancels the\n\
         running statement, Ctrl-D exits.\n",
    );
    text
}

/// The reference page, as Markdown.
pub(crate) fn reference_page() -> String {
    let mut page = String::from(
        "# Commands of `millrace shell`\n\n\
         Generated from the table of commands by `millrace shell --list-commands`; do not edit.\n\n\
         | command | description |\n| --- | --- |\n",
    );
    for Command { name, arguments, help, .. } in &COMMANDS {
        let shown = format!(":{name} {arguments}");
        page.push_str(&format!("| `{}` | {help} |\n", shown.trim().replace('|', "\\|")));
    }
    page.push_str(
        "\nEvery other line is part of a statement, in the language of `:use`. A Cypher statement ends at its `;`, also\n\
         within a line, and nowhere else, so scripts can be pasted as they are. In other languages a statement goes on while a\n\
         bracket, a quote, a comment or a block of Lua is open, after a line that ends with `\\` or `.`, in Lua\n\
         after a line with `local` or a block, and, if the input is no terminal, before a line of Gremlin that begins\n\
         with `.`. A blank line or `;` at the end of a line ends it; on a terminal a blank line ends it whatever is open.\n\
         A command after an unfinished statement ends that statement: on a terminal the statement is dropped, with a\n\
         message; elsewhere it is an error.\n\n\
         `-c TEXT` runs statements and exits. Without a terminal the shell reads statements from standard input and\n\
         writes JSON, one line for each statement. It stops at the first statement that fails, with an exit code\n\
         other than 0, and the message on standard error begins with the position: `-c:1:3: …`, `stdin:7: …`.\n\n\
         Tables show 1,000 rows, and 80 columns of text of each value; JSON and CSV show all. In CSV a\n\
         null is an empty field, and an empty text is `\"\"`. In table form a Cypher write reports\n\
         what it changed, and nodes, relationships and paths are shown in Cypher's notation. The last 1,000 statements are kept\n\
         in `millrace/history` under `$XDG_STATE_HOME`, or `~/.local/state`.\n\n\
         ## Parameters and transactions\n\n\
         `:param day => date('2024-02-29')` evaluates a Cypher expression once and sends its value, with its type, as `$day`\n\
         with every statement; `:param {x: 1, y: 'a'}` sets several. In Gremlin and Lua they are variables.\n\n\
         Between `:begin` and `:commit` each statement sees what earlier ones wrote, and other clients see all of it or nothing. An error\n\
         rolls the transaction back, and so do `:rollback`, the end of the shell, and the server's time limit\n\
         (`bolt.transaction-idle-ms`). A script that ends inside a transaction fails. A Lua script is a\n\
         transaction of its own, and `:begin` is refused there.\n\n\
         Scripts that `apoc.export.cypher` writes run as they are, in its formats `cypher-shell`, `plain` and `neo4j-shell`:\n\
         in Cypher the lines `begin`, `commit`, `rollback` and `schema await` need no colon.\n",
    );
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cypher() -> Entry {
        Entry::of_name("cypher").unwrap()
    }

    #[test]
    fn commands_are_sorted_and_found_with_their_argument() {
        assert!(COMMANDS.is_sorted_by_key(|command| command.name));
        let find = |line| find(line, cypher()).map(|(found, argument)| (found.action, argument));
        for (line, action, argument) in [
            ("  :use  lua ", Action::Use, "lua"),
            (":begin;", Action::Begin, ""),
            (":commit ;", Action::Commit, ""),
            (":param{x: 1}", Action::Parameter, "{x: 1}"),
            (":param x => 1;", Action::Parameter, "x => 1;"),
            ("BEGIN", Action::Begin, ""),
            ("commit;", Action::Commit, ""),
            ("schema await", Action::Schema, "await"),
            ("SCHEMA AWAIT;", Action::Schema, "AWAIT"),
        ] {
            assert_eq!(find(line), Some((action, argument)), "{line}");
        }
        assert_eq!((find(":nope"), find("use")), (None, None));
        let gremlin = Entry::of_name("gremlin").unwrap();
        assert!(!is_command("begin", gremlin) && is_command(":begin", gremlin));
        for command in &COMMANDS {
            assert!(help().contains(command.help) && reference_page().contains(command.help));
        }
    }

    #[test]
    fn a_label_is_no_command() {
        for (line, is_within, is_one) in [
            (":commit", true, true),
            ("  :quit;", true, true),
            (":param x => 1", false, true),
            (":param x => 1", true, false),
            (":Person)", true, false),
            (":Person", false, false),
            (":use)", true, false),
            ("commit", false, false),
        ] {
            assert_eq!(interrupts(line, is_within), is_one, "{line}");
        }
    }
}
