//! The shell's commands: one row each, from which `:help` and the reference page are made.

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Format,
    Graph,
    Help,
    Profile,
    Quit,
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
pub(crate) const COMMANDS: [Command; 7] = [
    command("format", "table|json|csv", "shows results in another form", Action::Format),
    command("graph", "[NAME]", "asks another graph; without a name, lists them", Action::Graph),
    command("help", "", "lists the commands", Action::Help),
    command(
        "profile",
        "[TRAVERSAL]",
        "runs a traversal of Gremlin, or the last one again, and shows the profile of its steps",
        Action::Profile,
    ),
    command("quit", "", "ends the shell, as Ctrl-D does", Action::Quit),
    command(
        "schema",
        "",
        "shows the labels and edge types of the graph, how many there are, and declared properties",
        Action::Schema,
    ),
    command(
        "use",
        "LANGUAGE",
        "asks in another language: gremlin, gremlin-lang, cypher or lua",
        Action::Use,
    ),
];

/// The command of a line that begins with a colon, and its argument.
pub(crate) fn find(line: &str) -> Option<(&'static Command, &str)> {
    let line = line.trim().strip_prefix(':')?;
    let (name, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let found = COMMANDS.iter().find(|command| command.name == name)?;
    Some((found, argument.trim()))
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
        "\nA statement goes on while a bracket, a quote or a block is open, behind `\\` or `.`, and in Lua\n\
         behind a `local` or a block; a blank line or `;` ends it, in Cypher only `;`. Ctrl-C cancels what runs,\n\
         Ctrl-D ends.\n",
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
        "\nEvery other line is a part of a statement, in the language of `:use`. A statement goes on while a\n\
         bracket, a quote, a comment or a block of Lua is open, behind a line that ends with `\\` or `.`, in Lua\n\
         behind a line of `local` or a block, and, where the shell reads no terminal, before a line of Gremlin that begins\n\
         with `.`. A blank line or `;` at the end of a line ends it; on a terminal a blank line ends it whatever is open. A\n\
         statement of Cypher ends at its `;`, also within a line, and nowhere else: scripts may be pasted as they are.\n\n\
         `-c TEXT` runs a text and ends. Without a terminal the shell reads statements from standard input and\n\
         writes JSON, one line for each statement. The first statement that fails ends it with an exit code\n\
         that is not 0, and its error on standard error begins with the place: `-c:1:3: …`, `stdin:7: …`.\n\n\
         Tables show 1,000 rows and 80 columns of text of each value; JSON and CSV show all. Statements are kept\n\
         in `millrace/history` under `$XDG_STATE_HOME`, or `~/.local/state`, the last 1,000.\n",
    );
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_sorted_and_found_with_their_argument() {
        assert!(COMMANDS.is_sorted_by_key(|command| command.name));
        let (found, argument) = find("  :use  lua ").unwrap();
        assert_eq!((found.action, argument), (Action::Use, "lua"));
        assert!(find(":nope").is_none() && find("use").is_none());
        for command in &COMMANDS {
            assert!(help().contains(command.help) && reference_page().contains(command.help));
        }
    }
}
