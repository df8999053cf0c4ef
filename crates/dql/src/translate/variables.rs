//! Variables: sets of nodes, and values of nodes, each a `Let` that later blocks and levels read.

use std::collections::{HashMap, HashSet};

use millrace_model::{Error, ErrorKind, Phase, Result};
use millrace_plan::{ApplyKind, ColumnId, Comparison, Expr, Fold, JoinKind, LetId, LetRead, op};

use super::levels::{BoundLevel, Level, LevelNumber};
use super::translator::Translator;
use crate::schema::Kind;
use crate::tree::{Filter, Function, Name, Offset, Subject};

/// The procedure that reads a value as one of a type.
const TYPED: &str = "dql.typed";

/// The variables that are defined so far.
#[derive(Default)]
pub(super) struct Variables {
    uids: HashMap<String, (LetId, ColumnId)>,
    values: HashMap<String, Values>,
    kinds: HashMap<String, Kind>,
    paths: HashSet<String>,
}

/// The values of a variable.
#[derive(Clone, Copy)]
pub(super) enum Values {
    /// One for each of some nodes.
    Nodes(ValueVariable),
    /// One for all, in a `Let` of one row.
    Scalar(LetId),
}

/// A value for each of some nodes.
#[derive(Clone, Copy)]
pub(super) struct ValueVariable {
    pub(super) name: LetId,
    pub(super) node: ColumnId,
    pub(super) value: ColumnId,
    /// The level whose nodes have them.
    pub(super) level: Option<LevelNumber>,
}

impl Translator<'_> {
    /// A variable of the nodes of a level.
    pub(super) fn define_uids(&mut self, name: &Name, level: &Level) -> Result<()> {
        let BoundLevel { rows, node: kept, parent, .. } = self.bound_level(level.number)?;
        let bound = match parent {
            None => (rows, kept),
            Some(_) => {
                // A node may have been reached from several.
                self.builder.begin_pipeline();
                let node = self.builder.column(&name.text);
                self.builder.push(op::LetRef { name: rows, columns: vec![(kept, node)] });
                self.builder.push(op::Dedup { columns: vec![node] });
                let keys = vec![self.uid_key(node)];
                self.builder.push(op::Sort { keys });
                let pipeline = self.builder.end_pipeline();
                (self.builder.bind_pipeline(&name.text, pipeline, vec![node]), node)
            }
        };
        self.variables.uids.insert(name.text.clone(), bound);
        Ok(())
    }

    /// A variable of values of the nodes of a level: what `build` gives for a node, where it is there.
    pub(super) fn define_values(
        &mut self,
        name: &Name,
        level: &Level,
        build: impl FnOnce(&mut Self, ColumnId) -> Result<Expr>,
    ) -> Result<()> {
        let BoundLevel { rows, node: kept, parent, .. } = self.bound_level(level.number)?;
        self.builder.begin_pipeline();
        let node = self.builder.column("node");
        self.builder.push(op::LetRef { name: rows, columns: vec![(kept, node)] });
        if parent.is_some() {
            self.builder.push(op::Dedup { columns: vec![node] });
        }
        let built = build(self, node);
        let value = self
            .builder
            .project(&name.text, built.as_ref().map_or(Expr::literal(false), Expr::clone));
        self.builder.filter(Expr::IsNull(Box::new(Expr::Column(value))).negate());
        let pipeline = self.builder.end_pipeline();
        built?;
        let bound = self.builder.bind_pipeline(&name.text, pipeline, vec![node, value]);
        let level = Some(level.number);
        self.define_value_rows(&name.text, ValueVariable { name: bound, node, value, level });
        Ok(())
    }

    /// A variable of values that a `Let` has already.
    pub(super) fn define_value_rows(&mut self, name: &str, variable: ValueVariable) {
        self.variables.values.insert(name.to_owned(), Values::Nodes(variable));
    }

    /// A variable of the number of a level's nodes.
    pub(super) fn define_size(&mut self, name: &Name, level: &Level) -> Result<()> {
        let BoundLevel { rows, node: kept, .. } = self.bound_level(level.number)?;
        self.builder.begin_pipeline();
        let node = self.builder.column("node");
        self.builder.push(op::LetRef { name: rows, columns: vec![(kept, node)] });
        let size = self.builder.aggregate(&[], &name.text, Fold::Count);
        let pipeline = self.builder.end_pipeline();
        let bound = self.builder.bind_pipeline(&name.text, pipeline, vec![size]);
        self.define_scalar(&name.text, bound);
        Ok(())
    }

    /// A variable of nodes that a `Let` has.
    pub(super) fn define_node_set(&mut self, name: &str, bound: (LetId, ColumnId)) {
        self.variables.uids.insert(name.to_owned(), bound);
    }

    /// A variable of the nodes of a path, which are in the order of the path.
    pub(super) fn define_path(&mut self, name: &str, bound: (LetId, ColumnId)) {
        self.define_node_set(name, bound);
        self.variables.paths.insert(name.to_owned());
    }

    /// Whether a variable has the nodes of a path.
    pub(super) fn is_path(&self, name: &str) -> bool {
        self.variables.paths.contains(name)
    }

    /// The type of a variable's values.
    pub(super) fn note_kind(&mut self, name: &str, kind: Kind) {
        self.variables.kinds.insert(name.to_owned(), kind);
    }

    /// The type of a variable's values, if it is that of a predicate.
    pub(crate) fn kind_of(&self, name: &str) -> Option<Kind> {
        self.variables.kinds.get(name).copied()
    }

    /// A variable of one value.
    pub(super) fn define_scalar(&mut self, name: &str, scalar: LetId) {
        self.variables.values.insert(name.to_owned(), Values::Scalar(scalar));
    }

    /// The `Let` of a variable's nodes, and its column. One of values has the nodes that have one.
    pub(crate) fn uid_variable(&self, name: &str) -> Result<(LetId, ColumnId)> {
        let of_values = || match self.variables.values.get(name)? {
            Values::Nodes(own) => Some((own.name, own.node)),
            Values::Scalar(_) => None,
        };
        self.variables.uids.get(name).copied().or_else(of_values).ok_or_else(|| undefined(name))
    }

    /// Whether a variable has one value for all.
    pub(super) fn is_scalar(&self, name: &str) -> bool {
        matches!(self.variables.values.get(name), Some(Values::Scalar(_)))
    }

    /// The values of a variable.
    pub(super) fn values_of(&self, name: &str, at: Offset) -> Result<Values> {
        self.variables.values.get(name).copied().ok_or_else(|| {
            let detail = match self.variables.uids.contains_key(name) {
                true => format!("the variable {name} has nodes and no values"),
                false => format!("Variable: [{name}] used before definition."),
            };
            self.wrong(at, detail)
        })
    }

    /// The value of a node in a variable, in a new column of the open pipeline.
    pub(crate) fn join_value(
        &mut self,
        node: ColumnId,
        name: &str,
        kind: JoinKind,
    ) -> Result<ColumnId> {
        match self.values_of(name, Offset::default())? {
            Values::Nodes(variable) => Ok(self.join_rows(node, variable, kind)),
            Values::Scalar(scalar) => {
                Ok(self.builder.project(name, Expr::Let { name: scalar, read: LetRead::First }))
            }
        }
    }

    /// The same of some values.
    pub(super) fn join_rows(
        &mut self,
        node: ColumnId,
        variable: ValueVariable,
        kind: JoinKind,
    ) -> ColumnId {
        let [own, value] = ["node", "value"].map(|name| self.builder.column(name));
        self.builder.begin_pipeline();
        let columns = vec![(variable.node, own), (variable.value, value)];
        self.builder.push(op::LetRef { name: variable.name, columns });
        let right = self.builder.end_pipeline();
        self.builder.push(op::Join { right, kind, on: vec![(node, own)] });
        value
    }

    /// A value as one of a type, in a new column of the open pipeline; the predicate that has the type is for an error.
    pub(crate) fn typed(&mut self, value: ColumnId, kind: &str, predicate: &str) -> ColumnId {
        let typed = self.builder.column("typed");
        self.builder.push(op::Call {
            procedure: millrace_plan::Name::from(TYPED),
            arguments: vec![Expr::Column(value), Expr::literal(kind), Expr::literal(predicate)],
            yields: vec![(millrace_plan::Name::from("value"), typed)],
            writes: false,
        });
        typed
    }

    /// The number of a variable's nodes, as an expression of any row.
    fn length(&mut self, name: &str) -> Result<Expr> {
        let (rows, kept) = self.uid_variable(name)?;
        self.builder.begin_pipeline();
        let count = self.builder.column("length");
        self.builder.begin_pipeline();
        let node = self.builder.column("node");
        self.builder.push(op::LetRef { name: rows, columns: vec![(kept, node)] });
        let sub = self.builder.end_pipeline();
        let kind = ApplyKind::Value { fold: Fold::Count, to: count };
        self.builder.push(op::Apply { sub, kind });
        let pipeline = self.builder.end_pipeline();
        let bound = self.builder.bind_pipeline("length", pipeline, vec![count]);
        Ok(Expr::Let { name: bound, read: LetRead::First })
    }

    /// `len(x)` compared with a number, as `eq(len(x), 0)`.
    pub(super) fn compared_length(&mut self, function: &Function) -> Result<Expr> {
        let Subject::Length(name) = &function.subject else {
            return Err(self.wrong(function.offset, "a condition compares `len` of a variable"));
        };
        let comparison = match function.name.as_str() {
            "eq" => Comparison::Equal,
            "le" => Comparison::LessEqual,
            "lt" => Comparison::Less,
            "ge" => Comparison::GreaterEqual,
            "gt" => Comparison::Greater,
            _ => {
                let detail = format!("{} does not compare `len` of a variable", function.name);
                return Err(self.wrong(function.offset, detail));
            }
        };
        let length = self.length(&name.text)?;
        let value = super::functions::only_value(self, function)?;
        let operand = self.operands.operand(value, Kind::Int)?;
        Ok(Expr::compare(comparison, length, operand))
    }

    /// Whether the condition of a mutation holds, as a `Let` of one truth.
    pub(crate) fn bound_condition(&mut self, condition: &Filter) -> Result<LetId> {
        let holds = self.truth(condition)?;
        self.builder.begin_pipeline();
        let truth = self.builder.project("holds", holds);
        let pipeline = self.builder.end_pipeline();
        Ok(self.builder.bind_pipeline("if", pipeline, vec![truth]))
    }

    fn truth(&mut self, condition: &Filter) -> Result<Expr> {
        let all = |own: &mut Self, all: &[Filter]| -> Result<Vec<Expr>> {
            all.iter().map(|one| own.truth(one)).collect()
        };
        Ok(match condition {
            Filter::Function(function) => self.compared_length(function)?,
            Filter::Not { of, .. } => self.truth(of)?.negate(),
            Filter::And(own) => Expr::And(all(self, own)?),
            Filter::Or(own) => Expr::Or(all(self, own)?),
        })
    }
}

fn undefined(name: &str) -> Error {
    let detail = format!("Some variables are used but not defined: {name}");
    Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile)
}
