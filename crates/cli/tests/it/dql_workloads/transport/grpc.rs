//! Requests over Dgraph's gRPC, as its drivers make them: an upsert is a query beside a mutation.

use std::cell::RefCell;

use millrace_bench::{CallFailed, Calls};
use millrace_server::wire::dql::{
    Mutation, Operation, Payload, Request as Asked, Response, TxnContext, decoded, framed,
};
use serde_json::Value as Json;

use super::{Answer, Context, Failed, MAY_BE_TRIED_AGAIN, Reached, Request, Transport};

/// The code of a transaction that may be run again.
const ABORTED: u16 = 10;

/// The connection to a server, with its URL; none before the first request, and behind one that failed.
#[derive(Default)]
pub(super) struct Grpc(RefCell<Option<(String, Calls)>>);

/// Calls a method.
macro_rules! call {
    ($own:expr, $url:expr, $method:literal, $message:expr) => {{
        let message = framed(&$message).expect("it is short");
        let called =
            $own.connected($url, |calls| calls.ask(concat!("/api.Dgraph/", $method), message))?;
        match called {
            Ok(answer) => Ok(decoded(answer).expect("the answer can be read")),
            Err((code, message)) => {
                let may_be_tried_again = message.contains(MAY_BE_TRIED_AGAIN);
                // Drivers go by the code, others by the words.
                assert!(
                    code == ABORTED && may_be_tried_again,
                    "{code} {message}: {} {:?}",
                    $method,
                    $message
                );
                Err(Failed::Aborted)
            }
        }
    }};
}

impl Grpc {
    /// Asks the server; its answer, or its code and message.
    fn connected<T>(
        &self,
        url: &str,
        ask: impl FnOnce(&mut Calls) -> Result<T, CallFailed>,
    ) -> Reached<Result<T, (u16, String)>> {
        let mut connection = self.0.borrow_mut();
        let mut calls = match connection.take() {
            Some((known, calls)) if known == url => calls,
            _ => {
                let address = url.strip_prefix("dgraph://").expect("it is Dgraph's");
                let address = address.parse().expect("it is the address of a socket");
                Calls::open(&[address]).map_err(|_| Failed::Gone)?
            }
        };
        let answered = match ask(&mut calls) {
            Ok(answer) => Ok(answer),
            Err(CallFailed::Refused(code, message)) => Err((code, message)),
            Err(CallFailed::Gone(_)) => return Err(Failed::Gone),
        };
        *connection = Some((url.to_owned(), calls));
        Ok(answered)
    }
}

impl Transport for Grpc {
    fn alter(&self, url: &str, schema: &str) -> Reached<()> {
        let operation = Operation { schema: schema.to_owned(), ..Operation::default() };
        call!(self, url, "Alter", operation).map(|_: Payload| ())
    }

    fn ask(&self, url: &str, request: &Request<'_>) -> Reached<Answer> {
        let mutation = Mutation {
            set_nquads: request.set.to_owned().into(),
            del_nquads: request.delete.to_owned().into(),
            cond: request.condition.to_owned(),
            ..Mutation::default()
        };
        let changes = !request.set.is_empty() || !request.delete.is_empty();
        let asked = Asked {
            query: request.query.to_owned(),
            mutations: if changes { vec![mutation] } else { Vec::new() },
            start_ts: request.start_ts,
            commit_now: request.commit_now,
            ..Asked::default()
        };
        let response: Response = call!(self, url, "Query", asked)?;
        let data = match response.json.is_empty() {
            true => Json::Null,
            false => serde_json::from_slice(&response.json).expect("the data is JSON"),
        };
        let TxnContext { start_ts, keys, preds: predicates, .. } =
            response.txn.expect("a transaction has a number");
        Ok(Answer { data, context: Context { start_ts, keys, predicates } })
    }

    fn commit(&self, url: &str, context: &Context) -> Reached<()> {
        let context = TxnContext {
            start_ts: context.start_ts,
            keys: context.keys.clone(),
            preds: context.predicates.clone(),
            ..TxnContext::default()
        };
        call!(self, url, "CommitOrAbort", context).map(|done: TxnContext| {
            assert!(!done.aborted, "a commit that was refused has a code");
        })
    }
}
