//! The query page at `/`, one file, which loads nothing.
//!
//! The page's policy allows its own script and style by their hashes and nothing else, so that no value of a
//! graph becomes code.

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response as HttpResponse, header};
use millrace_wire::base64;
use sha2::{Digest, Sha256};

/// The page.
const PAGE: &str = include_str!("page.html");

static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let hash = |tag: &str| format!("'sha256-{}'", base64::encode(&Sha256::digest(inside(tag))));
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; connect-src 'self'; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        hash("script"),
        hash("style")
    );
    // Hashes in base64 fit into a header; were it otherwise, the page could do nothing.
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

/// What stands between the tags of the page's only element of that name.
fn inside(tag: &str) -> &'static [u8] {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let rest = PAGE.split_once(&open).map(|(_, rest)| rest);
    let inside = rest.and_then(|rest| rest.split_once(&close));
    inside.map_or("", |(inside, _)| inside).as_bytes()
}

/// The page with its headers.
pub(super) fn page() -> HttpResponse<Body> {
    let mut response = HttpResponse::new(Body::from(PAGE));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY.clone());
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_has_the_hash_of_the_script_and_of_the_style() {
        let policy = POLICY.to_str().unwrap();
        assert_eq!(policy.matches("'sha256-").count(), 2, "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(PAGE.matches("<script").count(), 1, "one script has a hash");
        assert_eq!(PAGE.matches("<style").count(), 1, "one style has a hash");
        for refused in
            ["innerHTML", "outerHTML", "document.write", " style=", " onclick=", "http://"]
        {
            assert!(!PAGE.contains(refused), "{refused}");
        }
    }
}
