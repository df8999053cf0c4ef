//! A component's process with all that it starts: one group, found again by the number in a file, and ended as one.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::process;

/// A machine that is busy otherwise needs minutes.
const START_MAX: Duration = Duration::from_secs(300);
const STOP_MAX: Duration = Duration::from_secs(30);
pub(super) const PAUSE: Duration = Duration::from_millis(200);

/// How often in a row the process may be missing before it has ended.
const ABSENT_MAX: u32 = 5;

/// Lines of its output that an error shows.
const LOG_LINES: usize = 20;

/// A group.
pub(super) struct Group {
    /// As messages call it.
    pub(super) name: &'static str,
    /// The file with the number of its first process.
    pub(super) pid_file: PathBuf,
    /// Where its output goes.
    pub(super) log: PathBuf,
    /// Words of which its command has one: another process may have its number by now.
    pub(super) words: &'static [&'static str],
}

impl Group {
    /// Starts a command as the first process of the group.
    pub(super) fn start(&self, command: &mut Command) -> Result<(), String> {
        let at = |error: std::io::Error| format!("{}: {error}", self.log.display());
        let output = fs::File::create(&self.log).map_err(at)?;
        let errors = output.try_clone().map_err(at)?;
        command.stdin(Stdio::null()).stdout(output).stderr(errors).process_group(0);
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", self.name))?;
        let pid = child.id().to_string();
        // A process that has ended stays in its group until its parent, if that still runs, has heard of it.
        std::thread::spawn(move || child.wait());
        fs::write(&self.pid_file, pid)
            .map_err(|error| format!("{}: {error}", self.pid_file.display()))
    }

    /// Its number, while it runs.
    pub(super) fn running(&self) -> Option<u32> {
        let pid: u32 = fs::read_to_string(&self.pid_file).ok()?.trim().parse().ok()?;
        let command = fs::read_to_string(format!("/proc/{pid}/cmdline")).ok()?;
        self.words.iter().any(|word| command.contains(word)).then_some(pid)
    }

    /// Waits until it answers. An end before that is an error, with the end of its output.
    pub(super) fn wait_until(&self, answers: impl Fn() -> bool) -> Result<(), String> {
        let until = Instant::now() + START_MAX;
        let mut absent = 0;
        while !answers() {
            // A process that begins another program has no command for a moment.
            absent = if self.running().is_none() { absent + 1 } else { 0 };
            if absent == ABSENT_MAX || until <= Instant::now() {
                let text = fs::read_to_string(&self.log).unwrap_or_default();
                let lines: Vec<&str> = text.lines().collect();
                let last = lines[lines.len().saturating_sub(LOG_LINES)..].join("\n");
                let (name, log) = (self.name, self.log.display());
                return Err(format!("{name} does not answer; the end of {log}:\n{last}"));
            }
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// Sends a signal to all of it, and waits until none is left.
    pub(super) fn stop(&self, signal: &str) -> Result<(), String> {
        let Some(pid) = self.running() else { return Ok(()) };
        let send = |signal: &str| {
            let mut command = Command::new("kill");
            command.args([signal, "--", &format!("-{pid}")]);
            process::succeeds(command)
        };
        send(signal);
        let until = Instant::now() + STOP_MAX;
        // The group is gone once none of it can be signalled.
        while send("-0") {
            if until <= Instant::now() {
                send("-KILL");
            }
            std::thread::sleep(PAUSE);
        }
        fs::remove_file(&self.pid_file)
            .map_err(|error| format!("{}: {error}", self.pid_file.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(folder: &tempfile::TempDir, words: &'static [&'static str]) -> Group {
        let [pid_file, log] = ["pid", "log"].map(|name| folder.path().join(name));
        Group { name: "it", pid_file, log, words }
    }

    #[test]
    fn a_group_is_found_by_its_file_and_ends_with_all_that_it_started() {
        let folder = tempfile::tempdir().unwrap();
        let group = group(&folder, &["sleep 61"]);
        group.start(Command::new("sh").args(["-c", "sleep 61 & sleep 61; true"])).unwrap();
        // The command of a process that has just begun its program may be missing for a moment.
        group.wait_until(|| group.running().is_some()).unwrap();
        group.stop("-KILL").unwrap();
        assert_eq!((group.running(), group.pid_file.exists()), (None, false));
        assert_eq!(group.stop("-KILL"), Ok(()), "there is nothing to stop");
    }

    #[test]
    fn a_process_that_ends_is_an_error_with_the_end_of_its_output() {
        let folder = tempfile::tempdir().unwrap();
        let group = group(&folder, &["no room"]);
        group.start(Command::new("sh").args(["-c", "echo no room >&2; exit 3"])).unwrap();
        let error = group.wait_until(|| false).unwrap_err();
        assert!(error.starts_with("it does not answer") && error.ends_with("no room"), "{error}");
    }
}
