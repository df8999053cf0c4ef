//! Properties of relationships, and the nodes at their ends.

use super::nodes::BEST;
use super::people::{People, WeightedLikes};
use super::{Answer, Cell, count, named};

/// A year.
pub const SINCE: i64 = 2020;

/// A weight.
pub const HEAVY: f64 = 9.9;

/// The first year that any relationship has.
const FIRST_YEAR: i64 = 1990;

/// How many are of a year or later.
pub fn count_since(people: &People) -> Answer {
    count(people.knows.since.iter().filter(|since| SINCE <= **since).count())
}

/// The mean weight of each year.
pub fn mean_weight_by_year(people: &People) -> Answer {
    let mut folds: Vec<(f64, u64)> = Vec::new();
    for (year, w) in people.knows.year.iter().zip(&people.knows.w) {
        let place = (year - FIRST_YEAR) as usize;
        if folds.len() <= place {
            folds.resize(place + 1, (0.0, 0));
        }
        let (sum, count) = &mut folds[place];
        *sum += w;
        *count += 1;
    }
    let some = folds.into_iter().zip(FIRST_YEAR..).filter(|((_, count), _)| *count != 0);
    some.map(|((sum, count), year)| vec![Cell::Int(year), Cell::Double(sum / count as f64)])
        .collect()
}

/// The nodes where most relationships end, with how many; of equally many, the least numbers.
pub fn most_known(people: &People) -> Answer {
    let mut degrees = vec![0_u32; people.age.len()];
    for target in &people.knows.target {
        degrees[*target as usize] += 1;
    }
    let mut best: Vec<(u32, usize)> = Vec::with_capacity(BEST + 1);
    for (uid, &degree) in degrees.iter().enumerate() {
        let is_among = best.len() < BEST || best[BEST - 1].0 < degree;
        if degree != 0 && is_among {
            let place = best.partition_point(|(other, _)| degree <= *other);
            best.insert(place, (degree, uid));
            best.truncate(BEST);
        }
    }
    let row = |(degree, uid)| vec![Cell::Int(uid as i64), Cell::Int(i64::from(degree))];
    best.into_iter().map(row).collect()
}

/// The mean weight of all.
pub fn mean_of_weights(likes: &WeightedLikes) -> Answer {
    let sum: f64 = likes.weight.iter().sum();
    vec![vec![Cell::Double(sum / likes.weight.len() as f64)]]
}

/// How many are heavy.
pub fn count_heavy(likes: &WeightedLikes) -> Answer {
    count(likes.weight.iter().filter(|weight| HEAVY < **weight).count())
}

/// The mean weight of each item, by its name.
pub fn mean_weight_by_item(likes: &WeightedLikes) -> Answer {
    let mut folds = vec![(0.0, 0_u64); likes.items.len()];
    for (item, weight) in likes.item.iter().zip(&likes.weight) {
        let (sum, count) = &mut folds[*item as usize];
        *sum += weight;
        *count += 1;
    }
    let means = folds.into_iter().map(|(sum, count)| sum / count as f64);
    // An item without relationships has no row.
    let rows = named(&likes.items, means).into_iter();
    rows.filter(|row| !matches!(row[1], Cell::Double(mean) if mean.is_nan())).collect()
}
