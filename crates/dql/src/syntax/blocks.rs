//! Query blocks, with their roots.

use super::arguments::page_or_order;
use super::children::children;
use super::directives::directive;
use super::functions::{invalid_keyword, is_variable, root_function};
use super::lists::{in_parentheses, set_once};
use super::values::{value, variable_in};
use crate::text::{Cursor, Described, Read, described, name};
use crate::tree::{
    Block, Directives, Name, Order, Page, PathEnd, Root, ShortestPath, Value, ValueKind,
};

/// The kinds of ids of the form of 2016.
const ID_KEYS: [&str; 4] = ["_uid_", "_xid_", "id", "xid"];

/// The blocks in the braces that come next.
pub(super) fn blocks(cursor: &mut Cursor<'_>) -> Read<Vec<Block>> {
    let opened = cursor.here();
    cursor.must_take('{', "before query blocks")?;
    let mut blocks = Vec::new();
    while !cursor.take('}') {
        if cursor.is_end() {
            return Err(cursor
                .error(opened, "Unclosed action")
                .with_help("close this brace with `}`"));
        }
        cursor.count_node()?;
        blocks.push(block(cursor)?);
        cursor.take(',');
    }
    Ok(blocks)
}

fn block(cursor: &mut Cursor<'_>) -> Read<Block> {
    let offset = cursor.here();
    let mut block_name = name(cursor, "the name of a query block, or `}`")?.name;
    let mut variable = None;
    if cursor.take_word("as") {
        variable = Some(block_name);
        block_name = name(cursor, "the name of a query block")?.name;
    }
    let mut found = Block {
        offset,
        variable,
        name: block_name,
        root: Root::Absent,
        page: Page::default(),
        order: Vec::new(),
        directives: Directives::default(),
        children: Vec::new(),
    };
    if found.name.text.eq_ignore_ascii_case("shortest") {
        found.root = Root::Shortest(Box::default());
    }
    roots(cursor, &mut found)?;
    while cursor.take('@') {
        directive(cursor, &mut found.directives)?;
    }
    if cursor.is('{') {
        found.children = children(cursor)?;
    }
    Ok(found)
}

/// The arguments of a block.
fn roots(cursor: &mut Cursor<'_>, block: &mut Block) -> Read<()> {
    let context = "of the arguments of a query block";
    in_parentheses(cursor, context, |cursor| {
        let key = name(cursor, "an argument such as `func`")?.name;
        cursor.must_take(':', "behind the name of an argument, such as `func`")?;
        let Block { root, page, order, .. } = block;
        argument(cursor, &key, root, page, order)
    })?;
    Ok(())
}

fn argument(
    cursor: &mut Cursor<'_>,
    key: &Name,
    root: &mut Root,
    page: &mut Page,
    order: &mut Vec<Order>,
) -> Read<()> {
    if page_or_order(cursor, key, page, order)? {
        return Ok(());
    }
    if let Root::Shortest(path) = root {
        return path_argument(cursor, key, path);
    }
    let is_function = key.text.eq_ignore_ascii_case("func");
    if !is_function && !ID_KEYS.contains(&key.text.as_str()) {
        return Err(invalid_keyword(cursor, key.offset, &key.text));
    }
    if *root != Root::Absent {
        return Err(cursor.error(key.offset, "a query block has one root"));
    }
    *root = match is_function {
        true => Root::Function(root_function(cursor)?),
        false => Root::Id { key: key.clone(), value: value(cursor)? },
    };
    Ok(())
}

/// Arguments of a block that finds paths.
#[rustfmt::skip]
pub(crate) const PATH_ARGUMENTS: [Described; 7] = [
    described("from", "from: 0x1", "Where paths begin: a uid, or `uid(a)` of a variable with one."),
    described("to", "to: uid(b)", "Where they end."),
    described("numpaths", "numpaths: 3", "How many of them; one otherwise."),
    described("depth", "depth: 5", "How many edges one has at most."),
    described("minweight", "minweight: 1.5", "The least sum of weights."),
    described("maxweight", "maxweight: 9", "The greatest sum of weights."),
    described("maxfrontiersize", "maxfrontiersize: 1000", "How many paths are looked at, at most."),
];

fn path_argument(cursor: &mut Cursor<'_>, key: &Name, path: &mut ShortestPath) -> Read<()> {
    let into = match key.text.to_lowercase().as_str() {
        "from" => {
            let end = path_end(cursor)?;
            return set_once(cursor, &mut path.from, key, end);
        }
        "to" => {
            let end = path_end(cursor)?;
            return set_once(cursor, &mut path.to, key, end);
        }
        "numpaths" => &mut path.path_count,
        "depth" => &mut path.depth,
        "minweight" => &mut path.weight_min,
        "maxweight" => &mut path.weight_max,
        "maxfrontiersize" => &mut path.frontier_size_max,
        _ => return Err(invalid_keyword(cursor, key.offset, &key.text)),
    };
    let option = value(cursor)?;
    set_once(cursor, into, key, option)
}

/// `0x1`, `$from`, `uid(a)`, `uid(0x1)`.
fn path_end(cursor: &mut Cursor<'_>) -> Read<PathEnd> {
    let is_uid_next = |cursor: &mut Cursor<'_>| {
        cursor.take_word("uid")
            && cursor.take('(')
            && value(cursor).is_ok_and(|found| !names_variable(&found))
    };
    if !cursor.is_word_then("uid", '(') {
        return Ok(PathEnd::Uid(value(cursor)?));
    }
    if cursor.looking(is_uid_next) {
        cursor.take_word("uid");
        cursor.take('(');
        let uid = value(cursor)?;
        cursor.must_take(')', "behind a uid")?;
        return Ok(PathEnd::Uid(uid));
    }
    Ok(PathEnd::Variable(variable_in(cursor, "uid")?))
}

fn names_variable(found: &Value) -> bool {
    matches!(&found.kind, ValueKind::Word(text) if is_variable(text))
}
