//! Values that stand for parts of elements and of traversals: properties as things, trees, tokens.
//!
//! A property of a vertex has an identity of its own (owner, key, ordinal), since a key may have
//! several; any other property is its owner, key and value. A part of a graph is its elements, by
//! id.

use std::sync::Arc;

use super::value::Value;
use crate::base::ids::{Direction, EdgeId, VertexId};

/// A property of a vertex.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexProperty {
    /// Its vertex.
    pub owner: VertexId,
    /// Its key.
    pub key: Arc<str>,
    /// Which of the key's values, from 0.
    pub ordinal: u32,
}

/// A property of an edge, or of a vertex's property.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Property {
    /// Its owner: an edge or a vertex property.
    pub owner: Value,
    /// Its key.
    pub key: Arc<str>,
    /// Its value.
    pub value: Value,
}

/// Paths folded by their common beginnings: branches in order of appearance.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tree {
    /// A value and the branches behind it.
    pub branches: Vec<(Value, Tree)>,
}

/// A part of a graph: which vertices and edges are in it, each once and ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subgraph {
    vertices: Vec<VertexId>,
    edges: Vec<EdgeId>,
}

impl Subgraph {
    /// The part that these elements are; the ends of its edges should be among its vertices.
    pub fn new(mut vertices: Vec<VertexId>, mut edges: Vec<EdgeId>) -> Subgraph {
        vertices.sort_unstable();
        vertices.dedup();
        edges.sort_unstable();
        edges.dedup();
        Subgraph { vertices, edges }
    }

    /// Its vertices.
    pub fn vertices(&self) -> &[VertexId] {
        &self.vertices
    }

    /// Its edges.
    pub fn edges(&self) -> &[EdgeId] {
        &self.edges
    }
}

/// A part of an element, named where a key could stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Token {
    /// Its id.
    Id,
    /// Its label or type.
    Label,
    /// A property's key.
    Key,
    /// A property's value.
    Value,
    /// The vertex an edge leads out of, into, or both.
    End(Direction),
}

impl Token {
    /// All of them, each at its number. The number is kept in files, so a new one goes to the end.
    pub const ALL: [Token; 7] = [
        Token::Id,
        Token::Label,
        Token::Key,
        Token::Value,
        Token::End(Direction::Out),
        Token::End(Direction::In),
        Token::End(Direction::Both),
    ];

    /// Its number, ascending with the order of tokens.
    pub fn number(self) -> u8 {
        match self {
            Token::Id => 0,
            Token::Label => 1,
            Token::Key => 2,
            Token::Value => 3,
            Token::End(direction) => 4 + direction as u8,
        }
    }

    /// The token of a number.
    pub fn of_number(number: u8) -> Option<Token> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_graph_has_each_element_once() {
        let [one, two] = [1, 2].map(VertexId);
        let part = Subgraph::new(vec![two, one, two], vec![EdgeId(5), EdgeId(4), EdgeId(5)]);
        assert_eq!(part.vertices(), [one, two]);
        assert_eq!(part.edges(), [EdgeId(4), EdgeId(5)]);
        assert_eq!(part, Subgraph::new(vec![one, two], vec![EdgeId(4), EdgeId(5)]));
    }

    #[test]
    fn tokens_go_to_their_numbers_and_back_in_order() {
        for (number, token) in (0u8..).zip(Token::ALL) {
            assert_eq!((token.number(), Token::of_number(number)), (number, Some(token)));
        }
        assert!(Token::ALL.is_sorted());
        assert_eq!(Token::of_number(7), None);
    }
}
