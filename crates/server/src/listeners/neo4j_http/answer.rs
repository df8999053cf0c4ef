//! Answers: a status, a body and headers.

use std::borrow::Cow;

use axum::body::Body;
use axum::http::{HeaderValue, Response as HttpResponse, StatusCode, header};
use millrace_wire::bolt::Failure;
use millrace_wire::neo4j_http::{
    JSON, TYPED_JSON, TransactionForm, TransactionReply, error_reply, transaction_reply,
};

/// An answer.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) text: String,
    /// The content type of a body.
    pub(super) kind: Cow<'static, str>,
    /// Where a new transaction is.
    pub(super) location: Option<String>,
    /// The methods that the path takes.
    pub(super) allow: Option<String>,
}

impl Answer {
    pub(super) fn new(status: StatusCode, text: String) -> Answer {
        let kind = Cow::Borrowed(JSON);
        Answer { status, text, kind, location: None, allow: None }
    }

    /// JSON with types.
    pub(super) fn typed(self, is_typed: bool) -> Answer {
        Answer { kind: Cow::Borrowed(if is_typed { TYPED_JSON } else { JSON }), ..self }
    }

    /// A query of the Query API that failed.
    pub(super) fn failed_query(failure: &Failure) -> Answer {
        Answer::new(status_of(failure), error_reply(failure))
    }

    /// A request of a transaction that failed. Failures of statements have the status of success, as in Neo4j; those
    /// of the request itself have their own.
    pub(super) fn failed_transaction(
        form: TransactionForm,
        failure: &Failure,
        reply: &TransactionReply<'_>,
    ) -> Answer {
        let reply = TransactionReply { failure: Some(failure), ..*reply };
        let status = match failure.title() {
            "DatabaseNotFound" | "TransactionNotFound" => StatusCode::NOT_FOUND,
            "TransactionAccessedConcurrently" => StatusCode::CONFLICT,
            _ => StatusCode::OK,
        };
        Answer::of_transaction(form, status, &reply)
    }

    /// An answer to a request of a transaction.
    pub(super) fn of_transaction(
        form: TransactionForm,
        status: StatusCode,
        reply: &TransactionReply<'_>,
    ) -> Answer {
        let kind = Cow::Owned(form.content_type());
        Answer { kind, ..Answer::new(status, transaction_reply(form, reply)) }
    }

    /// The client of a transaction accepts no form that is served.
    pub(super) fn not_acceptable() -> Answer {
        let text = "Unsupported media type - Supported types are application/json and application/vnd.neo4j.jolt";
        let kind = Cow::Borrowed("text/plain");
        Answer { kind, ..Answer::new(StatusCode::NOT_ACCEPTABLE, text.to_owned()) }
    }

    /// The same with a status.
    pub(super) fn refused(status: u16, failure: &Failure) -> Answer {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
        let failed = Some(failure);
        let reply = TransactionReply { failure: failed, ..TransactionReply::default() };
        Answer::of_transaction(TransactionForm::Json, status, &reply)
    }

    pub(super) fn into_http(self) -> HttpResponse<Body> {
        let Answer { status, text, kind, location, allow } = self;
        let mut response = HttpResponse::new(Body::from(text));
        *response.status_mut() = status;
        let given = |value: Option<String>| value.and_then(|text| HeaderValue::try_from(text).ok());
        let headers = response.headers_mut();
        if status != StatusCode::NO_CONTENT {
            let kind = HeaderValue::try_from(&*kind);
            kind.map(|kind| headers.insert(header::CONTENT_TYPE, kind)).ok();
        }
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        for (name, value) in [(header::LOCATION, given(location)), (header::ALLOW, given(allow))] {
            value.and_then(|value| headers.insert(name, value));
        }
        response
    }
}

/// The client can mend its request, the database is not there, or the server failed.
fn status_of(failure: &Failure) -> StatusCode {
    match (failure.title(), failure.code.split('.').nth(1)) {
        ("DatabaseNotFound", _) => StatusCode::NOT_FOUND,
        (_, Some("ClientError" | "TransientError")) => StatusCode::BAD_REQUEST,
        (_, Some(_) | None) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
