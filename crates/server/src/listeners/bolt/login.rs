//! Logins: the scheme, the name and the password of a client.

use millrace_model::{Error, ErrorKind};
use millrace_wire::bolt::errors::{AUTHENTICATION_RATE_LIMIT, UNAUTHORIZED};
use millrace_wire::bolt::{Auth, Failure};
use millrace_wire::gremlin::auth::Credentials;
use millrace_wire::gremlin::status;

use crate::connections::Peer;
use crate::state::State;

/// Checks a login. Where there are no users, any passes that has no scheme of its own.
pub(super) async fn check(state: &State, auth: &Auth, peer: Peer) -> Result<(), Failure> {
    let scheme = &*auth.scheme;
    match (scheme, state.users.is_some()) {
        ("none" | "basic" | "", false) => Ok(()),
        ("basic", true) => {
            let credentials = Credentials {
                user: auth.principal.to_string(),
                password: auth.credentials.to_string(),
            };
            let checked = state.check_login(credentials, peer).await;
            checked.map_err(|refused| match refused.code() {
                status::UNAUTHORIZED => Failure::new(UNAUTHORIZED, refused.error.to_string()),
                status::TOO_MANY_REQUESTS => {
                    Failure::new(AUTHENTICATION_RATE_LIMIT, refused.error.to_string())
                }
                _ => Failure::of(&refused.error),
            })
        }
        ("none" | "", true) => {
            Err(Failure::new(UNAUTHORIZED, "a name and a password are needed (use basic)"))
        }
        (other, _) => {
            let shown: String = other.chars().take(20).collect();
            let detail = format!("the scheme `{}` is not supported", shown.escape_debug());
            let error = Error::new(ErrorKind::Unsupported, detail).with_help("use basic");
            Err(Failure::new(UNAUTHORIZED, error.to_string()))
        }
    }
}
