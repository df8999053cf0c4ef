//! Who may connect: names and passwords from a file, read once at the start.
//!
//! What a reader would get wrong: there are no rights beyond being let in, and no encryption; a password
//! crosses the network as its protocol sends it.

use std::collections::HashMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::{fs, io};

use axum::http::{HeaderMap, HeaderValue, header};
use millrace_db::Client;
use millrace_db::settings::UserSettings;
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::gremlin::auth::{self, Credentials};

use crate::events;
use crate::listen::peer;
use crate::state::State;

/// Names and passwords.
pub(crate) struct Users(HashMap<String, String>);

impl Users {
    /// Those of the settings; `None` if everybody may connect.
    pub(crate) fn of(settings: &UserSettings) -> Result<Option<Users>> {
        match settings.file.as_str() {
            "" => Ok(None),
            file => read(Path::new(file)).map(Some),
        }
    }

    /// Whether somebody is who they say. The time it takes tells nothing of how much of a password is right.
    pub(crate) fn know(&self, credentials: &Credentials) -> bool {
        let Credentials { user, password } = credentials;
        let known = self.0.get(user);
        let expected = known.map_or("", String::as_str).as_bytes();
        let mut differs = expected.len() ^ password.len();
        for (place, byte) in password.bytes().enumerate() {
            let own = expected.get(place).copied().unwrap_or(0);
            differs |= usize::from(own ^ byte);
        }
        known.is_some() && differs == 0
    }
}

/// Refuses who is not who they say.
pub(crate) fn check(state: &State, credentials: &Credentials, client: Client) -> Result<()> {
    match &state.users {
        Some(users) if !users.know(credentials) => {
            let user = users.0.get_key_value(&credentials.user).map(|(name, _)| name.as_str());
            events::refused_login(peer(client), user);
            // Neither which of the two is wrong, nor whether the name is known.
            Err(Error::new(ErrorKind::Forbidden, "the name or the password is wrong"))
        }
        _ => Ok(()),
    }
}

/// Refuses a request of HTTP whose headers do not say who asks, where that is wanted.
pub(crate) fn log_in(state: &State, headers: &HeaderMap, client: Client) -> Result<()> {
    if state.users.is_none() {
        return Ok(());
    }
    let header = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let header = header.ok_or_else(|| {
        let error = Error::new(ErrorKind::Forbidden, "a name and a password are wanted");
        error.with_help("send the header Authorization: Basic …")
    })?;
    check(state, &auth::basic(header)?, client)
}

/// Asks for them, in the headers of an answer.
pub(crate) fn ask(headers: &mut HeaderMap) {
    let ask = HeaderValue::from_static("Basic realm=\"millrace\"");
    headers.insert(header::WWW_AUTHENTICATE, ask);
}

fn read(file: &Path) -> Result<Users> {
    let bad = |detail: String| {
        Error::new(ErrorKind::BadInput, format!("users.file {}: {detail}", file.display()))
    };
    let failed = |error: io::Error| bad(error.to_string());
    let mode = fs::metadata(file).map_err(failed)?.permissions().mode();
    if mode & 0o077 != 0 {
        let help = format!("chmod 600 {}", file.display());
        return Err(bad("others may read it or write to it".to_owned()).with_help(help));
    }
    let text = fs::read_to_string(file).map_err(failed)?;
    let mut users = HashMap::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() || text.starts_with('#') {
            continue;
        }
        match text.split_once(':') {
            Some((user, password)) if !user.is_empty() && !password.is_empty() => {
                if users.insert(user.to_owned(), password.to_owned()).is_some() {
                    return Err(bad(format!("line {line}: `{user}` stands here again")));
                }
            }
            _ => return Err(bad(format!("line {line} is not name:password"))),
        }
    }
    if users.is_empty() {
        return Err(bad("names nobody, so nobody could connect".to_owned()));
    }
    Ok(Users(users))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, mode: u32) -> Result<Option<Users>> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("users");
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        Users::of(&UserSettings { file: file.to_str().unwrap().to_owned() })
    }

    #[test]
    fn who_stands_in_the_file_is_known_by_the_whole_password() {
        let users = of("# us\nann:a:b\n\nbob:c\n", 0o600).unwrap().unwrap();
        let knows = |user: &str, password: &str| {
            users.know(&Credentials { user: user.to_owned(), password: password.to_owned() })
        };
        assert!(knows("ann", "a:b") && knows("bob", "c"));
        for (user, password) in
            [("ann", "a"), ("ann", "a:bc"), ("ann", ""), ("eve", ""), ("eve", "c")]
        {
            assert!(!knows(user, password), "{user} {password}");
        }
    }

    #[test]
    fn a_file_that_says_nothing_clear_is_refused() {
        assert!(of("ann:a", 0o644).err().is_some_and(|error| error.to_string().contains("chmod")));
        for (text, word) in
            [("ann", "line 1"), ("a:b\na:c", "line 2"), ("#", "nobody"), (":x", "line 1")]
        {
            let refused = of(text, 0o600).err().map(|error| error.to_string());
            assert!(refused.as_ref().is_some_and(|text| text.contains(word)), "{refused:?}");
        }
        assert!(Users::of(&UserSettings { file: "/nowhere/at all".to_owned() }).is_err());
        assert!(Users::of(&UserSettings::default()).is_ok_and(|users| users.is_none()));
    }
}
