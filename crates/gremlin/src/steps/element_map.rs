//! `elementMap(keys)`: id, label, ends and properties as a map.

use millrace_model::{Direction, Result, Token, Value};
use millrace_plan::functions::Which;
use millrace_plan::{End, Expr, Function, Name, op};

use crate::steps::{Fact, Step};
use crate::translate::{At, Call, Kind, Traversal, elements};

pub(super) const STEP: Step =
    Step::new("elementMap", translate).facts(&[Fact::NamesKeys, Fact::MapsProperties]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let keys = Some(call.keys()?).filter(|keys| !keys.is_empty());
    let map = match at.kind {
        Kind::Property => of_property(traversal, at, keys),
        Kind::Edge => of_edge(traversal, at, at, keys),
        Kind::Vertex => of_vertex(traversal, at, keys),
        _ => of_any(traversal, at, keys),
    };
    traversal.moved_to("element", map, Kind::Map);
    Ok(())
}

/// The map of an object of unknown kind: each row is tested at run time.
fn of_any(traversal: &mut Traversal<'_>, at: At, keys: Option<Vec<Name>>) -> Expr {
    let own = Expr::Column(at.column);
    let is_edge = elements::is_of_type(&own, "edge");
    // Only edges have ends; of null there is none.
    let edge = elements::either(is_edge.clone(), own.clone(), Expr::Literal(Value::Null));
    let edge = At::new(traversal.project("edge", edge), Kind::Edge);
    let branches = vec![
        (is_edge, of_edge(traversal, at, edge, keys.clone())),
        (elements::is_property(&own), of_property(traversal, at, keys.clone())),
    ];
    let otherwise = Some(Box::new(of_vertex(traversal, at, keys)));
    Expr::Case { branches, otherwise }
}

fn of_vertex(traversal: &Traversal<'_>, at: At, keys: Option<Vec<Name>>) -> Expr {
    // As TinkerPop has it: of several values the last.
    let all = Expr::call(Function::SingleValues(Which::Last), vec![elements::properties(at, keys)]);
    put_before(pairs(traversal, at, &[Token::Id, Token::Label]), all)
}

fn of_property(traversal: &mut Traversal<'_>, at: At, keys: Option<Vec<Name>>) -> Expr {
    let own = super::value_map::own_properties(traversal, at, keys);
    put_before(pairs(traversal, at, &[Token::Id, Token::Key, Token::Value]), own)
}

/// `edge` holds the rows' edges and may be null where `at` holds something else.
fn of_edge(traversal: &mut Traversal<'_>, at: At, edge: At, keys: Option<Vec<Name>>) -> Expr {
    let mut all = pairs(traversal, edge, &[Token::Id, Token::Label]);
    for (direction, end) in [(Direction::In, End::Target), (Direction::Out, End::Source)] {
        let to = traversal.plan.column("end");
        traversal.plan.push(op::Endpoints { edge: edge.column, end, to });
        let own = pairs(traversal, At::new(to, Kind::Vertex), &[Token::Id, Token::Label]);
        let own = Expr::call(Function::MapOfPairs, vec![Expr::List(own)]);
        all.push(Expr::List(vec![Expr::Literal(Value::Token(Token::End(direction))), own]));
    }
    put_before(all, elements::properties(at, keys))
}

/// Pairs of a token and the part of an element that it names.
fn pairs(traversal: &Traversal<'_>, at: At, tokens: &[Token]) -> Vec<Expr> {
    let pair = |token: &Token| {
        Expr::List(vec![Expr::Literal(Value::Token(*token)), traversal.token(at, *token)])
    };
    tokens.iter().map(pair).collect()
}

fn put_before(pairs: Vec<Expr>, properties: Expr) -> Expr {
    let own = Expr::call(Function::MapOfPairs, vec![Expr::List(pairs)]);
    Expr::call(Function::MergeMaps, vec![own, properties])
}
