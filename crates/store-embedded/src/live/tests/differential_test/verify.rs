//! Every read at one position against the naive graph.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use millrace_model::column::Field;
use millrace_model::{Bits, Direction, EdgeId, EdgeTypeId, KeyId, LabelId, LogPosition, VertexId};
use millrace_store::{EdgeRows, Elements, Run, ScanCursor};

use super::Random;
use super::graph::{Graph, KEYS, LABELS, Properties, TYPES};
use crate::live::Partitions;

/// `edges` are all edges there ever were, later ones too.
pub(super) fn verify(
    (partitions, at): (&Partitions, LogPosition),
    graph: &Graph,
    edges: &[EdgeId],
    random: &mut Random,
) {
    let reader = Reader { partitions, at, graph };
    reader.lists(random);
    reader.vertices(random);
    reader.edges(edges, random);
    reader.scans(random);
    reader.counts();
}

struct Reader<'a> {
    partitions: &'a Partitions,
    at: LogPosition,
    graph: &'a Graph,
}

/// A list: row, half (out first), index of its type in the request.
type ListKey = (usize, usize, usize);

impl Reader<'_> {
    fn lists(&self, random: &mut Random) {
        let mut frontier: Vec<VertexId> = Graph::candidates().map(VertexId).collect();
        frontier.extend([VertexId(5 << 16), VertexId(1 << 40), VertexId(3), VertexId(3)]);
        if random.below(2) == 0 {
            frontier.sort_unstable();
        }
        let mut asked: Vec<EdgeTypeId> = (0..TYPES + 1).map(EdgeTypeId).collect();
        let at = random.below(asked.len());
        asked.rotate_left(at);
        let some = random.below(asked.len());
        let all: Vec<EdgeTypeId> = (0..TYPES).map(EdgeTypeId).collect();
        for direction in [Direction::Out, Direction::In, Direction::Both] {
            let types = [None, Some(&asked[..some]), Some(&asked[..1])][random.below(3)];
            let expected = self.expected_lists(&frontier, types.unwrap_or(&all), direction);
            self.expand(&frontier, types, direction, &expected);
            self.degrees(&frontier, types, direction, &expected);
        }
        self.stops_when_told(&frontier);
    }

    fn expected_lists(
        &self,
        frontier: &[VertexId],
        types: &[EdgeTypeId],
        direction: Direction,
    ) -> BTreeMap<ListKey, Vec<(u64, u64)>> {
        let mut by_end: BTreeMap<(usize, EdgeTypeId, u64), Vec<(u64, u64)>> = BTreeMap::new();
        for (id, edge) in &self.graph.edges {
            let out = by_end.entry((0, edge.edge_type, edge.source)).or_default();
            out.push((edge.target, *id));
            let incoming = by_end.entry((1, edge.edge_type, edge.target)).or_default();
            incoming.push((edge.source, *id));
        }
        let mut expected = BTreeMap::new();
        for (row, vertex) in frontier.iter().enumerate() {
            for half in direction.halves().iter().map(|half| usize::from(*half == Direction::In)) {
                for (place, edge_type) in types.iter().enumerate() {
                    if let Some(list) = by_end.get(&(half, *edge_type, vertex.0)) {
                        let mut list = list.clone();
                        list.sort_unstable();
                        expected.insert((row, half, place), list);
                    }
                }
            }
        }
        expected
    }

    fn expand(
        &self,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        expected: &BTreeMap<ListKey, Vec<(u64, u64)>>,
    ) {
        let mut lists: BTreeMap<ListKey, Vec<(u64, u64)>> = BTreeMap::new();
        let mut last: ListKey = (0, 0, 0);
        let mut sink = |row: usize, run: Run<'_>| {
            assert!(!run.is_empty(), "empty runs are left out");
            let place = match types {
                Some(types) => types.iter().position(|own| *own == run.edge_type).unwrap(),
                None => run.edge_type.0 as usize,
            };
            let key = (row, usize::from(run.direction == Direction::In), place);
            assert!(last <= key, "runs come in order: {last:?}, then {key:?}");
            last = key;
            let neighbours: Vec<u64> = (0..run.len()).map(|i| run.neighbours.get(i).0).collect();
            assert!(!run.sorted || neighbours.is_sorted());
            let edges = (0..run.len()).map(|index| run.edge(index).0);
            lists.entry(key).or_default().extend(neighbours.into_iter().zip(edges));
            ControlFlow::Continue(())
        };
        self.partitions.expand(self.at, frontier, types, direction, &mut sink).unwrap();
        lists.values_mut().for_each(|list| list.sort_unstable());
        for key in lists.keys().chain(expected.keys()) {
            let (row, what) = (key.0, (types, direction, self.at));
            let lists = (lists.get(key), expected.get(key));
            assert_eq!(lists.0, lists.1, "row {row}, {}, {key:?} of {what:?}", frontier[row]);
        }
    }

    fn degrees(
        &self,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        lists: &BTreeMap<ListKey, Vec<(u64, u64)>>,
    ) {
        let mut expected = vec![7; 1 + frontier.len()];
        expected[1..].fill(0);
        lists.iter().for_each(|((row, ..), list)| expected[row + 1] += list.len() as u64);
        let mut degrees = vec![7];
        self.partitions.degrees(self.at, frontier, types, direction, &mut degrees).unwrap();
        assert_eq!(degrees, expected);
    }

    fn stops_when_told(&self, frontier: &[VertexId]) {
        let mut runs = 0;
        let mut sink = |_: usize, _: Run<'_>| {
            runs += 1;
            if runs == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        self.partitions.expand(self.at, frontier, None, Direction::Both, &mut sink).unwrap();
        assert!(runs <= 2, "a sink that broke is not called again");
    }

    fn vertices(&self, random: &mut Random) {
        let mut ids: Vec<VertexId> = Graph::candidates().map(VertexId).collect();
        ids.extend([VertexId(5 << 16), VertexId(u64::MAX)]);
        if random.below(2) == 0 {
            ids.reverse();
        }
        let found: Vec<_> = ids.iter().map(|id| self.graph.vertices.get(&id.0)).collect();
        let elements = Elements::Vertices(&ids);
        let exist: Bits = found.iter().map(Option::is_some).collect();
        assert_eq!(self.partitions.exist(self.at, elements).unwrap(), exist);
        let labels = self.partitions.labels(self.at, &ids).unwrap();
        for (labels, vertex) in labels.iter().zip(&found) {
            let expected: Vec<LabelId> =
                vertex.iter().flat_map(|vertex| vertex.labels.iter().copied()).collect();
            assert_eq!(**labels, *expected);
        }
        let properties = found.iter().map(|vertex| vertex.map(|vertex| &vertex.properties));
        self.properties(elements, &properties.collect::<Vec<_>>());
    }

    fn edges(&self, ever: &[EdgeId], random: &mut Random) {
        let mut ids = ever.to_vec();
        ids.extend([EdgeId(1 << 50), EdgeId(5 << 32), EdgeId(3 << 29)]);
        if random.below(2) == 0 {
            ids.sort_unstable_by_key(|id| id.0.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        }
        let found: Vec<_> = ids.iter().map(|id| self.graph.edges.get(&id.0)).collect();
        let elements = Elements::Edges(&ids);
        let exist: Bits = found.iter().map(Option::is_some).collect();
        assert_eq!(self.partitions.exist(self.at, elements).unwrap(), exist);
        let ends = self.partitions.ends(self.at, &ids).unwrap();
        assert_eq!(ends.exist, exist);
        for (row, edge) in found.iter().enumerate() {
            let expected = edge.map_or((0, 0, 0), |e| (e.edge_type.0, e.source, e.target));
            let own = (ends.types[row].0, ends.sources[row].0, ends.targets[row].0);
            assert_eq!(own, expected, "ends of {:?} at {}", ids[row], self.at);
        }
        let properties = found.iter().map(|edge| edge.map(|edge| &edge.properties));
        self.properties(elements, &properties.collect::<Vec<_>>());
    }

    fn properties(&self, elements: Elements<'_>, expected: &[Option<&Properties>]) {
        let keys: Vec<KeyId> = (0..KEYS + 1).rev().map(KeyId).collect();
        let columns = self.partitions.gather(self.at, elements, &keys).unwrap();
        for (key, column) in keys.iter().zip(&columns) {
            assert_eq!(column.len(), expected.len());
            for (row, properties) in expected.iter().enumerate() {
                let value = properties.and_then(|properties| properties.get(key));
                assert_eq!(column.get(row).as_ref(), value, "row {row}, {key:?} at {}", self.at);
            }
        }
        let fields = self.partitions.fields(self.at, elements).unwrap();
        for (fields, properties) in fields.iter().zip(expected) {
            let properties = properties.iter().flat_map(|properties| properties.iter());
            let expected: Vec<Field> =
                properties.map(|(key, value)| Field { key: *key, value: value.clone() }).collect();
            assert_eq!(**fields, *expected);
        }
    }

    fn scans(&self, random: &mut Random) {
        for label in [None].into_iter().chain((0..=LABELS).map(|label| Some(LabelId(label)))) {
            let (mut cursor, mut vertices) = (ScanCursor::default(), Vec::new());
            while !cursor.finished {
                let (before, rows_max) = (vertices.len(), 1 + random.below(30));
                let scanned = self.partitions.scan_vertices(
                    self.at,
                    label,
                    &mut cursor,
                    rows_max,
                    &mut vertices,
                );
                scanned.unwrap();
                assert!(vertices.len() <= before + rows_max);
                assert!(before < vertices.len() || cursor.finished);
            }
            let has =
                |labels: &BTreeSet<LabelId>| label.is_none_or(|label| labels.contains(&label));
            let own = self.graph.vertices.iter().filter(|(_, vertex)| has(&vertex.labels));
            let expected: Vec<VertexId> = own.map(|(id, _)| VertexId(*id)).collect();
            assert_eq!(vertices, expected);
            let count = self.partitions.count_vertices(self.at, label).unwrap();
            assert_eq!(count, expected.len() as u64);
        }
        let mut types: Vec<EdgeTypeId> = (0..TYPES).rev().map(EdgeTypeId).collect();
        types.truncate(1 + random.below(TYPES as usize));
        self.scan_edges(&types, random);
    }

    fn scan_edges(&self, types: &[EdgeTypeId], random: &mut Random) {
        let (mut cursor, mut rows) = (ScanCursor::default(), EdgeRows::default());
        while !cursor.finished {
            let before = rows.edges.len();
            let rows_max = random.below(200);
            self.partitions.scan_edges(self.at, types, &mut cursor, rows_max, &mut rows).unwrap();
            assert!(before < rows.edges.len() || cursor.finished);
        }
        let place = |edge_type: &EdgeTypeId| types.iter().position(|own| own == edge_type);
        let order = (0..rows.edges.len()).map(|row| (place(&rows.types[row]), rows.sources[row]));
        assert!(order.is_sorted(), "by type, then by source");
        let mut scanned: Vec<_> = (0..rows.edges.len())
            .map(|row| {
                (rows.edges[row].0, rows.types[row], rows.sources[row].0, rows.targets[row].0)
            })
            .collect();
        scanned.sort_unstable();
        let own = self.graph.edges.iter().filter(|(_, edge)| place(&edge.edge_type).is_some());
        let expected: Vec<_> =
            own.map(|(id, edge)| (*id, edge.edge_type, edge.source, edge.target)).collect();
        assert_eq!(scanned, expected);
        self.scan_vertices_with_edges(types, random);
    }

    fn scan_vertices_with_edges(&self, types: &[EdgeTypeId], random: &mut Random) {
        for direction in [Direction::Out, Direction::In, Direction::Both] {
            let (mut cursor, mut vertices) = (ScanCursor::default(), Vec::new());
            while !cursor.finished {
                let (before, rows_max) = (vertices.len(), 1 + random.below(30));
                let scanned = self.partitions.scan_vertices_with_edges(
                    self.at,
                    (types, direction),
                    &mut cursor,
                    rows_max,
                    &mut vertices,
                );
                scanned.unwrap();
                assert!(vertices.len() <= before + rows_max);
            }
            let own = self.graph.edges.values().filter(|edge| types.contains(&edge.edge_type));
            let ends = own.flat_map(|edge| {
                let source = (direction != Direction::In).then_some(edge.source);
                source.into_iter().chain((direction != Direction::Out).then_some(edge.target))
            });
            let expected: BTreeSet<VertexId> = ends.map(VertexId).collect();
            assert_eq!(vertices, expected.into_iter().collect::<Vec<_>>());
        }
    }

    fn counts(&self) {
        for edge_type in
            [None].into_iter().chain((0..=TYPES).map(|number| Some(EdgeTypeId(number))))
        {
            let is_own = |own: EdgeTypeId| edge_type.is_none_or(|edge_type| edge_type == own);
            let expected = self.graph.edges.values().filter(|edge| is_own(edge.edge_type)).count();
            let count = self.partitions.count_edges(self.at, edge_type).unwrap();
            assert_eq!(count, expected as u64);
        }
    }
}
