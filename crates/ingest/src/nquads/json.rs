//! Dgraph's JSON in a file: objects in one array, or one behind the other. Each is a node with what hangs below it, and
//! becomes the statements of a mutation that sets it.

use super::block::{BlockRules, QuadBlock};
use crate::error::BadRow;
use crate::json_values::SEPARATOR;
use crate::source::Block;
use crate::text::json::Json;
use millrace_quads::{Action, BlankNames, Statement, statements_of};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// The member with the namespace of an exported object.
const NAMESPACE: &str = "namespace";

/// Reads all values of a block: each whole, or not at all.
pub(crate) fn parse_json_block(block: &Block, rules: &BlockRules) -> QuadBlock {
    let (mut result, left_out) = parse_without(block, rules, &BTreeSet::new());
    if result.bad.is_empty() {
        return result;
    }
    // Statements of a bad object that come before its fault were added: once more, without these objects.
    let bad = std::mem::take(&mut result.bad);
    let (mut rest, _) = parse_without(block, rules, &left_out);
    rest.bad = bad;
    rest
}

/// The same without some of its values; and the numbers of those that are bad.
fn parse_without(
    block: &Block,
    rules: &BlockRules,
    left_out: &BTreeSet<usize>,
) -> (QuadBlock, BTreeSet<usize>) {
    let (mut result, mut bad) = (QuadBlock::by(rules), BTreeSet::new());
    // A block has blank nodes of its own, and so a number that no other block of the load has.
    let mut blanks = BlankNames::new(rules.blocks.fetch_add(1, Ordering::Relaxed));
    let mut next_line = block.first_line;
    for (number, text) in block.bytes.split(|byte| *byte == SEPARATOR).enumerate() {
        let lines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as u64;
        let blank = text.len() - text.trim_ascii_start().len();
        let line = next_line + lines(&text[..blank]);
        next_line += lines(text);
        if blank == text.len() || left_out.contains(&number) {
            continue;
        }
        if let Err(detail) = result.add_object(text, rules, &mut blanks) {
            let file = block.file.clone();
            result.bad.push(BadRow { file, line, column: 1, detail });
            bad.insert(number);
        }
    }
    (result, bad)
}

impl QuadBlock {
    /// Adds the statements of an object; where one is wrong, those before it are in.
    fn add_object(
        &mut self,
        text: &[u8],
        rules: &BlockRules,
        blanks: &mut BlankNames,
    ) -> Result<(), String> {
        let text = str::from_utf8(text)
            .map_err(|_| "expected UTF-8 text, found other bytes: convert the file".to_owned())?;
        let mut json = Json::parse_mutation(text.trim()).map_err(|fault| fault.detail)?;
        let namespace = take_namespace(&mut json)?;
        let Some(schema) = rules.declared.as_deref() else {
            return Err("Dgraph's JSON has no types: name its schema (--schema)".to_owned());
        };
        schema.check_namespace(namespace)?;
        let statements =
            statements_of(&json, Action::Set, blanks).map_err(|fault| fault.to_string())?;
        for statement in &statements {
            match statement {
                Statement::Quad(quad) => {
                    self.add_declared(schema, quad).map_err(|fault| fault.detail)?;
                }
                Statement::AllValues { .. } | Statement::AllPredicates { .. } => {
                    return Err("a load only adds, and this object deletes".to_owned());
                }
            }
        }
        Ok(())
    }
}

/// Takes the namespace out of an exported object; a predicate may have the name in other JSON, with another value.
fn take_namespace(json: &mut Json) -> Result<Option<u64>, String> {
    let Json::Object(members) = json else { return Ok(None) };
    let is_namespace = |(name, value): &(String, Json)| {
        name == NAMESPACE && value.as_str().is_some_and(|text| text.starts_with("0x"))
    };
    let Some(at) = members.iter().position(is_namespace) else { return Ok(None) };
    let (_, value) = members.remove(at);
    let digits = value.as_str().and_then(|text| text.strip_prefix("0x")).unwrap_or_default();
    u64::from_str_radix(digits, 16)
        .map(Some)
        .map_err(|_| format!("expected the number of a namespace, as 0x0, found {value}"))
}
