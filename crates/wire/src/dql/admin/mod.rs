//! Requests of `/admin`, which are in GraphQL: health, state and login, as pages and tools ask for them.
//!
//! Everything else of administration is refused by name, with the place where it is.

mod graphql;

use serde_json::{Map, Value, json};

use super::failure::{Code, Failure};
use super::messages::{Jwt, LoginRequest};
use super::status::Status;
use graphql::{Field, Operation};

/// Why `export` is not served.
const EXPORT: &str = "the mutation `export` is not served: a server writes no files here. The listener of administration \
                      answers GET /export/NAME?format=rdf and ?format=rdf-schema as Dgraph's exports are, and \
                      `millrace export --to g01.rdf.gz` writes both";

/// Why a namespace has no password.
const NO_PASSWORD: &str =
    "a namespace has no users of its own: those of users.file log in to each. Leave `password` out";

/// A question for one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct AdminQuestion {
    /// The thing.
    pub wanted: AdminWanted,
    /// Its name in the answer.
    alias: String,
    selection: Vec<Field>,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum AdminWanted {
    /// The health of the server.
    Health,
    /// Its state as a cluster of one.
    State,
    /// A login.
    Login(LoginRequest),
    /// A new namespace.
    AddNamespace,
    /// The end of the namespace of a number.
    DeleteNamespace(u64),
}

/// A part of what a field takes as `input`.
fn input<'f>(field: &'f Field, name: &str) -> Option<&'f Value> {
    field.argument("input")?.get(name).filter(|value| !value.is_null())
}

/// Reads the body of a request.
pub fn admin_request(content_type: &str, body: &[u8]) -> Result<Vec<AdminQuestion>, Failure> {
    let text = std::str::from_utf8(body).map_err(|_| refused("the body is not UTF-8"))?;
    let name = content_type.split(';').next().unwrap_or_default().trim();
    let (query, variables) = match name.eq_ignore_ascii_case("application/graphql") {
        true => (text.to_owned(), Map::new()),
        false => {
            let body: Value = serde_json::from_str(text)
                .map_err(|error| refused(&format!("Not a valid GraphQL request body: {error}")))?;
            let query = body["query"].as_str().unwrap_or_default().to_owned();
            (query, body["variables"].as_object().cloned().unwrap_or_default())
        }
    };
    let operation = graphql::parse(&query, &variables).map_err(|why| refused(&why))?;
    let Operation { is_mutation, fields } = operation;
    fields.into_iter().map(|field| question(field, is_mutation)).collect()
}

fn question(field: Field, is_mutation: bool) -> Result<AdminQuestion, Failure> {
    let wanted = match (is_mutation, field.name.as_str()) {
        (false, "health") => AdminWanted::Health,
        (false, "state") => AdminWanted::State,
        (true, "login") => {
            let text = |name: &str| {
                field.argument(name).and_then(Value::as_str).unwrap_or_default().to_owned()
            };
            AdminWanted::Login(LoginRequest {
                userid: text("userId"),
                password: text("password"),
                refresh_token: text("refreshToken"),
                namespace: field.argument("namespace").and_then(Value::as_u64).unwrap_or(0),
            })
        }
        (true, "export") => return Err(refused(EXPORT)),
        (true, "addNamespace") => match input(&field, "password") {
            None => AdminWanted::AddNamespace,
            Some(_) => return Err(refused(NO_PASSWORD)),
        },
        (true, "deleteNamespace") => {
            let number = input(&field, "namespaceId").and_then(Value::as_u64);
            let number = number.ok_or_else(|| refused("the number `namespaceId` is missing"))?;
            AdminWanted::DeleteNamespace(number)
        }
        (_, name) => {
            let kind = if is_mutation { "mutation" } else { "query" };
            return Err(refused(&format!(
                "the {kind} `{name}` is not served: of /admin there are health, state, login and namespaces; users are in users.file, \
                 and the listener of administration makes exports, backups and graphs"
            )));
        }
    };
    Ok(AdminQuestion { wanted, alias: field.alias, selection: field.selection })
}

fn refused(message: &str) -> Failure {
    Failure::new(Code::Error, message).without_data()
}

impl AdminQuestion {
    /// The answer to a question about the server.
    pub fn answer(&self, status: &Status) -> Result<(String, Value), Failure> {
        let value = match self.wanted {
            AdminWanted::Health => json!([status.health()]),
            AdminWanted::State => state(status),
            AdminWanted::Login(_) | AdminWanted::AddNamespace | AdminWanted::DeleteNamespace(_) => {
                return Err(refused("this is no question about the server"));
            }
        };
        self.selected(&value)
    }

    /// The answer to a login.
    pub fn tokens(&self, tokens: &Jwt) -> Result<(String, Value), Failure> {
        let Jwt { access_jwt, refresh_jwt } = tokens;
        self.selected(
            &json!({ "response": { "accessJWT": access_jwt, "refreshJWT": refresh_jwt } }),
        )
    }

    /// The answer to a change of a namespace, which says what was done.
    pub fn namespace(&self, number: u64, done: &str) -> Result<(String, Value), Failure> {
        let message = format!("{done} namespace successfully");
        self.selected(&json!({ "namespaceId": number, "message": message }))
    }

    fn selected(&self, value: &Value) -> Result<(String, Value), Failure> {
        let value = select(value, &self.selection).map_err(|why| refused(&why))?;
        Ok((self.alias.clone(), value))
    }
}

/// The state with lists in place of objects whose names are numbers.
fn state(status: &Status) -> Value {
    let mut state = status.state();
    let listed = |value: &mut Value| {
        let Value::Object(members) = value.take() else { return };
        *value = members.into_iter().map(|(_, member)| member).collect();
    };
    let groups = state["groups"].as_object_mut();
    for (number, group) in groups.into_iter().flatten() {
        listed(&mut group["members"]);
        listed(&mut group["tablets"]);
        group["id"] = number.parse::<u64>().map_or(Value::Null, Value::from);
    }
    state["namespaces"] = json!(status.namespaces);
    listed(&mut state["groups"]);
    listed(&mut state["zeros"]);
    state
}

/// The parts of a value that a selection names.
fn select(value: &Value, selection: &[Field]) -> Result<Value, String> {
    match value {
        Value::Array(all) => all.iter().map(|own| select(own, selection)).collect(),
        Value::Object(members) => {
            if selection.is_empty() {
                return Err("a selection of fields is missing".to_owned());
            }
            let mut chosen = Map::new();
            for field in selection {
                let Some(own) = members.get(&field.name) else {
                    return Err(format!("Cannot query field \"{}\"", field.name));
                };
                chosen.insert(field.alias.clone(), select(own, &field.selection)?);
            }
            Ok(Value::Object(chosen))
        }
        plain if selection.is_empty() => Ok(plain.clone()),
        _ => Err(format!("Field \"{}\" is of a value without fields", selection[0].name)),
    }
}

/// The body of the answer to several questions.
pub fn admin_answer(answers: Vec<(String, Value)>) -> String {
    json!({ "data": answers.into_iter().collect::<Map<String, Value>>() }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &str = "application/json";

    fn asked(query: &str) -> Result<Vec<AdminQuestion>, String> {
        let body = json!({ "query": query }).to_string();
        admin_request(JSON, body.as_bytes()).map_err(|failure| failure.message)
    }

    #[test]
    fn questions_of_pages_are_answered_with_the_fields_that_they_name() {
        let status = Status {
            predicates: vec!["name".to_owned()],
            uptime: 7,
            now: 100,
            ..Status::default()
        };
        let questions = asked(
            "query { health { version up: uptime } state { groups { id tablets { predicate } } } }",
        );
        let answers = questions.unwrap().iter().map(|own| own.answer(&status).unwrap()).collect();
        let answer: Value = serde_json::from_str(&admin_answer(answers)).unwrap();
        assert_eq!(
            answer["data"]["health"],
            json!([{ "version": super::super::VERSION, "up": 7 }])
        );
        let groups = json!([{ "id": 1, "tablets": [{ "predicate": "0-name" }] }]);
        assert_eq!(answer["data"]["state"]["groups"], groups);
        let text = admin_request("application/graphql", b"{ health { status } }").unwrap();
        assert_eq!(text[0].wanted, AdminWanted::Health);
        for wrong in ["{ health { nothing } }", "{ health }", "{ health { status { x } } }"] {
            let question = &asked(wrong).unwrap()[0];
            assert!(question.answer(&status).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_login_takes_its_arguments_and_variables_and_other_mutations_are_refused() {
        let body = json!({
            "query": "mutation m($p: String) { login(userId: \"ann\", password: $p) { response { accessJWT } } }",
            "variables": { "p": "secret" },
        });
        let questions = admin_request(JSON, body.to_string().as_bytes()).unwrap();
        let AdminWanted::Login(login) = &questions[0].wanted else { panic!("{questions:?}") };
        assert_eq!((login.userid.as_str(), login.password.as_str()), ("ann", "secret"));
        let tokens = Jwt { access_jwt: "a.b.c".to_owned(), refresh_jwt: String::new() };
        let (name, answer) = questions[0].tokens(&tokens).unwrap();
        assert_eq!(
            (name.as_str(), answer),
            ("login", json!({ "response": { "accessJWT": "a.b.c" } }))
        );
        for (query, word) in [
            ("mutation { addGroup(input: []) { group { name } } }", "addGroup"),
            ("{ getGQLSchema { schema } }", "getGQLSchema"),
            ("mutation { health { status } }", "health"),
        ] {
            assert!(asked(query).unwrap_err().contains(word), "{query}");
        }
        assert!(admin_request(JSON, b"{").is_err() && admin_request(JSON, b"{}").is_err());
    }
}
