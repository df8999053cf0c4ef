//! A password from the user of the program: twice from a terminal, which does not show it, or a line of
//! standard input.
//!
//! While it is typed the terminal is read byte by byte, and Ctrl-C and Backspace are handled here, so
//! that the terminal is put back whatever happens.

use std::io::{self, BufRead, IsTerminal, Read, Write, stderr, stdin};

use millrace_model::{Error, ErrorKind, Result};
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};

const CTRL_C: u8 = 3;
const CTRL_D: u8 = 4;
const BACKSPACE: u8 = 8;
const CTRL_U: u8 = 21;
const DELETE: u8 = 127;

/// Bytes of a line that are read: longer than any password may be.
const LINE_BYTES_MAX: u64 = 64 << 10;

/// The password for a user.
pub(super) fn read(user: &str) -> Result<String> {
    if !stdin().is_terminal() {
        return of_line(&mut stdin().lock());
    }
    let first = ask(&format!("password for {user}: "))?;
    let second = ask("repeat the password: ")?;
    if first != second {
        let error = Error::new(ErrorKind::BadInput, "the two passwords differ");
        return Err(error.with_help("the password was not changed: try again"));
    }
    Ok(first)
}

/// The first line of piped input.
fn of_line(input: &mut impl BufRead) -> Result<String> {
    let mut line = Vec::new();
    let read = input.take(LINE_BYTES_MAX).read_until(b'\n', &mut line);
    read.map_err(|error| failed(&error))?;
    let line = line.strip_suffix(b"\n").unwrap_or(&line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    of_bytes(line.to_vec())
}

fn of_bytes(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes)
        .map_err(|_| Error::new(ErrorKind::BadInput, "the password is not UTF-8"))
}

/// Asks on standard error, so that the prompt is no part of the command's output.
fn ask(prompt: &str) -> Result<String> {
    let refused = |error: io::Error| failed(&error);
    let mut error = stderr();
    write!(error, "{prompt}").and_then(|()| error.flush()).map_err(refused)?;
    let hidden = Hidden::begin().map_err(refused)?;
    let typed = typed(&mut stdin().lock().bytes());
    drop(hidden);
    writeln!(error).map_err(refused)?;
    of_bytes(typed?)
}

fn failed(error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("the password could not be read: {error}"))
}

/// A terminal that shows nothing and sends each byte; dropped, it is as it was.
struct Hidden(Termios);

impl Hidden {
    fn begin() -> io::Result<Hidden> {
        let before = tcgetattr(stdin())?;
        let mut now = before.clone();
        now.local_modes -= LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG;
        now.special_codes[SpecialCodeIndex::VMIN] = 1;
        now.special_codes[SpecialCodeIndex::VTIME] = 0;
        // Characters typed before were echoed, so they are dropped.
        tcsetattr(stdin(), OptionalActions::Flush, &now)?;
        Ok(Hidden(before))
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        // Where the terminal is gone there is nothing to put back.
        let _gone = tcsetattr(stdin(), OptionalActions::Now, &self.0);
    }
}

/// The bytes of a line that is typed.
fn typed(bytes: &mut dyn Iterator<Item = io::Result<u8>>) -> Result<Vec<u8>> {
    let mut line = Vec::new();
    for byte in bytes {
        match byte.map_err(|error| failed(&error))? {
            b'\n' | b'\r' => return Ok(line),
            CTRL_D if !line.is_empty() => return Ok(line),
            CTRL_C | CTRL_D => break,
            CTRL_U => line.clear(),
            BACKSPACE | DELETE => {
                // A character may be several bytes.
                while line.pop().is_some_and(|byte| byte & 0xc0 == 0x80) {}
            }
            byte => line.push(byte),
        }
    }
    Err(Error::new(ErrorKind::Cancelled, "no password was given; the file was not changed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_in(keys: &[u8]) -> Option<String> {
        let mut bytes = keys.iter().map(|byte| Ok(*byte));
        typed(&mut bytes).ok().map(|line| String::from_utf8(line).unwrap())
    }

    #[test]
    fn keys_edit_a_password_as_on_a_terminal() {
        assert_eq!(type_in(b"secret\nmore").as_deref(), Some("secret"));
        assert_eq!(type_in(b"secret\x04").as_deref(), Some("secret"));
        assert_eq!(type_in("mäx\x7f\x7fu\x08\x08ay\r".as_bytes()).as_deref(), Some("ay"));
        assert_eq!(type_in(b"all wrong\x15right\n").as_deref(), Some("right"));
        for given_up in [&b"sec\x03ret\n"[..], b"\x04", b"", b"no line end"] {
            assert_eq!(type_in(given_up), None, "{given_up:?}");
        }
    }

    #[test]
    fn a_line_of_standard_input_is_a_password() {
        for (input, password) in [
            (&b"a b\n"[..], Some("a b")),
            (b"a\r\nb\n", Some("a")),
            (b"a", Some("a")),
            (b"\xff\n", None),
        ] {
            let mut input = input;
            assert_eq!(of_line(&mut input).ok().as_deref(), password);
        }
    }
}
