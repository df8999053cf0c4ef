//! The workshop: `cargo xtask COMMAND`, the same on a desk and in CI.
//!
//! Each command is one line of [`COMMANDS`]. Standard error carries progress, the exit status the
//! answer; a command, option or test that does not exist is refused by its name.
//!
//! ```text
//!   stages                                                       check and test
//!   compare, components, fuzz, package, tidy, … a module each    the other commands
//!   runtimes, chromium                                           what tests need beside the toolchain
//!   workspace, process, arguments
//! ```
//!
//! A module imports from those below it only: the list is in `arrows.toml`, and `cargo xtask tidy` checks it.

mod arguments;
mod chromium;
mod compare;
mod components;
mod fuzz;
mod named_test;
mod package;
mod process;
mod runtimes;
mod stages;
mod suite_files;
mod tck;
mod tidy;
mod workspace;

use std::process::ExitCode;

use arguments::Arguments;
use workspace::Workspace;

struct Command {
    name: &'static str,
    options: &'static str,
    about: &'static str,
    run: fn(&Workspace, Arguments) -> Result<(), String>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "check",
        options: "[--only STAGE] [--list]",
        about: "format, clippy, docs and tidy: what every commit passes",
        run: stages::check,
    },
    Command {
        name: "compare",
        options: "[--runs N] [--seconds S] [--scale F] [--only NAME,…] [--lsqb | --paths | --scan [--json FILE] | --films [--json FILE]] [--program FILE] [--out FILE]",
        about: "measure other graph databases and Millrace in turn; writes docs/benchmarks.md",
        run: compare::run,
    },
    Command {
        name: "components",
        options: "NAME [--stop | --kill | --wipe] [--port P] [--home FOLDER]",
        about: "a server that tests talk to (dgraph, rabbitmq), started here; says the variables that name it",
        run: components::run,
    },
    Command {
        name: "dql",
        options: "[--url URL [--zero URL]]",
        about: "replay Dgraph's query tests over HTTP, on a server of its own or on the one at URL, which is emptied",
        run: named_test::dql,
    },
    Command {
        name: "fuzz",
        options: "--seconds N [--target NAME]",
        about: "run the readers of files under libFuzzer, N seconds each",
        run: fuzz::run,
    },
    Command {
        name: "model",
        options: "[--preemptions N]",
        about: "run the embedded store's models in every order of up to N preemptions",
        run: named_test::model,
    },
    Command {
        name: "neo4j",
        options: "[--port N]",
        about: "an empty Neo4j (Maven) at port 7474 until it is interrupted, for millrace bench scaling-writes --url",
        run: compare::neo4j,
    },
    Command {
        name: "notices",
        options: "[--to FILE]",
        about: "the licences of all packages that are in the program, as the release packages have them",
        run: package::notices::run,
    },
    Command {
        name: "package",
        options: "[--program FILE] [--try]",
        about: "a tarball and a Debian package of the program, into target/package; --try runs both in a bare chroot",
        run: package::run,
    },
    Command {
        name: "runtimes",
        options: "[--only NAME,…]",
        about: "what tests with foreign drivers run in (pip, npm, Maven), into target; once",
        run: runtimes::run,
    },
    Command {
        name: "simulate",
        options: "--seeds N [--from K] [--jobs J]",
        about: "run the embedded store's simulator over N seeds",
        run: named_test::simulate,
    },
    Command {
        name: "soak",
        options: "[--rounds N] [--disk-rounds D] [--dql-minutes L] [--minutes M]",
        about: "kill the real program under write load, on a disk that fills up, and under workloads in DQL; then everything at once",
        run: named_test::soak,
    },
    Command {
        name: "suite-files",
        options: "",
        about: "fetch what tests against foreign suites read (Maven), into target",
        run: suite_files::run,
    },
    Command {
        name: "suite-graphs",
        options: "",
        about: "the graphs of TinkerPop's suite as GraphSON 3, for millrace load, into target",
        run: suite_files::graphs,
    },
    Command {
        name: "tck",
        options: "[--release] [--folder NAME] [--scenario TEXT] [--url URL] [--verbose] [--record] [--help]",
        about: "run openCypher's scenarios over Bolt, by folder, against the list of known failures",
        run: tck::run,
    },
    Command {
        name: "test",
        options: "[--only STAGE] [--list]",
        about: "check, then every test: what CI runs",
        run: stages::test,
    },
    Command {
        name: "tidy",
        options: "[--record]",
        about: "arrows between crates, ratchets; --record keeps better numbers",
        run: tidy::run,
    },
];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprintln!("{}", usage(&name));
        return ExitCode::from(2);
    };
    let outcome = Workspace::of_this_program()
        .and_then(|workspace| (command.run)(&workspace, Arguments::new(words)));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {name}: {message}");
            ExitCode::FAILURE
        }
    }
}

fn usage(name: &str) -> String {
    let mut text = match name {
        "" | "help" | "--help" | "-h" => String::new(),
        unknown => format!("xtask has no command `{unknown}`\n\n"),
    };
    text.push_str("cargo xtask COMMAND\n");
    for Command { name, options, about, .. } in COMMANDS {
        text.push_str(&format!("  {:34}  {about}\n", format!("{name} {options}")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_sorted_and_all_in_the_usage() {
        assert!(COMMANDS.is_sorted_by_key(|command| command.name));
        let text = usage("polish");
        assert!(text.starts_with("xtask has no command `polish`"));
        assert!(COMMANDS.iter().all(|command| text.contains(command.about)));
    }
}
