//! Messages of Dgraph's gRPC: any bytes are a message or a refusal; a message that is written is read the same; quads of a
//! mutation become statements, or are refused, and change a small graph.

use millrace_db::languages::dql::changes::{Changes, Mutation, Quads};
use millrace_db::languages::dql::language;
use millrace_wire::dql::{
    Action, AllocateIDsRequest, Facet, LoginRequest, NQuad, Operation, Request, RunDqlRequest,
    TxnContext, Value, decoded, framed, statement_of, timeout, unframed, value,
};

use crate::dql_graph;

/// A request with every field, one for each kind of value, and the small messages.
pub fn seeds() -> Vec<Vec<u8>> {
    use value::Val;
    let values = [
        Val::DefaultVal("a".to_owned()),
        Val::BytesVal(vec![1, 2].into()),
        Val::IntVal(-7),
        Val::BoolVal(true),
        Val::StrVal("é".to_owned()),
        Val::DoubleVal(0.5),
        // A point, and a day of 2020.
        Val::GeoVal(
            [&[1, 1, 0, 0, 0][..], &1.5_f64.to_le_bytes(), &2.5_f64.to_le_bytes()].concat().into(),
        ),
        Val::DatetimeVal(
            [&[1][..], &63_713_520_000_i64.to_be_bytes(), &[0, 0, 0, 0, 255, 255]].concat().into(),
        ),
        Val::PasswordVal("secret".to_owned()),
        Val::UidVal(2),
        Val::BigfloatVal(vec![1, 10, 0, 0, 0, 53, 0, 0, 0, 1, 128, 0, 0, 0, 0, 0, 0, 0].into()),
        Val::Vfloat32Val(vec![0, 0, 128, 63].into()),
    ];
    let facet =
        Facet { key: "k".to_owned(), value: 7_i64.to_le_bytes().to_vec().into(), val_type: 1 };
    let quad = |value: Val| NQuad {
        subject: "0x1".to_owned(),
        predicate: "age".to_owned(),
        object_value: Some(Value { val: Some(value) }),
        lang: "en".to_owned(),
        facets: vec![facet.clone()],
        ..NQuad::default()
    };
    let edge = NQuad {
        subject: "_:a".to_owned(),
        predicate: "friend".to_owned(),
        object_id: "uid(v)".to_owned(),
        ..NQuad::default()
    };
    let mutation = millrace_wire::dql::Mutation {
        set_json: br#"{"name": "x"}"#.to_vec().into(),
        del_nquads: b"<0x1> <age> * .".to_vec().into(),
        set: values.into_iter().map(quad).chain([edge]).collect(),
        cond: "@if(eq(len(v), 1))".to_owned(),
        ..Default::default()
    };
    let request = Request {
        query: "{ v as var(func: has(age)) }".to_owned(),
        vars: [("$a".to_owned(), "1".to_owned())].into(),
        mutations: vec![mutation],
        commit_now: true,
        start_ts: 9,
        ..Request::default()
    };
    let operation = Operation { schema: "name: string .".to_owned(), ..Operation::default() };
    let login = LoginRequest { userid: "a".to_owned(), ..LoginRequest::default() };
    let context = TxnContext { start_ts: 3, keys: vec!["k".to_owned()], ..TxnContext::default() };
    let dql =
        RunDqlRequest { dql_query: "{ q(func: uid(1)) { uid } }".to_owned(), ..Default::default() };
    let chosen = |choice: u8, body: &[u8]| [&[choice], body].concat();
    vec![
        chosen(0, &framed(&request).expect("it is small")),
        chosen(1, &framed(&operation).expect("it is small")),
        chosen(2, &framed(&login).expect("it is small")),
        chosen(3, &framed(&context).expect("it is small")),
        chosen(4, &framed(&dql).expect("it is small")),
        chosen(5, &framed(&AllocateIDsRequest::default()).expect("it is small")),
        chosen(6, b"500m"),
    ]
}

/// The first byte chooses the message; the rest is the body of a request.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    if choice == 6 {
        let _time = timeout(&String::from_utf8_lossy(rest));
        return;
    }
    let Ok((message, _is_packed)) = unframed(&rest.to_vec().into()) else { return };
    macro_rules! read_again {
        ($kind:ty) => {
            if let Ok(read) = decoded::<$kind>(message) {
                let body = framed(&read).expect("it is small");
                let (message, is_packed) = unframed(&body).expect("it was framed");
                assert!(!is_packed);
                let again = decoded::<$kind>(message).expect("it was written");
                // Bytes and no values: a number that is none equals no other.
                assert_eq!(framed(&again).expect("it is small"), body);
            }
        };
    }
    match choice {
        0 => {
            if let Ok(request) = decoded::<Request>(message.clone()) {
                changed(&request);
            }
            read_again!(Request);
        }
        1 => read_again!(Operation),
        2 => read_again!(LoginRequest),
        3 => read_again!(TxnContext),
        4 => read_again!(RunDqlRequest),
        _ => read_again!(AllocateIDsRequest),
    }
}

/// Runs the quads of a request, if all are right.
fn changed(request: &Request) {
    let quads = |own: &[NQuad], action: Action| {
        let mut quads = Quads::default();
        for quad in own {
            quads.push(&statement_of(quad, action).ok()?).ok()?;
        }
        Some(quads)
    };
    let mut mutations = Vec::new();
    for own in &request.mutations {
        let Ok(mutation) = Mutation::with_condition(&own.cond) else { return };
        let (set, delete) = (quads(&own.set, Action::Set), quads(&own.del, Action::Delete));
        let (Some(set), Some(delete)) = (set, delete) else { return };
        mutations.push(Mutation { set, delete, ..mutation });
    }
    let changes = Changes { query: request.query.as_str().into(), mutations };
    if let Ok(script) = language::changing(changes) {
        dql_graph::run_script(script);
    }
}
