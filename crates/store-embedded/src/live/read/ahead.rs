//! The modified lists of rows to come, on their way to the cache while the sink has the rows
//! before.
//!
//! Three things lie one behind the other, and each is fetched a batch of rows before the next of
//! them is: the page that says which of its vertices were modified, the line of a list, and both
//! ends of a tail that is elsewhere. Smaller batches are not better: each costs half a microsecond
//! besides its fetches (decision 0065).

use std::ops::Range;

use millrace_model::VertexId;

use crate::base::limits::ROWS_AHEAD;
use crate::live::list::local_map::{PAGE_LOCALS, PageView};
use crate::live::list::modified_list::ModifiedList;
use crate::live::local;
use crate::live::read::expand::Lane;

/// So many rows of one page take nearly all that is in it.
const WHOLE_PAGE_ROWS: usize = PAGE_LOCALS / 2;

/// The modified lists of a batch of rows.
#[derive(Default)]
pub(in crate::live) struct Ahead<'l> {
    /// One for each lane of each row.
    lists: Vec<Option<&'l ModifiedList>>,
    /// Those of pages that most rows of are asked for, and perhaps some others.
    whole: Vec<PageView<'l, ModifiedList>>,
    /// The rest of those that are there, in front.
    scattered: Vec<Option<&'l ModifiedList>>,
    /// How many of these are there.
    count: usize,
}

/// The batch that begins at a row.
pub(in crate::live) fn batch(vertices: &[VertexId], from: usize) -> Range<usize> {
    from..vertices.len().min(from + ROWS_AHEAD)
}

impl<'l> Ahead<'l> {
    /// One for each lane of each row.
    pub(in crate::live) fn lists(&self) -> &[Option<&'l ModifiedList>] {
        &self.lists
    }

    /// Finds those of the batch from `from` on, and fetches their lines, and the pages of the batch
    /// behind.
    pub(in crate::live) fn find<
        'v: 'l,
        Lanes: IntoIterator<Item = &'l Lane<'v>, IntoIter: Clone>,
    >(
        &mut self,
        lanes_of: impl Fn(usize) -> Lanes,
        vertices: &[VertexId],
        mut from: usize,
    ) {
        let rows = batch(vertices, from);
        fetch_pages(&lanes_of, vertices, batch(vertices, rows.end));
        self.lists.clear();
        self.whole.clear();
        self.count = 0;
        for rows in vertices[rows].chunk_by(|one, next| page_of(*one) == page_of(*next)) {
            self.find_around(lanes_of(from), rows);
            from += rows.len();
        }
        self.whole.iter().flat_map(PageView::values).for_each(ModifiedList::fetch);
        self.scattered().for_each(ModifiedList::fetch);
    }

    /// Finds those of rows with vertices that lie together, in the lanes that all of them have.
    fn find_around<'v: 'l>(
        &mut self,
        lanes: impl IntoIterator<Item = &'l Lane<'v>, IntoIter: Clone>,
        rows: &[VertexId],
    ) {
        let (lanes, found) = (lanes.into_iter(), self.lists.len());
        let count = lanes.clone().count();
        self.lists.resize(found + count * rows.len(), None);
        self.scattered.resize(self.lists.len().max(self.scattered.len()), None);
        for (place, lane) in lanes.enumerate() {
            let Some(page) = lane.modified.and_then(|modified| modified.around(local(rows[0])))
            else {
                continue;
            };
            let lists = self.lists[found..].chunks_exact_mut(count).zip(rows);
            if WHOLE_PAGE_ROWS <= rows.len() {
                lists.for_each(|(lists, vertex)| lists[place] = page.get(local(*vertex)));
                self.whole.push(page);
                continue;
            }
            // Whether a list is there is nothing that a processor can foretell, so nothing depends
            // on it.
            for (lists, vertex) in lists {
                let list = page.get(local(*vertex));
                lists[place] = list;
                self.scattered[self.count] = list;
                self.count += usize::from(list.is_some());
            }
        }
    }

    /// Fetches both ends of the tails that are elsewhere.
    pub(in crate::live) fn fetch_tails(&self) {
        self.whole.iter().flat_map(PageView::marked).for_each(ModifiedList::fetch_neighbours);
        self.scattered().for_each(ModifiedList::fetch_neighbours);
    }

    fn scattered(&self) -> impl Iterator<Item = &'l ModifiedList> {
        self.scattered[..self.count].iter().copied().flatten()
    }
}

/// Vertices with the same have their modified lists beside one another.
fn page_of(vertex: VertexId) -> u64 {
    vertex.0 / PAGE_LOCALS as u64
}

/// Fetches the pages that say which of some rows were modified, where the frontier is dense; else
/// some of them.
pub(in crate::live) fn fetch_pages<'l, 'v: 'l, Lanes: IntoIterator<Item = &'l Lane<'v>>>(
    lanes_of: impl Fn(usize) -> Lanes,
    vertices: &[VertexId],
    rows: Range<usize>,
) {
    for index in rows.step_by(PAGE_LOCALS) {
        let local = local(vertices[index]);
        let modified = lanes_of(index).into_iter().filter_map(|lane| lane.modified);
        modified.for_each(|modified| modified.fetch_page(local));
    }
}
