//! What a text mentions, for hints: by its tokens, as a name that is no label or type costs a look-up.
//!
//! Statements inside of strings count, since some calls run them.

use std::collections::BTreeSet;

use millrace_plan::Mentioned;

use super::lexer::{self, Placed, Token};
use crate::tree::Name;

/// Words that begin a pattern.
const PATTERNS: [&str; 7] = ["all", "any", "collect", "count", "exists", "match", "merge"];

/// What a text mentions; of one that does not parse nothing.
pub(crate) fn mentioned(text: &str) -> Mentioned {
    let mut mentioned = Mentioned::default();
    let mut names = BTreeSet::new();
    add(text, true, &mut mentioned, &mut names);
    mentioned.patterns |= mentioned.hops;
    mentioned.names = names.into_iter().collect();
    mentioned
}

fn add(text: &str, is_outer: bool, mentioned: &mut Mentioned, names: &mut BTreeSet<Name>) {
    let Ok((tokens, _)) = lexer::tokens(text) else { return };
    for (index, placed) in tokens.iter().enumerate() {
        match &placed.token {
            Token::Word(word) => {
                mentioned.patterns |= PATTERNS.iter().any(|own| own.eq_ignore_ascii_case(word));
                names.insert(Name::from(*word));
            }
            Token::Quoted(name) => {
                names.insert(Name::clone(name));
            }
            Token::Text(inner) if is_outer && inner.contains('(') => {
                add(inner, false, mentioned, names);
            }
            Token::Mark("-") => match tokens.get(index + 1).map(|next| &next.token) {
                Some(Token::Mark("-")) => {
                    (mentioned.hops, mentioned.untyped_hops) = (true, true);
                }
                Some(Token::Mark("[")) => {
                    mentioned.hops = true;
                    mentioned.untyped_hops |= !is_typed(&tokens[index + 2..]);
                }
                _ => {}
            },
            Token::Integer(_)
            | Token::Float(_)
            | Token::Text(_)
            | Token::Parameter(_)
            | Token::Mark(_)
            | Token::End => {}
        }
    }
}

/// Whether a hop has a type, from behind its bracket on.
fn is_typed(tokens: &[Placed<'_>]) -> bool {
    let is_end = |placed: &&Placed<'_>| matches!(placed.token, Token::Mark("]" | "{") | Token::End);
    let own = tokens.iter().take_while(|placed| !is_end(placed));
    own.into_iter().any(|placed| placed.token == Token::Mark(":"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let Mentioned { patterns, hops, untyped_hops, names } = mentioned(text);
        format!("{patterns} {hops} {untyped_hops} {}", names.join(","))
    }

    #[test]
    fn a_text_mentions_its_words_and_whether_it_has_patterns_and_hops() {
        assert_eq!(shown("RETURN 1 - 2"), "false false false RETURN");
        assert_eq!(shown("MATCH (a:`L b`)"), "true false false L b,MATCH,a");
        assert_eq!(shown("MATCH ()-[r:T {x: 1}]->()"), "true true false MATCH,T,r,x");
        assert_eq!(shown("MATCH ()<-[r {x: [n:L]}]-()"), "true true true L,MATCH,n,r,x");
        assert_eq!(shown("RETURN [(a)-->(b) | a]"), "true true true RETURN,a,b");
        assert_eq!(shown("CALL f('MATCH (a:B)-[:T]->()')"), "true true false B,CALL,MATCH,T,a,f");
    }
}
