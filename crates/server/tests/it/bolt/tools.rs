//! Tools of Neo4j against the server, as their users start them. They are in `tests/bolt/tools`; their runtimes come from
//! `cargo xtask runtimes`.

use std::fmt::Write;
use std::process::{Command, Stdio};

use millrace_db::Database;
use millrace_testkit::{require, runtime, workspace};

use crate::client::{settings, start_speaking, start_speaking_with_ann};

#[test]
fn cypher_shell_5_runs_a_script_of_commands_and_statements() {
    let name = "cypher-shell-5.26.0";
    let folder = runtime(name);
    if !require(&format!("{name} (cargo xtask runtimes)"), folder.is_some()) {
        return;
    }
    let folder = folder.expect("required above");
    let shell = |address: String| {
        let mut command = Command::new("java");
        command.arg("-cp").arg(folder.join("lib/*")).arg("org.neo4j.shell.Main");
        command.args(["--format", "plain", "--fail-at-end", "-a"]).arg(format!("bolt://{address}"));
        command.stdin(Stdio::null());
        command
    };
    let database = Database::in_memory(settings()).expect("a database in memory opens");
    let server = start_speaking(database, "cypher");
    let tools = workspace().join("tests/bolt/tools/cypher-shell");
    let mut command = shell(server.bolt.to_string());
    let output = command.arg("-f").arg(tools.join("script.cypher")).output().expect("java runs");
    let mut shown = String::new();
    for (stream, text) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        writeln!(shown, "# {stream}").expect("a text");
        let text = String::from_utf8_lossy(text);
        // Times differ from run to run.
        for line in text.lines().filter(|line| !line.starts_with("Time: ")) {
            writeln!(shown, "{line}").expect("a text");
        }
    }
    let file = tools.join("output.txt");
    if std::env::var("MILLRACE_REWRITE_GOLDENS").is_ok_and(|value| value == "1") {
        std::fs::write(&file, &shown).expect("the tree is writable");
    }
    let wanted = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(shown, wanted, "{}: MILLRACE_REWRITE_GOLDENS=1 mends it", file.display());
    let server = start_speaking_with_ann("cypher");
    for (password, is_right) in [("secret", true), ("wrong", false)] {
        let mut command = shell(server.bolt.to_string());
        let output = command.args(["-u", "ann", "-p", password, "RETURN 1 AS one"]).output();
        let output = output.expect("java runs");
        assert_eq!(output.status.success(), is_right, "{output:?}");
    }
}
