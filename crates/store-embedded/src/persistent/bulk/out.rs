//! Edge rows of one partition and type as out lists, edges and columns.

use millrace_model::EdgeTypeId;

use super::key_columns::reordered;
use super::rows::EdgeRows;
use crate::base::error::Result;
use crate::base::limits::EDGE_RUN_BITS;
use crate::persistent::image::{
    EdgeSection, Ends, Image, ListRows, ListSection, ListSlots, Section, SlotSet, SortedRows,
    edges_of, slot_order,
};

/// Edges that get slots in list order: everything but lists and columns is implied.
pub(super) fn add_assigned(
    image: &mut Image,
    edge_type: EdgeTypeId,
    rows: EdgeRows,
    first: u32,
) -> Result<ListSection> {
    let len = rows.len() as u32;
    let sorted = SortedRows::sort(&rows.sources, &rows.targets, |row| row as u32)?;
    let EdgeRows { columns, .. } = rows;
    if !columns.is_empty() {
        let order = sorted.low_halves();
        for (key, column) in columns.into_columns() {
            image.add_edge_column(edge_type, key, reordered(column, &order, None));
        }
    }
    let edges = EdgeSection { slots: SlotSet::Range { first, len }, ends: Ends::Implied };
    image.edges.insert(edge_type, Section::of(edges));
    image.runs.lease_slots(first, len, edge_type);
    Ok(sorted.into_section(ListSlots::Implied { first }))
}

/// Edges that came with their slots.
pub(super) fn add_given(
    image: &mut Image,
    edge_type: EdgeTypeId,
    rows: EdgeRows,
) -> Result<ListSection> {
    let EdgeRows { sources, targets, slots, columns } = rows;
    let rows = ListRows { locals: sources, neighbours: targets, slots };
    let edges = edges_of(&rows);
    if !columns.is_empty() {
        let order = slot_order(&rows.slots);
        let places: Vec<u32> = edges.slots.iter().map(|(_, row)| row).collect();
        for (key, column) in columns.into_columns() {
            image.add_edge_column(edge_type, key, reordered(column, &order, Some(&places)));
        }
    }
    for (slot, _) in edges.slots.iter() {
        image.runs.lease(slot >> EDGE_RUN_BITS, edge_type);
    }
    image.edges.insert(edge_type, Section::of(edges));
    rows.into_sorted()
}
