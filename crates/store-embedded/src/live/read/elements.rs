//! Existence, labels, ends and properties of sets of elements, over all partitions.

use std::ops::Range;
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Bits, Column, EdgeId, KeyId, LabelId, LogPosition, Result, VertexId};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};
use millrace_store::{Elements, Ends, Labels};

use crate::base::limits::GATHERED_ROWS_MAX;
use crate::live::read::numbers::{Numbers, consecutive};
use crate::live::{Partitions, View, local, ordinal_of_vertex, slot};
use crate::persistent::ordinal_of_edge;

impl Partitions {
    /// Which of the elements exist at a position.
    pub fn exist(&self, at: LogPosition, elements: Elements<'_>) -> Result<Bits> {
        let mut exist = Bits::unset(elements.len());
        match elements {
            Elements::Vertices(vertices) => {
                self.look(at, &Grouped::vertices(vertices), |view, chunk| {
                    let Some(reader) = view.map(View::vertices).transpose()? else { return Ok(()) };
                    for row in chunk.iter().map(|row| *row as usize) {
                        if reader.exists(local(vertices[row])) {
                            exist.insert(row);
                        }
                    }
                    Ok(())
                })
            }
            Elements::Edges(edges) => self.look(at, &Grouped::edges(edges), |view, chunk| {
                let Some(mut reader) = view.map(View::edges) else { return Ok(()) };
                for row in chunk.iter().map(|row| *row as usize) {
                    if reader.exists(slot(edges[row]))? {
                        exist.insert(row);
                    }
                }
                Ok(())
            }),
        }?;
        Ok(exist)
    }

    /// The labels of each vertex at a position; none for one that does not exist.
    pub fn labels(&self, at: LogPosition, vertices: &[VertexId]) -> Result<Vec<Labels>> {
        let mut labels = vec![Labels::from([]); vertices.len()];
        self.look(at, &Grouped::vertices(vertices), |view, chunk| {
            let Some(reader) = view.map(View::vertices).transpose()? else { return Ok(()) };
            for row in chunk.iter().map(|row| *row as usize) {
                if let Some(own) = reader.labels(local(vertices[row])) {
                    labels[row] = own.clone();
                }
            }
            Ok(())
        })?;
        Ok(labels)
    }

    /// Which of the vertices have a label at a position.
    pub fn have_label(
        &self,
        at: LogPosition,
        vertices: &[VertexId],
        label: LabelId,
    ) -> Result<Bits> {
        let mut have = Bits::unset(vertices.len());
        self.look(at, &Grouped::vertices(vertices), |view, chunk| {
            let Some(reader) = view.map(View::vertices).transpose()? else { return Ok(()) };
            for row in chunk.iter().map(|row| *row as usize) {
                let labels = reader.labels(local(vertices[row]));
                if labels.is_some_and(|labels| labels.contains(&label)) {
                    have.insert(row);
                }
            }
            Ok(())
        })?;
        Ok(have)
    }

    /// Type and ends of each edge at a position.
    pub fn ends(&self, at: LogPosition, edges: &[EdgeId]) -> Result<Ends> {
        let mut ends = Ends {
            exist: Bits::unset(edges.len()),
            types: vec![Default::default(); edges.len()],
            sources: vec![VertexId::default(); edges.len()],
            targets: vec![VertexId::default(); edges.len()],
        };
        self.look(at, &Grouped::edges(edges), |view, chunk| {
            let Some(view) = view else { return Ok(()) };
            let first = view.first_vertex();
            let mut reader = view.edges();
            for row in chunk.iter().map(|row| *row as usize) {
                if let Some(place) = reader.place(slot(edges[row]))? {
                    ends.exist.insert(row);
                    ends.types[row] = place.edge_type;
                    ends.sources[row] = VertexId(first | u64::from(place.source));
                    ends.targets[row] = VertexId(u64::from(place.target));
                }
            }
            Ok(())
        })?;
        Ok(ends)
    }

    /// One column for each key with the value of each element at a position, absent where it has
    /// none.
    pub fn gather(
        &self,
        at: LogPosition,
        elements: Elements<'_>,
        keys: &[KeyId],
    ) -> Result<Vec<Column>> {
        let mut columns: Vec<Column> = vec![Column::default(); keys.len()];
        let ids = match elements {
            Elements::Vertices(vertices) => consecutive(vertices, |vertex| vertex.0),
            // Of one partition, and not up to the last slot, which has none behind it.
            Elements::Edges(edges) => consecutive(edges, |edge| edge.0)
                .filter(|ids| ids.start >> EDGE_SLOT_BITS == ids.end >> EDGE_SLOT_BITS),
        };
        if let Some(ids) = ids {
            self.gather_range((at, elements), ids, keys, &mut columns)?;
            return Ok(columns);
        }
        let grouped = match elements {
            Elements::Vertices(vertices) => Grouped::vertices(vertices),
            Elements::Edges(edges) => Grouped::edges(edges),
        };
        let mut numbers: Vec<u32> = Vec::new();
        self.look(at, &grouped, |view, chunk| {
            make_room(&mut columns, elements.len());
            numbers.clear();
            let rows = chunk.iter().map(|row| *row as usize);
            match elements {
                Elements::Vertices(vertices) => {
                    numbers.extend(rows.map(|row| u32::from(local(vertices[row]))));
                }
                Elements::Edges(edges) => numbers.extend(rows.map(|row| slot(edges[row]))),
            }
            append(view, elements, &Numbers::Each(&numbers), (keys, &mut columns))
        })?;
        Ok(columns.into_iter().map(|column| in_row_order(column, &grouped.rows)).collect())
    }

    /// The same where the ids are a range.
    fn gather_range(
        &self,
        (at, elements): (LogPosition, Elements<'_>),
        ids: Range<u64>,
        keys: &[KeyId],
        columns: &mut [Column],
    ) -> Result<()> {
        let bits = match elements {
            Elements::Vertices(_) => PARTITION_BITS,
            Elements::Edges(_) => EDGE_SLOT_BITS,
        };
        let mut next = ids.start;
        while next < ids.end {
            let last = (next | ((1 << bits) - 1)).min(ids.end - 1);
            let last = last.min(next.saturating_add(GATHERED_ROWS_MAX as u64 - 1));
            let number = |id: u64| (id & ((1 << bits) - 1)) as u32;
            let numbers = Numbers::Range(number(next)..number(last) + 1);
            let ordinal = match elements {
                Elements::Vertices(_) => ordinal_of_vertex(VertexId(next)),
                Elements::Edges(_) => ordinal_of_edge(EdgeId(next)),
            };
            make_room(columns, elements.len());
            match self.get(ordinal) {
                Some(partition) => partition.with_view(at, |view| {
                    append(Some(view), elements, &numbers, (keys, columns))
                })?,
                None => append(None, elements, &numbers, (keys, columns))?,
            }
            next = last + 1;
        }
        Ok(())
    }

    /// All properties of each element at a position, by key number.
    pub fn fields(&self, at: LogPosition, elements: Elements<'_>) -> Result<Vec<Arc<[Field]>>> {
        let mut fields = vec![Arc::from([]); elements.len()];
        match elements {
            Elements::Vertices(vertices) => {
                self.look(at, &Grouped::vertices(vertices), |view, chunk| {
                    let Some(reader) = view.map(View::vertices).transpose()? else { return Ok(()) };
                    let locals = chunk.iter().map(|row| local(vertices[*row as usize]));
                    let locals: Vec<u16> = locals.collect();
                    for (row, own) in chunk.iter().zip(reader.fields(&locals)?) {
                        fields[*row as usize] = own;
                    }
                    Ok(())
                })
            }
            Elements::Edges(edges) => self.look(at, &Grouped::edges(edges), |view, chunk| {
                let Some(mut reader) = view.map(View::edges) else { return Ok(()) };
                for row in chunk.iter().map(|row| *row as usize) {
                    if let Some(place) = reader.place(slot(edges[row]))? {
                        fields[row] = place.fields()?;
                    }
                }
                Ok(())
            }),
        }?;
        Ok(fields)
    }

    /// Calls `look` with rows that share a partition, at most a chunk of them under one lock, and
    /// with the partition's view, `None` if it does not exist.
    fn look(
        &self,
        at: LogPosition,
        grouped: &Grouped,
        mut look: impl FnMut(Option<View<'_>>, &[u32]) -> Result<()>,
    ) -> Result<()> {
        for (ordinal, rows) in &grouped.groups {
            let partition = self.get(*ordinal);
            for chunk in grouped.rows[rows.clone()].chunks(GATHERED_ROWS_MAX) {
                match partition {
                    Some(partition) => partition.with_view(at, |view| look(Some(view), chunk))?,
                    None => look(None, chunk)?,
                }
            }
        }
        Ok(())
    }
}

/// Appends properties of elements of one partition, absent where it does not exist.
fn append(
    view: Option<View<'_>>,
    elements: Elements<'_>,
    numbers: &Numbers<'_>,
    (keys, columns): (&[KeyId], &mut [Column]),
) -> Result<()> {
    let Some(view) = view else {
        columns.iter_mut().for_each(|column| column.append_absents(numbers.len()));
        return Ok(());
    };
    match elements {
        Elements::Vertices(_) => {
            let reader = view.vertices()?;
            let mut keyed = keys.iter().zip(columns);
            keyed.try_for_each(|(key, column)| reader.gather(numbers, *key, column))
        }
        Elements::Edges(_) => view.edges().gather(numbers, keys, columns),
    }
}

/// Makes room for all entries once the first chunk says of which type they are.
fn make_room(columns: &mut [Column], rows: usize) {
    for column in columns.iter_mut().filter(|column| !column.is_empty()) {
        column.reserve(rows - column.len());
    }
}

/// Rows by partition: partitions ascending, rows ascending within one.
struct Grouped {
    /// The ordinal of each group, none where no partition has it, and where its rows are in `rows`.
    groups: Vec<(Option<u32>, Range<usize>)>,
    rows: Vec<u32>,
}

impl Grouped {
    fn vertices(vertices: &[VertexId]) -> Grouped {
        Grouped::of(vertices, |vertex| ordinal_of_vertex(*vertex))
    }

    fn edges(edges: &[EdgeId]) -> Grouped {
        Grouped::of(edges, |edge| ordinal_of_edge(*edge))
    }

    fn of<T>(elements: &[T], ordinal: impl Fn(&T) -> Option<u32>) -> Grouped {
        let number = |element: &T| ordinal(element).unwrap_or(u32::MAX);
        if elements.is_sorted_by_key(number) {
            return Grouped::in_order((0..elements.len() as u32).collect(), |row| {
                number(&elements[row])
            });
        }
        let keys = elements.iter().zip(0u64..);
        let keys: Vec<u64> =
            keys.map(|(element, row)| u64::from(number(element)) << 32 | row).collect();
        let keys = in_few_groups(&keys).unwrap_or_else(|| {
            let mut keys = keys;
            keys.sort_unstable();
            keys
        });
        let rows = keys.iter().map(|key| *key as u32).collect();
        Grouped::in_order(rows, |place| (keys[place] >> 32) as u32)
    }

    /// Rows in the order of their ordinals; `ordinal_at` gives the one at a place.
    fn in_order(rows: Vec<u32>, ordinal_at: impl Fn(usize) -> u32) -> Grouped {
        let (mut groups, mut start) = (Vec::new(), 0);
        while start < rows.len() {
            let ordinal = ordinal_at(start);
            // Mostly all that are left are of one partition.
            let end = match ordinal_at(rows.len() - 1) == ordinal {
                true => rows.len(),
                false => {
                    start + (start..rows.len()).take_while(|at| ordinal_at(*at) == ordinal).count()
                }
            };
            groups.push(((ordinal != u32::MAX).then_some(ordinal), start..end));
            start = end;
        }
        Grouped { groups, rows }
    }
}

/// The keys in order, where they are of so few ordinals that counting is quicker than sorting.
fn in_few_groups(keys: &[u64]) -> Option<Vec<u64>> {
    let mut counts: Vec<(u64, usize)> = Vec::new();
    let mut group_of = Vec::with_capacity(keys.len());
    let mut last = 0;
    for ordinal in keys.iter().map(|key| key >> 32) {
        if counts.get(last).is_none_or(|(own, _)| *own != ordinal) {
            last = counts.iter().position(|(own, _)| *own == ordinal).unwrap_or(counts.len());
            if last == counts.len() {
                if last == GROUPS_COUNTED_MAX {
                    return None;
                }
                counts.push((ordinal, 0));
            }
        }
        counts[last].1 += 1;
        group_of.push(last as u8);
    }
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_unstable_by_key(|&group| counts[group].0);
    let mut next = vec![0; counts.len()];
    let mut start = 0;
    for group in order {
        next[group] = start;
        start += counts[group].1;
    }
    let mut sorted = vec![0; keys.len()];
    for (key, group) in keys.iter().zip(group_of) {
        sorted[next[usize::from(group)]] = *key;
        next[usize::from(group)] += 1;
    }
    Some(sorted)
}

/// So many ordinals are found by looking at each.
const GROUPS_COUNTED_MAX: usize = 16;

/// The column as if its entries had been gathered in order of rows: entry `i` is that of `rows[i]`.
fn in_row_order(column: Column, rows: &[u32]) -> Column {
    if rows.is_sorted() {
        return column;
    }
    let mut places = vec![0; rows.len()];
    rows.iter().zip(0..).for_each(|(row, place)| places[*row as usize] = place);
    column.take(&places)
}
