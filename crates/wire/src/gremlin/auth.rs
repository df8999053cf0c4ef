//! Credentials: the names and passwords of SASL PLAIN and of HTTP's Basic authentication.
//!
//! No password is checked here, and the error for unreadable credentials never repeats their content.

use std::fmt;

use crate::base64;
use millrace_model::{Error, ErrorKind, Result};

/// A name and a password.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The name.
    pub user: String,
    /// The password.
    pub password: String,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credentials {{ user: {:?}, password: … }}", self.user)
    }
}

/// Reads the response of SASL PLAIN: an identity to act as, the name and the password, NUL between
/// them. To act as another identity is refused.
pub fn plain(response: &[u8]) -> Result<Credentials> {
    let text = std::str::from_utf8(response).map_err(|_| bad("is not UTF-8"))?;
    let parts: Vec<&str> = text.split('\0').collect();
    let [identity, user, password] = parts.as_slice() else {
        return Err(bad("is not NUL, name, NUL, password"));
    };
    if !identity.is_empty() && identity != user {
        return Err(bad("requests another authorization identity"));
    }
    credentials(user, password)
}

/// Reads the header `Authorization: Basic …`.
pub fn basic(header: &str) -> Result<Credentials> {
    let (scheme, encoded) = header.trim().split_once(' ').unwrap_or((header, ""));
    if !scheme.eq_ignore_ascii_case("basic") {
        return Err(bad("is not of the kind Basic"));
    }
    let bytes = base64::decode(encoded.trim()).ok_or_else(|| bad("is not base64"))?;
    let text = String::from_utf8(bytes).map_err(|_| bad("is not UTF-8"))?;
    let (user, password) = text.split_once(':').ok_or_else(|| bad("is not name:password"))?;
    credentials(user, password)
}

fn credentials(user: &str, password: &str) -> Result<Credentials> {
    if user.is_empty() {
        return Err(bad("has no name"));
    }
    Ok(Credentials { user: user.to_owned(), password: password.to_owned() })
}

fn bad(what: &str) -> Error {
    Error::new(ErrorKind::BadInput, format!("the login {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_is_a_name_and_a_password() {
        let found = plain(b"\0stephen\0pass word").expect("three parts");
        assert_eq!((found.user.as_str(), found.password.as_str()), ("stephen", "pass word"));
        assert_eq!(plain(b"ann\0ann\0x").map(|found| found.user).as_deref(), Ok("ann"));
        for bad in [&b""[..], b"\0a", b"root\0ann\0x", b"\0\0x", b"\0a\0b\0c", b"\0\xff\0x"] {
            assert!(plain(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn basic_is_a_name_a_colon_and_a_password() {
        let found = basic("Basic c3RlcGhlbjpwYTpzcw==").expect("a name");
        assert_eq!((found.user.as_str(), found.password.as_str()), ("stephen", "pa:ss"));
        assert_eq!(format!("{found:?}"), "Credentials { user: \"stephen\", password: … }");
        for bad in ["", "Basic", "Bearer abc", "Basic !", "Basic c3RlcGhlbg==", "Basic Onh4"] {
            assert!(basic(bad).is_err(), "{bad}");
        }
    }
}
