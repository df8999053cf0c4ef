//! Lists of elements with scores, ids ascending, each id once.

use millrace_model::{Result, query_limits};

/// Elements with scores, ids ascending.
pub(super) type Scored = Vec<(u64, f64)>;

/// A list that is made of unordered pieces.
#[derive(Default)]
pub(super) struct Pieces {
    found: Scored,
    asked: usize,
}

impl Pieces {
    /// Adds elements that have one score.
    pub(super) fn add(&mut self, ids: &[u64], score: f64) -> Result<()> {
        query_limits::step(ids.len() as u64)?;
        let needed = self.found.len() + ids.len();
        if self.asked < needed {
            // Half as much again, so that there are few questions; a list grows by doubling.
            self.asked = needed + needed / 2 + 1024;
            query_limits::require_room((2 * self.asked * size_of::<(u64, f64)>()) as u64)?;
        }
        self.found.extend(ids.iter().map(|id| (*id, score)));
        Ok(())
    }

    /// The list: of an element that is there several times, the first score counts.
    pub(super) fn once(self) -> Scored {
        let mut found = self.sorted();
        found.dedup_by_key(|(id, _)| *id);
        found
    }

    /// The list: the scores of an element are added.
    pub(super) fn added(self) -> Scored {
        let mut found = self.sorted();
        found.dedup_by(|other, kept| {
            let is_same = other.0 == kept.0;
            if is_same {
                kept.1 += other.1;
            }
            is_same
        });
        found
    }

    fn sorted(self) -> Scored {
        let mut found = self.found;
        if !found.is_sorted_by_key(|(id, _)| *id) {
            found.sort_by_key(|(id, _)| *id);
        }
        found
    }
}

/// Elements of any of the lists, their scores added.
pub(super) fn united(mut lists: Vec<Scored>) -> Result<Scored> {
    if lists.len() <= 1 {
        return Ok(lists.pop().unwrap_or_default());
    }
    let count = lists.iter().map(Vec::len).sum::<usize>();
    query_limits::step(count as u64)?;
    query_limits::require_room((count * size_of::<(u64, f64)>()) as u64)?;
    let mut all = Pieces::default();
    all.found.reserve(count);
    lists.into_iter().for_each(|list| all.found.extend(list));
    Ok(all.added())
}

/// Elements of both lists, their scores added.
pub(super) fn intersected(one: &Scored, other: &Scored) -> Result<Scored> {
    let (few, many) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    query_limits::step(few.len() as u64)?;
    let mut rest = many.as_slice();
    Ok(few
        .iter()
        .filter_map(|(id, score)| {
            rest = &rest[galloped(rest, *id)..];
            let own = rest.first().filter(|(own, _)| own == id)?;
            Some((*id, score + own.1))
        })
        .collect())
}

/// The list with the scores that another one has for its elements added.
pub(super) fn raised(mut list: Scored, by: &Scored) -> Result<Scored> {
    query_limits::step(list.len() as u64)?;
    let mut rest = by.as_slice();
    for (id, score) in &mut list {
        rest = &rest[galloped(rest, *id)..];
        if let Some((_, own)) = rest.first().filter(|(own, _)| own == id) {
            *score += own;
        }
    }
    Ok(list)
}

/// The list without the elements of another one.
pub(super) fn without(mut list: Scored, others: &Scored) -> Result<Scored> {
    query_limits::step(list.len() as u64)?;
    let mut rest = others.as_slice();
    list.retain(|(id, _)| {
        rest = &rest[galloped(rest, *id)..];
        rest.first().is_none_or(|(own, _)| own != id)
    });
    Ok(list)
}

/// How many of the list are below an id: found in steps that double, as the next one is near.
fn galloped(list: &[(u64, f64)], id: u64) -> usize {
    let mut bound = 1;
    while bound < list.len() && list[bound].0 < id {
        bound *= 2;
    }
    let (from, until) = (bound / 2, list.len().min(bound + 1));
    from + list[from..until].partition_point(|(own, _)| *own < id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(ids: &[u64]) -> Scored {
        ids.iter().map(|id| (*id, 1.0)).collect()
    }

    #[test]
    fn lists_are_united_intersected_and_subtracted() {
        let (one, other) = (list(&[1, 3, 5, 7, 100]), list(&[3, 4, 7, 8, 9, 50, 99, 100, 101]));
        let united = united(vec![one.clone(), other.clone()]).unwrap();
        let ids: Vec<u64> = united.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, [1, 3, 4, 5, 7, 8, 9, 50, 99, 100, 101]);
        assert_eq!(united[1], (3, 2.0));
        let both: Scored = vec![(3, 2.0), (7, 2.0), (100, 2.0)];
        assert_eq!(intersected(&one, &other).unwrap(), both);
        assert_eq!(intersected(&other, &one).unwrap(), both);
        assert_eq!(without(one, &other).unwrap(), list(&[1, 5]));
        assert_eq!(raised(list(&[3, 6]), &other).unwrap(), [(3, 2.0), (6, 1.0)]);
    }

    #[test]
    fn pieces_become_one_list() {
        let mut pieces = Pieces::default();
        pieces.add(&[4, 9], 1.0).unwrap();
        pieces.add(&[2, 4], 0.5).unwrap();
        assert_eq!(pieces.added(), [(2, 0.5), (4, 1.5), (9, 1.0)]);
        let mut pieces = Pieces::default();
        pieces.add(&[4, 9], 1.0).unwrap();
        pieces.add(&[2, 4], 0.5).unwrap();
        assert_eq!(pieces.once(), [(2, 0.5), (4, 1.0), (9, 1.0)]);
    }
}
