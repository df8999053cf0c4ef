//! Running other programs: shown as it happens, or caught as text.
//!
//! A program that cannot be started and one that fails are both errors that show the whole command. Which
//! programs there are never enters here.

use std::process::{Command, Stdio};

/// Runs it with our own standard streams.
pub(crate) fn run(mut command: Command) -> Result<(), String> {
    let shown = show(&command);
    let status = command.status().map_err(|error| format!("{shown}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{shown}` ended with {status}")) }
}

/// Runs it and returns its standard output; its errors go to ours.
pub(crate) fn output(mut command: Command) -> Result<String, String> {
    let shown = show(&command);
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|error| format!("{shown}: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{shown}` ended with {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("`{shown}`: {error}"))
}

/// Whether it can be started and says it is well, in silence.
pub(crate) fn succeeds(mut command: Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

fn show(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(name).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_shows_the_whole_command() {
        let mut command = Command::new("no-such-program-of-millrace");
        command.args(["fmt", "--all"]);
        assert!(!succeeds(Command::new("no-such-program-of-millrace")));
        assert!(run(command).unwrap_err().starts_with("no-such-program-of-millrace fmt --all: "));
    }
}
