//! Messages for a value of the wrong type, in the words of a language.
//!
//! Functions name the types they want in words of all languages. Where a language has words of its own,
//! it asks for the type first and gives the messages as arguments.

use millrace_model::{Result, Value};

use crate::functions::arguments::{bad, misplaced};
use crate::functions::{Function, Wanted};

/// The rows of this family; see `functions!`.
macro_rules! wanted_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// The first argument if it is as wanted, else an error with a message of the others: of null
            /// the second (null: null passes), of another type the third.
            Require(Wanted): [3, 3], 0, Fails::May => conversions::wanted::call;
            /// Whether a value is as wanted; null is not.
            IsA(Wanted): [1, 1], 0, Fails::Not { truth: true } => conversions::wanted::is_a;
            /// True, or an error where the ends of a shortest path are one vertex.
            EndsDiffer: [2, 2], ALL, Fails::May => conversions::wanted::ends_differ;
            /// Of two truths whether one holds and the other does not; unknown if one is null. What is no truth is an
            /// error beside null, too.
            Xor: [2, 2], 0, Fails::May => conversions::wanted::xor;
            /// True, or an error where the first argument is true: its message is the second argument, with
            /// the entries of the third in place of each `%s` and `%d`.
            RefuseIf: [3, 3], 0, Fails::May => conversions::wanted::refuse_if;
        }
    };
}

/// The value if it is as wanted. Of null the second argument is the message (null: null passes), of
/// another type the third, with the type behind it.
pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let (Function::Require(wanted), [value, of_null, of_type]) = (function, arguments) else {
        return Err(misplaced(function));
    };
    let message = |value: &Value| value.as_str().unwrap_or("a value of the wrong type").to_owned();
    if value.is_null() {
        return if of_null.is_null() { Ok(Value::Null) } else { Err(bad(message(of_null))) };
    }
    let found = match (wanted, value) {
        (Wanted::Timestamp, Value::Date(_)) => Some(Function::StartOfDay.call(&arguments[..1])?),
        (Wanted::Entries, Value::Set(entries)) => Some(Value::List(entries.clone())),
        (Wanted::Entries, Value::Path(path)) => Some(Value::list(path.objects().into_owned())),
        (wanted, value) => is_wanted(wanted, value).then(|| value.clone()),
    };
    found.ok_or_else(|| bad(format!("{}, encountered {}", message(of_type), value.type_name())))
}

pub(in crate::functions) fn is_a(function: Function, arguments: &[Value]) -> Result<Value> {
    let Function::IsA(wanted) = function else { return Err(misplaced(function)) };
    Ok(Value::Bool(is_wanted(wanted, &arguments[0])))
}

pub(in crate::functions) fn ends_differ(_: Function, arguments: &[Value]) -> Result<Value> {
    if arguments[0] != arguments[1] {
        return Ok(Value::Bool(true));
    }
    let detail = "The shortest path algorithm does not work when the start and end nodes are the same. This can \
                  happen if you perform a shortestPath search after a cartesian product that might have the same \
                  start and end nodes for some of the rows passed to shortestPath.";
    let help =
        "leave out such rows, as by WHERE a <> b, or write SHORTEST 1, which finds the way around";
    Err(bad(detail).with_name("SamePathEnds").with_help(help))
}

pub(in crate::functions) fn xor(_: Function, arguments: &[Value]) -> Result<Value> {
    let truth = |value: &Value| match value {
        Value::Null => Ok(None),
        Value::Bool(truth) => Ok(Some(*truth)),
        other => Err(bad(format!("XOR expects booleans but got a {}", other.type_name()))),
    };
    let truths = (truth(&arguments[0])?, truth(&arguments[1])?);
    Ok(match truths {
        (Some(left), Some(right)) => Value::Bool(left != right),
        _ => Value::Null,
    })
}

/// Libraries look for `Caused by: java.lang.RuntimeException: ` in the message, which is how Neo4j reports what a
/// function of APOC raises.
pub(in crate::functions) fn refuse_if(function: Function, arguments: &[Value]) -> Result<Value> {
    let [test, pattern, entries] = arguments else { return Err(misplaced(function)) };
    if *test != Value::Bool(true) {
        return Ok(Value::Bool(true));
    }
    let pattern = pattern.as_str().unwrap_or_default();
    let message = match entries {
        Value::List(entries) if !entries.is_empty() => filled(pattern, entries)?,
        _ => pattern.to_owned(),
    };
    let detail = "Failed to invoke function `apoc.util.validatePredicate`: Caused by: java.lang.RuntimeException: ";
    Err(bad(format!("{detail}{message}")).with_name("ProcedureCallFailed"))
}

/// A pattern with texts in place of its directives.
fn filled(pattern: &str, entries: &[Value]) -> Result<String> {
    let mut output = String::new();
    let mut entries = entries.iter();
    let mut rest = pattern;
    while let Some((text, behind)) = rest.split_once('%') {
        output.push_str(text);
        let entry = match behind.chars().next() {
            Some('s' | 'd') => entries.next(),
            Some('%') => {
                output.push('%');
                None
            }
            _ => return Err(bad("in a message, `%` stands before s, d or %")),
        };
        if let Some(entry) = entry {
            let shown = Function::Display.call(std::slice::from_ref(entry))?;
            output.push_str(shown.as_str().unwrap_or("null"));
        }
        rest = &behind[1..];
    }
    output.push_str(rest);
    Ok(output)
}

/// Whether a value is of a type, those aside that are made into it.
fn is_wanted(wanted: Wanted, value: &Value) -> bool {
    match wanted {
        Wanted::Anything => !value.is_null(),
        Wanted::Text => matches!(value, Value::String(_)),
        Wanted::Entries => matches!(value, Value::List(_) | Value::Set(_) | Value::Path(_)),
        Wanted::Map => matches!(value, Value::Map(_)),
        Wanted::Number => value.as_double().is_some(),
        Wanted::Timestamp => matches!(value, Value::DateTime(_)),
        Wanted::Vertex => matches!(value, Value::Vertex(_)),
        Wanted::Element => matches!(value, Value::Vertex(_) | Value::Edge(_)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn require(wanted: Wanted, value: Value, of_null: Value) -> Result<Value> {
        Function::Require(wanted).call(&[value, of_null, "it takes others".into()])
    }

    #[test]
    fn a_value_of_another_type_raises_the_message() {
        assert_eq!(require(Wanted::Text, "a".into(), Value::Null), Ok("a".into()));
        assert_eq!(require(Wanted::Text, Value::Null, Value::Null), Ok(Value::Null));
        let error = require(Wanted::Text, Value::Null, "no null".into()).expect_err("null");
        assert_eq!(error.detail, "no null");
        let error = require(Wanted::Text, Value::I64(1), Value::Null).expect_err("no text");
        assert_eq!(error.detail, "it takes others, encountered integer");
        require(Wanted::Map, "a".into(), Value::Null).expect_err("no map");
        require(Wanted::Vertex, Value::I64(1), Value::Null).expect_err("an id is no vertex");
    }

    #[test]
    fn a_test_that_is_true_raises_its_message() {
        let refuse = |test: Value, pattern: &str, entries: Vec<Value>| {
            Function::RefuseIf.call(&[test, pattern.into(), Value::list(entries)])
        };
        assert_eq!(refuse(false.into(), "no", Vec::new()), Ok(true.into()));
        assert_eq!(refuse(Value::Null, "no", Vec::new()), Ok(true.into()));
        let error = refuse(true.into(), "%d of %s, 5 %%", vec![Value::I64(2), "b".into()]);
        let error = error.expect_err("refused");
        assert_eq!(error.name, Some("ProcedureCallFailed"));
        assert!(error.detail.ends_with("java.lang.RuntimeException: 2 of b, 5 %"), "{error:?}");
        let error = refuse(true.into(), "5 % off", Vec::new()).expect_err("refused");
        assert!(error.detail.ends_with("RuntimeException: 5 % off"), "{error:?}");
    }

    #[test]
    fn a_type_is_asked_without_an_error() {
        let is_a = |wanted, value: Value| Function::IsA(wanted).call(&[value]);
        assert_eq!(is_a(Wanted::Element, Value::Vertex(Default::default())), Ok(true.into()));
        assert_eq!(is_a(Wanted::Element, Value::I64(1)), Ok(false.into()));
        assert_eq!(is_a(Wanted::Anything, Value::Null), Ok(false.into()));
        assert_eq!(is_a(Wanted::Number, Value::F32(0.5)), Ok(true.into()));
        assert_eq!(is_a(Wanted::Entries, Value::list(Vec::new())), Ok(true.into()));
    }

    #[test]
    fn entries_are_those_of_lists_sets_and_paths() {
        let entries: std::sync::Arc<[Value]> = vec![Value::I64(1), Value::Null].into();
        let list = Value::List(entries.clone());
        assert_eq!(require(Wanted::Entries, Value::Set(entries), Value::Null), Ok(list.clone()));
        assert_eq!(require(Wanted::Entries, list.clone(), Value::Null), Ok(list));
        require(Wanted::Entries, Value::map(Vec::new()), Value::Null).expect_err("no list");
    }
}
