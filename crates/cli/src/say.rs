//! Standard output: the result of a command.
//!
//! A reader that goes away (`millrace inspect | head`, a script that has seen the address of a server)
//! is no reason to stop. An output that cannot be written for another reason, such as a full disk, is
//! reported once; the command goes on, because a server must, and ends as one that failed.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

static IS_LOST: AtomicBool = AtomicBool::new(false);

/// Writes a line to standard output, as `println!` does.
macro_rules! say {
    ($($words:tt)*) => { $crate::say::line(format_args!($($words)*)) };
}

pub(crate) use say;

/// Writes a line, and sends it on: a program behind a pipe may wait for it.
pub(crate) fn line(words: Arguments<'_>) {
    write(format_args!("{words}\n"));
}

/// Writes a text that has its own line ends.
pub(crate) fn text(words: &str) {
    write(format_args!("{words}"));
}

/// Whether some output could not be written, other than to a reader that had gone.
pub(crate) fn is_lost() -> bool {
    IS_LOST.load(Ordering::Relaxed)
}

fn write(words: Arguments<'_>) {
    let mut output = stdout().lock();
    match output.write_fmt(words).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            if !IS_LOST.swap(true, Ordering::Relaxed) {
                eprintln!("millrace: cannot write to standard output: {error}");
            }
        }
        Ok(()) | Err(_) => {}
    }
}
