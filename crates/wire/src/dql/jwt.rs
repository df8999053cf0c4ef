//! Tokens of a login, as JWT (RFC 7519): three texts of base64 with points between them. Signing is for the server.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

/// The only header: no token chooses how it is judged.
const HEADER: &str = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";

/// Bytes of a token.
const TOKEN_BYTES_MAX: usize = 4 << 10;

/// What a token says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The user.
    pub userid: String,
    /// The namespace.
    pub namespace: u64,
    /// Groups, as clients may show them: there are none.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Until when it is good, in seconds since 1970.
    pub exp: u64,
    /// Whether it renews a login, and does nothing else.
    #[serde(default)]
    pub refresh: bool,
}

/// A token that was read, and not judged yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnverifiedToken<'t> {
    /// What is signed.
    pub signed: &'t str,
    /// What it says.
    pub claims: Claims,
    /// The signature.
    pub signature: Vec<u8>,
}

impl Claims {
    /// The text that is signed.
    pub fn signed_text(&self) -> String {
        let claims = serde_json::to_vec(self).unwrap_or_default();
        let (header, claims) = (URL_SAFE_NO_PAD.encode(HEADER), URL_SAFE_NO_PAD.encode(claims));
        format!("{header}.{claims}")
    }
}

/// A token of a text and its signature.
pub fn token(signed: &str, signature: &[u8]) -> String {
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// Reads a token; `None` if it is none of this kind.
pub fn unverified(token: &str) -> Option<UnverifiedToken<'_>> {
    if TOKEN_BYTES_MAX < token.len() {
        return None;
    }
    let (signed, signature) = token.rsplit_once('.')?;
    let (header, claims) = signed.split_once('.')?;
    if URL_SAFE_NO_PAD.decode(header).ok()? != HEADER.as_bytes() {
        return None;
    }
    let claims = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()?;
    let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
    Some(UnverifiedToken { signed, claims, signature })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_goes_there_and_back_and_others_are_none() {
        let claims = Claims {
            userid: "ann".to_owned(),
            namespace: 0,
            groups: Vec::new(),
            exp: 1_800_000_000,
            refresh: true,
        };
        let text = token(&claims.signed_text(), b"signature");
        let read = unverified(&text).unwrap();
        assert_eq!((read.claims, read.signature), (claims, b"signature".to_vec()));
        assert_eq!(text.split('.').count(), 3);
        let none = URL_SAFE_NO_PAD.encode("{\"alg\":\"none\",\"typ\":\"JWT\"}");
        let claims =
            URL_SAFE_NO_PAD.encode("{\"userid\":\"ann\",\"namespace\":0,\"exp\":1800000000}");
        for wrong in [
            String::new(),
            "a.b".to_owned(),
            format!("{none}.{claims}."),
            format!("{}.{}.x", URL_SAFE_NO_PAD.encode(HEADER), URL_SAFE_NO_PAD.encode("{}")),
            "x".repeat(TOKEN_BYTES_MAX + 1),
        ] {
            assert_eq!(unverified(&wrong), None, "{wrong}");
        }
    }
}
