//! Each method: its message to a request, and what was done to a message.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Bytes;
use axum::http::HeaderMap;
use millrace_db::languages::dql::changes::Alter;
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::dql::{
    AllocateIDsRequest, AllocateIDsResponse, AnswerForm, Assign, Check, GrpcCode, GrpcStatus, Jwt,
    LeaseType, ListNamespacesResponse, LoginRequest, Method, Namespace, Operation, Payload,
    Request, Response, RunDqlRequest, TxnContext, VERSION, Version, decoded, framed,
    mutation_parts, operation, request, text_of_json, timeout,
};

use super::KIND;
use crate::connections::Peer;
use crate::dql::{Asker, Data, Done, Dql, Mutate, Query, User};
use crate::http::limits_of;

/// What comes of a call.
type Answered<T> = std::result::Result<T, GrpcStatus>;

/// The answer of the service that tells whether a server is there: it is.
const SERVING: &[u8] = &[0, 0, 0, 0, 2, 0x08, 0x01];

/// Answers a call.
pub(super) async fn answer(
    dql: &Arc<Dql>,
    method: Method,
    message: Bytes,
    (headers, peer, user): (&HeaderMap, Peer, User),
) -> Answered<Bytes> {
    let began = Instant::now();
    if method == Method::HealthCheck {
        return Ok(Bytes::from_static(SERVING));
    }
    let asker = asker(dql, headers, (peer, user), began)?;
    let call = Call { dql, asker, began };
    match method {
        Method::Login => {
            let login: LoginRequest = decoded(message)?;
            framed(&call.log_in(login).await?)
        }
        Method::Query => framed(&failing(call.query(decoded(message)?).await)?),
        Method::RunDql => framed(&failing(call.run(decoded(message)?).await)?),
        Method::Alter => framed(&failing(call.alter(decoded(message)?).await)?),
        Method::CommitOrAbort => framed(&failing(call.end(decoded(message)?).await)?),
        Method::AllocateIds => framed(&failing(call.allocate(decoded(message)?).await)?),
        Method::CheckVersion | Method::HealthCheck => {
            let _question: Check = decoded(message)?;
            framed(&Version { tag: VERSION.to_owned() })
        }
        Method::ListNamespaces => {
            let _question: Check = decoded(message)?;
            let namespaces =
                dql.namespaces().into_iter().map(|id| (id, Namespace { id })).collect();
            framed(&ListNamespacesResponse { namespaces })
        }
        Method::CreateNamespace => {
            let _question: Check = decoded(message)?;
            let id = failing(dql.create_namespace(&call.asker).await)?;
            framed(&Namespace { id })
        }
        Method::DropNamespace => {
            let wanted: Namespace = decoded(message)?;
            failing(dql.drop_namespace(&call.asker, wanted.id).await)?;
            framed(&Check {})
        }
    }
}

fn failing<T>(done: Result<T>) -> Answered<T> {
    done.map_err(|error| GrpcStatus::of(&error))
}

/// The client of a call, with its limits.
fn asker(
    dql: &Dql,
    headers: &HeaderMap,
    (peer, user): (Peer, User),
    began: Instant,
) -> Answered<Asker> {
    let usual_ms = dql.state.database.settings().dql.deadline_ms;
    let mut limits = failing(limits_of(&dql.state, headers, usual_ms))?;
    limits.client = peer.client;
    let asked = match headers.get("grpc-timeout") {
        None => None,
        Some(value) => {
            let asked = value.to_str().ok().and_then(timeout);
            Some(asked.ok_or_else(|| {
                let message =
                    format!("malformed grpc-timeout: {value:?} (8 digits and H, M, S, m, u or n)");
                GrpcStatus::new(GrpcCode::Internal, message)
            })?)
        }
    };
    if let Some(asked) = asked.and_then(|asked| began.checked_add(asked)) {
        limits.deadline = Some(limits.deadline.map_or(asked, |usual| usual.min(asked)));
    }
    Ok(Asker { peer, user, kind: KIND, limits })
}

/// A call that was let in.
struct Call<'a> {
    dql: &'a Arc<Dql>,
    asker: Asker,
    began: Instant,
}

impl Call<'_> {
    /// The tokens come in the field of results, as a message in a message.
    async fn log_in(&self, login: LoginRequest) -> Answered<Response> {
        let tokens = self.dql.log_in(login, self.asker.peer).await;
        let tokens: Jwt = tokens.map_err(super::refused_login)?;
        let framed = framed(&tokens)?;
        Ok(Response { json: framed.slice(super::FRAME_BYTES as usize..), ..Response::default() })
    }

    async fn query(&self, request: Request) -> Result<Response> {
        if request.best_effort && !request.read_only {
            let detail = "A best effort query must be read-only.";
            return Err(Error::new(ErrorKind::BadQuery, detail));
        }
        let form = form_of(request.resp_format)?;
        if request.mutations.is_empty() {
            let query = Query {
                text: request.query,
                variables: request.vars,
                start_ts: request.start_ts,
                is_best_effort: request.best_effort,
                only_reads: request.read_only,
                form,
                has_uids: false,
            };
            return self.asked(query).await;
        }
        if request.read_only {
            let detail = "a transaction that only reads has no mutations";
            return Err(Error::new(ErrorKind::BadQuery, detail));
        }
        let mut request = request;
        let variables = std::mem::take(&mut request.vars);
        let (start_ts, commits) = (request.start_ts, request.commit_now);
        self.changed(Mutate { data: Data::Parts(request), variables, start_ts, commits }).await
    }

    /// Runs a text: its mutations are committed.
    async fn run(&self, run: RunDqlRequest) -> Result<Response> {
        let RunDqlRequest { dql_query: text, vars: variables, read_only, best_effort, resp_format } =
            run;
        let form = form_of(resp_format)?;
        let Some(data) = self.dql.read_text(&self.asker, &text).await? else {
            let query = Query {
                text,
                variables,
                start_ts: 0,
                is_best_effort: best_effort,
                only_reads: true,
                form,
                has_uids: false,
            };
            return self.asked(query).await;
        };
        if read_only {
            let detail = "a transaction that only reads has no mutations";
            return Err(Error::new(ErrorKind::BadQuery, detail));
        }
        self.changed(Mutate { data, variables, start_ts: 0, commits: true }).await
    }

    async fn asked(&self, query: Query) -> Result<Response> {
        let form = query.form;
        let mut done = self.dql.query(&self.asker, query, (self.began, "")).await?;
        let encoding = Instant::now();
        let text = std::mem::take(&mut done.answer.text);
        let mut response = Response::default();
        match form {
            AnswerForm::Json => response.json = Bytes::from(text),
            AnswerForm::Rdf => response.rdf = Bytes::from(text_of_json(&text)?),
        }
        done.note_encoding(encoding);
        Ok(with_times(response, done))
    }

    async fn changed(&self, mutate: Mutate) -> Result<Response> {
        let mut done = self.dql.mutate(&self.asker, mutate, (self.began, "")).await?;
        let encoding = Instant::now();
        let text = std::mem::take(&mut done.answer.text);
        let (json, uids) = mutation_parts(text)?;
        done.note_encoding(encoding);
        Ok(with_times(Response { json, uids, ..Response::default() }, done))
    }

    async fn alter(&self, operation: Operation) -> Result<Payload> {
        let in_background = operation.run_in_background;
        let alter = alter_of(operation)?;
        if !(in_background && self.dql.alter_in_background(&self.asker, &alter).await?) {
            self.dql.alter(&self.asker, alter, "").await?;
        }
        Ok(Payload::default())
    }

    async fn end(&self, txn: TxnContext) -> Result<TxnContext> {
        if txn.aborted {
            return self.dql.abort(&self.asker, txn.start_ts).await;
        }
        let has_written = !txn.keys.is_empty() || !txn.preds.is_empty();
        self.dql.commit(&self.asker, txn.start_ts, has_written).await
    }

    async fn allocate(&self, wanted: AllocateIDsRequest) -> Result<AllocateIDsResponse> {
        let what = match LeaseType::try_from(wanted.lease_type) {
            Ok(LeaseType::Uid) => Assign::Uids,
            Ok(LeaseType::Ts) => Assign::Timestamps,
            Ok(LeaseType::Ns) => {
                let detail =
                    "a namespace has its number from CreateNamespace: none are assigned in advance";
                return Err(Error::new(ErrorKind::Unsupported, detail));
            }
            Err(_) => {
                let detail = format!("invalid lease type: {}", wanted.lease_type);
                return Err(Error::new(ErrorKind::BadInput, detail));
            }
        };
        let (start, end) = self.dql.assign(&self.asker, what, wanted.how_many).await?;
        Ok(AllocateIDsResponse { start, end })
    }
}

fn with_times(response: Response, done: Done) -> Response {
    Response { txn: Some(done.txn), latency: Some(done.latency), ..response }
}

fn form_of(number: i32) -> Result<AnswerForm> {
    match request::RespFormat::try_from(number) {
        Ok(request::RespFormat::Json) => Ok(AnswerForm::Json),
        Ok(request::RespFormat::Rdf) => Ok(AnswerForm::Rdf),
        Err(_) => {
            Err(Error::new(ErrorKind::BadInput, format!("there is no form of answers {number}")))
        }
    }
}

/// The change that an operation asks for.
fn alter_of(operation: Operation) -> Result<Alter> {
    use operation::DropOp;
    let bad = |detail: &str| Err(Error::new(ErrorKind::BadInput, detail));
    let Operation { schema, drop_attr, drop_all, drop_op, drop_value, run_in_background: _ } =
        operation;
    let Ok(op) = DropOp::try_from(drop_op) else {
        return bad(&format!("there is no operation {drop_op}"));
    };
    if drop_all && op == DropOp::Data {
        return bad("Only one of DropAll and DropData can be true");
    }
    if drop_all {
        return Ok(Alter::DropAll);
    }
    match op {
        DropOp::All if !drop_value.is_empty() => {
            bad("If DropOp is set to ALL, DropValue must be empty")
        }
        DropOp::Data if !drop_value.is_empty() => {
            bad("If DropOp is set to DATA, DropValue must be empty")
        }
        DropOp::All => Ok(Alter::DropAll),
        DropOp::Data => Ok(Alter::DropData),
        DropOp::Attr => Alter::of_operation("ATTR", drop_value),
        DropOp::Type => Alter::of_operation("TYPE", drop_value),
        DropOp::None if !drop_attr.is_empty() => Alter::of_operation("ATTR", drop_attr),
        DropOp::None if !schema.is_empty() => Ok(Alter::Schema(schema)),
        DropOp::None => bad("Operation must have at least one field set"),
    }
}
