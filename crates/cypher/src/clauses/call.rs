//! `CALL` of a procedure.

use millrace_model::{Error, ErrorKind, Phase, Result, TextPosition};
use millrace_plan::op::{self, ApplyKind};
use millrace_plan::{ColumnId, Name as PlanName};

use super::{Clause, call_subquery};
use crate::expressions::value_of;
use crate::text::{Parser, Read};
use crate::translate::Translator;
use crate::tree::{Expr, Name, Variable};

/// `[OPTIONAL] CALL name(arguments) YIELD items WHERE test`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) at: TextPosition,
    pub(crate) optional: bool,
    /// The name with its namespace.
    pub(crate) name: Name,
    /// The arguments; `None`: a standalone call without parentheses takes them from parameters.
    pub(crate) arguments: Option<Vec<Expr>>,
    pub(crate) yields: Option<Yield>,
}

/// What a call yields.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Yield {
    /// `YIELD *`; `YIELD -` is no item.
    pub(crate) all: bool,
    pub(crate) items: Vec<YieldItem>,
    pub(crate) test: Option<Expr>,
}

/// `column AS variable`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct YieldItem {
    pub(crate) at: TextPosition,
    pub(crate) column: Name,
    pub(crate) variable: Variable,
}

/// `CALL …`, of a procedure or of a subquery.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    read_optional(parser, at, false)
}

/// The same behind `OPTIONAL`.
pub(super) fn read_optional(
    parser: &mut Parser<'_>,
    at: TextPosition,
    optional: bool,
) -> Read<Clause> {
    parser.expect_word("CALL")?;
    if parser.is_mark("{") || parser.is_mark("(") {
        return call_subquery::read(parser, at, optional).map(Clause::CallSubquery);
    }
    let name = parser.dotted_name("a procedure")?;
    let arguments = match parser.take("(") {
        true => Some(read_arguments(parser)?),
        false => None,
    };
    let yields = match parser.take_word("YIELD") {
        true => Some(Yield::read(parser)?),
        false => None,
    };
    Ok(Clause::Call(Call { at, optional, name, arguments, yields }))
}

fn read_arguments(parser: &mut Parser<'_>) -> Read<Vec<Expr>> {
    if parser.take(")") {
        return Ok(Vec::new());
    }
    let arguments = parser.list(Parser::expression)?;
    parser.expect(")")?;
    Ok(arguments)
}

impl Yield {
    /// The items and their test, behind `YIELD`.
    pub(crate) fn read(parser: &mut Parser<'_>) -> Read<Yield> {
        let mut yields = Yield::read_items(parser)?;
        yields.test = parser.test()?;
        Ok(yields)
    }

    /// The items only.
    pub(crate) fn read_items(parser: &mut Parser<'_>) -> Read<Yield> {
        let all = parser.take("*");
        let items = match all || parser.take("-") {
            true => Vec::new(),
            false => parser.list(YieldItem::read)?,
        };
        Ok(Yield { all, items, test: None })
    }
}

impl YieldItem {
    fn read(parser: &mut Parser<'_>) -> Read<YieldItem> {
        let at = parser.position();
        let variable = parser.variable()?;
        let column = variable.name.clone();
        let variable = match parser.take_word("AS") {
            true => parser.variable()?,
            false => variable,
        };
        Ok(YieldItem { at, column, variable })
    }
}

impl Call {
    /// The columns that it yields, which are the result where the call is the whole statement.
    pub(super) fn translate(&self, translator: &mut Translator<'_>) -> Result<Vec<ColumnId>> {
        if self.optional {
            let (sub, columns) = translator.sub(|sub| self.called(sub))?;
            translator.apply(sub, ApplyKind::Optional);
            self.bind(translator, &columns);
            return Ok(columns);
        }
        self.called(translator)
    }

    fn called(&self, translator: &mut Translator<'_>) -> Result<Vec<ColumnId>> {
        let Some(signature) = translator.signatures.named(&self.name) else {
            let detail = format!("there is no procedure {}", self.name);
            let error = Error::new(ErrorKind::Bug, detail);
            return Err(error.in_phase(Phase::Compile).at(self.at));
        };
        let writes = signature.writes;
        let mut arguments = Vec::new();
        match &self.arguments {
            Some(given) => {
                for argument in given {
                    arguments.push(value_of(translator, argument)?);
                }
            }
            None => {
                for argument in &signature.arguments {
                    arguments.push(translator.parameter(&argument.name));
                }
            }
        }
        let items = self.yields.iter().flat_map(|yields| &yields.items);
        let mut yields: Vec<(PlanName, ColumnId)> = Vec::new();
        for item in items {
            yields.push((item.column.clone(), translator.new_column(&item.variable)));
        }
        let columns: Vec<ColumnId> = yields.iter().map(|(_, column)| *column).collect();
        let procedure = self.name.clone();
        translator.plan.push(op::Call { procedure, arguments, yields, writes });
        self.bind(translator, &columns);
        if let Some(test) = self.yields.as_ref().and_then(|yields| yields.test.as_ref()) {
            translator.filter(test)?;
        }
        Ok(columns)
    }

    fn bind(&self, translator: &mut Translator<'_>, columns: &[ColumnId]) {
        let items = self.yields.iter().flat_map(|yields| &yields.items);
        items.zip(columns).for_each(|(item, &column)| translator.bind(&item.variable, column));
    }
}
