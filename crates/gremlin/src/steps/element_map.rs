//! `elementMap(keys)`: id, label, ends and properties as a map.

use millrace_model::{Direction, Result, Token, Value};
use millrace_plan::functions::Which;
use millrace_plan::{End, Expr, Function, Op};

use crate::steps::Step;
use crate::translate::{At, Call, Kind, Traversal, elements};

pub(super) const STEP: Step = Step { name: "elementMap", modulators: &[], translate };

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let keys = Some(call.keys()?).filter(|keys| !keys.is_empty());
    let tokens: &[Token] = match at.kind {
        Kind::Property => &[Token::Id, Token::Key, Token::Value],
        _ => &[Token::Id, Token::Label],
    };
    let pairs = tokens.iter().map(|token| {
        Expr::List(vec![Expr::Literal(Value::Token(*token)), traversal.token(at, *token)])
    });
    let mut pairs: Vec<Expr> = pairs.collect();
    if at.kind == Kind::Edge {
        for (direction, end) in [(Direction::In, End::Target), (Direction::Out, End::Source)] {
            let to = traversal.plan.column("end");
            traversal.plan.push(Op::Ends { edge: at.column, end, to });
            let own = [Token::Id, Token::Label].map(|token| {
                let end = At::new(to, Kind::Vertex);
                Expr::List(vec![Expr::Literal(Value::Token(token)), elements::token(end, token)])
            });
            let own = Expr::call(Function::MapOfPairs, vec![Expr::List(own.to_vec())]);
            pairs.push(Expr::List(vec![Expr::Literal(Value::Token(Token::End(direction))), own]));
        }
    }
    let own = Expr::call(Function::MapOfPairs, vec![Expr::List(pairs)]);
    let all = match at.kind {
        Kind::Property => super::value_map::own_properties(traversal, at, keys),
        Kind::Edge => elements::properties(at, keys),
        // As TinkerPop has it: of several values the last.
        _ => {
            let all = elements::properties(at, keys);
            Expr::call(Function::OneOfEach(Which::Last), vec![all])
        }
    };
    let map = Expr::call(Function::MergeMaps, vec![own, all]);
    traversal.moved_to("element", map, Kind::Map);
    Ok(())
}
