//! `typeOf`: the types of Gremlin by the words that values have for theirs.

use millrace_bytecode::Instruction;
use millrace_model::{Result, Value};
use millrace_plan::{Comparison, Expr, Function};

use super::calls::wrong;

/// Each type of Gremlin, in its forms, and the words of the values that are of it.
const TYPES: &[(&[&str], &[&str])] = &[
    (&["BIGDECIMAL", "BigDecimal"], &["decimal"]),
    (&["BIGINT", "BigInteger"], &["big integer"]),
    (&["BINARY", "ByteBuffer"], &["bytes"]),
    (&["BOOLEAN", "Boolean"], &["boolean"]),
    (&["BYTE", "Byte"], &["8-bit integer"]),
    (&["CHAR", "Character"], &["character"]),
    (&["DATETIME", "OffsetDateTime"], &["datetime"]),
    (&["DOUBLE", "Double"], &["double"]),
    (&["DURATION", "Duration"], &["duration"]),
    (&["EDGE", "Edge"], &["edge"]),
    (&["FLOAT", "Float"], &["float"]),
    (&["GRAPH", "Graph"], &["graph"]),
    (&["INT", "Integer"], &["32-bit integer"]),
    (&["LIST", "List"], &["list"]),
    (&["LONG", "Long"], &["integer"]),
    (&["MAP", "Map"], &["map"]),
    (&["NULL"], &["null"]),
    (
        &["NUMBER", "Number"],
        &[
            "8-bit integer",
            "16-bit integer",
            "32-bit integer",
            "integer",
            "float",
            "double",
            "decimal",
            "big integer",
        ],
    ),
    (&["PATH", "Path"], &["path"]),
    (&["PROPERTY", "Property"], &["property", "vertex property"]),
    (&["SET", "Set"], &["set"]),
    (&["SHORT", "Short"], &["16-bit integer"]),
    (&["STRING", "String"], &["string"]),
    (&["TREE", "Tree"], &["tree"]),
    (&["UUID"], &["uuid"]),
    (&["VERTEX", "Vertex"], &["vertex"]),
    (&["VPROPERTY", "VertexProperty"], &["vertex property"]),
];

/// The words of a type of Gremlin, as a list.
pub(super) fn words(of: &Instruction, name: &str) -> Result<Expr> {
    let found = TYPES.iter().find(|(names, _)| names.contains(&name));
    let (_, words) = found.ok_or_else(|| wrong(of, format!("knows no type {name}")))?;
    Ok(Expr::List(words.iter().map(|&word| Expr::literal(word)).collect()))
}

/// Whether a value is of a type: one that [`words`] gave, or a name.
pub(super) fn is_of(of: &Instruction, value: Expr, operands: &[Expr]) -> Result<Expr> {
    let words = match operands {
        [Expr::Literal(Value::String(name))] => words(of, name)?,
        [words @ Expr::List(_)] => words.clone(),
        _ => return Err(wrong(of, "has a typeOf() of other than one type")),
    };
    if words == Expr::List(vec![Expr::literal("null")]) {
        let absent = Expr::IsAbsent(Box::new(value.clone())).negate();
        return Ok(Expr::And(vec![Expr::IsNull(Box::new(value)), absent]));
    }
    let null = Expr::IsNull(Box::new(value.clone())).negate();
    let word = Expr::call(Function::TypeName, vec![value]);
    let holds = Expr::InList { item: Box::new(word), list: Box::new(words) };
    let truth = Expr::compare(Comparison::Equal, holds, Expr::literal(true));
    Ok(Expr::And(vec![null, truth]))
}
