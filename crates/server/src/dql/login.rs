//! Logins, and the users of requests: by a token, or by a name and a password as on every listener.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, header};
use millrace_model::{Error, ErrorKind};
use millrace_wire::dql::{Jwt, LoginRequest, NO_TOKEN, TOKEN_EXPIRED, WRONG_LOGIN};
use millrace_wire::gremlin::auth::{self, Credentials};

use super::namespaces::no_namespace;
use super::{Dql, User};
use crate::connections::Peer;
use crate::users::{self, BadToken, Use};

/// The token of a request over HTTP.
const TOKEN_HEADER: HeaderName = HeaderName::from_static("x-dgraph-accesstoken");

/// The token of a call over gRPC.
const TOKEN_METADATA: HeaderName = HeaderName::from_static("accessjwt");

/// A login, or a request without one, that is refused.
pub(crate) struct Denied {
    /// What clients read.
    pub(crate) message: String,
    /// Whether the client may not ask at all, or not so soon.
    pub(crate) kind: DeniedKind,
}

/// Why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeniedKind {
    /// The client has to log in, again or first.
    LogIn,
    /// Name, password or token are wrong.
    Wrong,
    /// Not now: too many failed before, or are under way.
    Busy,
}

impl Denied {
    fn new(kind: DeniedKind, message: impl Into<String>) -> Denied {
        Denied { message: message.into(), kind }
    }

    fn of(refused: &users::Refused) -> Denied {
        match refused.status() {
            401 => Denied::new(DeniedKind::Wrong, WRONG_LOGIN),
            _ => Denied::new(DeniedKind::Busy, refused.error.to_string()),
        }
    }
}

impl Dql {
    /// Logs a client in.
    pub(crate) async fn log_in(&self, login: LoginRequest, peer: Peer) -> Result<Jwt, Denied> {
        let LoginRequest { userid, password, refresh_token, namespace } = login;
        let wrong = || Denied::new(DeniedKind::Wrong, WRONG_LOGIN);
        let Some(users) = &self.state.users else { return Err(wrong()) };
        let user = if refresh_token.is_empty() {
            let credentials = Credentials { user: userid.clone(), password };
            self.state.check_login(credentials, peer).await.map_err(|why| Denied::of(&why))?;
            User { name: userid, namespace }
        } else {
            let (name, namespace) =
                users.user_of(&refresh_token, Use::Refresh).map_err(|_| wrong())?;
            User { name, namespace }
        };
        self.check_namespace(&user)?;
        let settings = &self.state.database.settings().dql;
        let access = Duration::from_millis(settings.access_token_ms);
        let refresh = Duration::from_millis(settings.refresh_token_ms);
        users.tokens((&user.name, user.namespace), access, refresh).ok_or_else(wrong)
    }

    fn check_namespace(&self, user: &User) -> Result<(), Denied> {
        let denied = |error: Error| Denied::new(DeniedKind::Wrong, error.to_string());
        match self.has_namespace(user.namespace).map_err(denied)? {
            true => Ok(()),
            false => Err(denied(no_namespace(user.namespace))),
        }
    }

    /// The user of a request. A name with a password is one of namespace 0.
    pub(crate) async fn user(&self, headers: &HeaderMap, peer: Peer) -> Result<User, Denied> {
        let Some(users) = &self.state.users else { return Ok(User::default()) };
        let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let authorization = text(&header::AUTHORIZATION).unwrap_or_default();
        let bearer = authorization.strip_prefix("Bearer ").map(str::trim);
        if let Some(token) = text(&TOKEN_HEADER).or_else(|| text(&TOKEN_METADATA)).or(bearer) {
            let (name, namespace) = users.user_of(token, Use::Access).map_err(|bad| match bad {
                BadToken::Expired => {
                    let message = format!("unable to parse jwt token: {TOKEN_EXPIRED}");
                    Denied::new(DeniedKind::LogIn, message)
                }
                BadToken::Foreign => {
                    let message = "unable to parse jwt token: token signature is invalid";
                    Denied::new(DeniedKind::Wrong, message)
                }
            })?;
            let user = User { name, namespace };
            self.check_namespace(&user)?;
            return Ok(user);
        }
        if authorization.is_empty() {
            return Err(Denied::new(DeniedKind::LogIn, NO_TOKEN));
        }
        let credentials = auth::basic(authorization)
            .map_err(|error| Denied::new(DeniedKind::Wrong, error.to_string()))?;
        let name = credentials.user.clone();
        self.state.check_login(credentials, peer).await.map_err(|why| Denied::of(&why))?;
        Ok(User { name, namespace: 0 })
    }
}

impl From<Denied> for Error {
    fn from(denied: Denied) -> Error {
        let kind = match denied.kind {
            DeniedKind::LogIn | DeniedKind::Wrong => ErrorKind::Forbidden,
            DeniedKind::Busy => ErrorKind::Unavailable,
        };
        Error::new(kind, denied.message)
    }
}
