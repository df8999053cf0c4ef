//! Expressions that put values together or choose between them.

use std::sync::Arc;

use millrace_model::{Column, ColumnValues, Paths, Result, Value};
use millrace_plan::{Function, Name};

use super::arithmetic;
use super::evaluate::{Node, Rows};
use super::made::MadeValues;
use super::operand::Operand;
use super::texts;

pub(super) fn call(function: Function, arguments: &[Node], rows: &Rows<'_>) -> Result<Operand> {
    if let Some(made) = texts::of_parts(function, arguments, rows)? {
        return Ok(made);
    }
    call_with(function, &evaluate_all(arguments, rows)?, rows)
}

pub(super) fn call_with(
    function: Function,
    operands: &[Operand],
    rows: &Rows<'_>,
) -> Result<Operand> {
    if 0 < rows.len()
        && let Some(values) = constants(operands)
    {
        return Ok(Operand::Constant(function.call(&values)?));
    }
    if let Some(made) = texts::call(function, operands, rows.len())? {
        return Ok(made);
    }
    if let (Function::Operate(operation), [left, right]) = (function, operands)
        && let Some(numbers) = arithmetic::plain(operation, left, right, rows.len())?
    {
        return Ok(Operand::of(numbers));
    }
    if let (Function::TypeName, [operand]) = (function, operands)
        && let Some(word) = word_for_all(operand)
    {
        return Ok(Operand::Constant(Value::string(word)));
    }
    if let (Function::IsSimple, [Operand::Column(column)]) = (function, operands)
        && let ColumnValues::Path(paths) = &column.values
    {
        return Ok(are_simple(paths, column));
    }
    if let (Function::OrNull | Function::EquivalenceKey, [Operand::Constant(value)]) =
        (function, operands)
    {
        return Ok(Operand::Constant(function.call(std::slice::from_ref(value))?));
    }
    if let (
        Function::OrNull | Function::EquivalenceKey | Function::Storable,
        [Operand::Column(column)],
    ) = (function, operands)
        && is_as_it_is(function, &column.values)
    {
        return Ok(Operand::Column(with_null_for_absent(column)));
    }
    if let (Function::ElementAt(_) | Function::At, [Operand::Constant(list), places]) =
        (function, operands)
    {
        // One pair of arguments for all rows: the list is not handed over for each.
        let mut pair = [list.clone(), Value::Null];
        let entries = (0..rows.len()).map(|row| {
            pair[1] = places.value(row);
            function.call(&pair)
        });
        return Ok(Operand::of(Column::from_values(entries.collect::<Result<Vec<_>>>()?)));
    }
    let mut values = Vec::with_capacity(operands.len());
    let mut column = Column::default();
    let mut made = MadeValues::new(&rows.made);
    for row in 0..rows.len() {
        values.clear();
        values.extend(operands.iter().map(|operand| operand.value(row)));
        let value = function.call(&values)?;
        made.add(&value)?;
        column.push(value);
    }
    Ok(Operand::of(column))
}

/// The values of operands that are the same for all rows: the function is called once.
fn constants(operands: &[Operand]) -> Option<Vec<Value>> {
    let constant = |operand: &Operand| match operand {
        Operand::Constant(value) => Some(value.clone()),
        Operand::Column(_) => None,
    };
    operands.iter().map(constant).collect()
}

/// The word for the type of all entries, where the column knows that they are elements of one kind.
fn word_for_all(operand: &Operand) -> Option<&'static str> {
    let Operand::Column(column) = operand else { return None };
    if !operand.is_complete() {
        return None;
    }
    match &column.values {
        ColumnValues::Vertex(_) => Some("vertex"),
        ColumnValues::Edge(_) => Some("edge"),
        _ => None,
    }
}

/// Whether such a function gives every entry that is there as it is.
fn is_as_it_is(function: Function, values: &ColumnValues) -> bool {
    match values {
        ColumnValues::Bool(_) | ColumnValues::I64(_) | ColumnValues::String(_) => true,
        ColumnValues::Vertex(_) | ColumnValues::Edge(_) => function != Function::Storable,
        ColumnValues::F64(_) => function != Function::EquivalenceKey,
        ColumnValues::Value(_) | ColumnValues::Path(_) => function == Function::OrNull,
        // They have no value that a function takes.
        ColumnValues::Bag(_) | ColumnValues::Fields(_) => false,
    }
}

fn with_null_for_absent(column: &Arc<Column>) -> Arc<Column> {
    let Some(absents) = &column.absents else { return column.clone() };
    let mut present = Column { absents: None, ..(**column).clone() };
    let nulls = present.nulls.get_or_insert_default();
    absents.ones().for_each(|index| {
        nulls.insert(index);
    });
    Arc::new(present)
}

/// By the steps themselves: no path is made a value.
fn are_simple(paths: &Paths, column: &Column) -> Operand {
    let is_missing = |row| column.is_null(row) || column.is_absent(row);
    let last = paths.last.iter().enumerate();
    Operand::truths(
        last.map(|(row, last)| (!is_missing(row)).then(|| paths.trail.is_simple(*last))),
    )
}

pub(super) fn list(items: &[Node], rows: &Rows<'_>) -> Result<Operand> {
    if items.iter().all(Node::is_constant) {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            values.extend(item.evaluate(rows)?.get(0));
        }
        return Ok(Operand::Constant(Value::list(values)));
    }
    let operands = evaluate_all(items, rows)?;
    let mut made = MadeValues::new(&rows.made);
    let list = |row| {
        let list = Value::list(operands.iter().filter_map(|operand| operand.get(row)).collect());
        made.add(&list).map(|()| list)
    };
    let lists = (0..rows.len()).map(list).collect::<Result<Vec<_>>>()?;
    Ok(Operand::of(Column::from_values(lists)))
}

pub(super) fn map(pairs: &[(Name, Node)], rows: &Rows<'_>) -> Result<Operand> {
    let operands = pairs.iter().map(|(_, node)| node.evaluate(rows)).collect::<Result<Vec<_>>>()?;
    let mut made = MadeValues::new(&rows.made);
    let map = |row| {
        let entries = pairs.iter().zip(&operands).filter_map(|((name, _), operand)| {
            operand.get(row).map(|value| (Value::String(name.clone()), value))
        });
        let map = Value::map(entries.collect());
        made.add(&map).map(|()| map)
    };
    let maps = (0..rows.len()).map(map).collect::<Result<Vec<_>>>()?;
    Ok(Operand::of(Column::from_values(maps)))
}

fn evaluate_all(nodes: &[Node], rows: &Rows<'_>) -> Result<Vec<Operand>> {
    nodes.iter().map(|node| node.evaluate(rows)).collect()
}
