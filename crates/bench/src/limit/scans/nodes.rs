//! Properties of nodes: folds, filters, groups, the best.

use memchr::memmem::Finder;

use super::people::People;
use super::texts::{Groups, counts};
use super::{Answer, Cell, count, named};

/// The ages that are asked for one by one.
pub const AGES_ASKED: [i64; 3] = [20, 30, 40];

/// From the first on, and below the second.
pub const SCORES_ASKED: (f64, f64) = (20.0, 30.0);

/// A word of some texts.
pub const WORD_ASKED: &str = "amber";

/// An age.
pub const OLD: i64 = 60;

/// So many of the best are asked for.
pub(super) const BEST: usize = 10;

/// Mean, least, greatest and sum.
pub fn fold_of_ages(people: &People) -> Answer {
    let (mut least, mut greatest, mut sum) = (i64::MAX, i64::MIN, 0);
    for &age in &people.age {
        least = least.min(age);
        greatest = greatest.max(age);
        sum += age;
    }
    let mean = sum as f64 / people.age.len() as f64;
    vec![vec![Cell::Double(mean), Cell::Int(least), Cell::Int(greatest), Cell::Int(sum)]]
}

/// The mean alone.
pub fn mean_age(people: &People) -> Answer {
    let sum: i64 = people.age.iter().sum();
    vec![vec![Cell::Double(sum as f64 / people.age.len() as f64)]]
}

/// The mean in each city.
pub fn mean_age_by_city(people: &People) -> Answer {
    let (mut groups, mut folds) = (Groups::default(), Vec::new());
    for (city, age) in people.city.iter().zip(&people.age) {
        let number = groups.number(city);
        if number == folds.len() {
            folds.push((0_i64, 0_i64));
        }
        let (sum, count) = &mut folds[number];
        *sum += age;
        *count += 1;
    }
    let means = folds.iter().map(|(sum, count)| *sum as f64 / *count as f64);
    named(&groups.into_names(), means)
}

/// How many people each city has.
pub fn people_by_city(people: &People) -> Answer {
    let (names, counts) = counts(people.city.iter());
    named(&names, counts)
}

/// How many cities there are.
pub fn count_of_cities(people: &People) -> Answer {
    let mut groups = Groups::default();
    for city in people.city.iter() {
        groups.number(city);
    }
    count(groups.len())
}

/// The numbers of each city's people.
pub fn cities(people: &People) -> Answer {
    let (names, members) = members(people);
    let rows = names.into_iter().zip(members);
    rows.map(|(name, members)| vec![name, Cell::Ints(members)]).collect()
}

/// How many numbers each city's list has, the lists being made.
pub fn cities_with_sizes(people: &People) -> Answer {
    let (names, members) = members(people);
    let rows = names.into_iter().zip(members);
    rows.map(|(name, members)| vec![name, Cell::Int(members.len() as i64)]).collect()
}

fn members(people: &People) -> (Vec<Cell>, Vec<Vec<i64>>) {
    let (mut groups, mut members) = (Groups::default(), Vec::new());
    for (uid, city) in people.city.iter().enumerate() {
        let number = groups.number(city);
        if number == members.len() {
            members.push(Vec::new());
        }
        members[number].push(uid as i64);
    }
    let names = groups.into_names();
    (names.iter().map(|name| Cell::Text(name.to_owned())).collect(), members)
}

/// How many scores are in a range.
pub fn count_of_scores(people: &People) -> Answer {
    let (from, below) = SCORES_ASKED;
    count(people.score.iter().filter(|score| from <= **score && **score < below).count())
}

/// How many ages are among some.
pub fn count_of_ages(people: &People) -> Answer {
    count(people.age.iter().filter(|age| AGES_ASKED.contains(age)).count())
}

/// How many are of an age or above.
pub fn people_older_than(people: &People) -> Answer {
    count(people.age.iter().filter(|age| OLD <= **age).count())
}

/// How many texts have a word, or one that contains it.
pub fn count_containing(people: &People) -> Answer {
    let finder = Finder::new(WORD_ASKED);
    count(people.bio.iter().filter(|bio| finder.find(bio.as_bytes()).is_some()).count())
}

/// The numbers of those with the greatest scores.
pub fn best_scores(people: &People) -> Answer {
    let mut best: Vec<(f64, usize)> = Vec::with_capacity(BEST + 1);
    let mut least = f64::NEG_INFINITY;
    for (uid, &score) in people.score.iter().enumerate() {
        if score <= least {
            continue;
        }
        let place = best.partition_point(|(other, _)| score <= *other);
        best.insert(place, (score, uid));
        best.truncate(BEST);
        if best.len() == BEST {
            least = best[BEST - 1].0;
        }
    }
    best.into_iter().map(|(_, uid)| vec![Cell::Int(uid as i64)]).collect()
}

/// How many people of each ten years there are.
pub fn people_by_decade(people: &People) -> Answer {
    let mut counts: Vec<i64> = Vec::new();
    for age in &people.age {
        let decade = (age / 10) as usize;
        if counts.len() <= decade {
            counts.resize(decade + 1, 0);
        }
        counts[decade] += 1;
    }
    let some = counts.into_iter().zip(0..).filter(|(count, _)| *count != 0);
    some.map(|(count, decade)| vec![Cell::Int(decade), Cell::Int(count)]).collect()
}

/// How many are young, old or between.
pub fn people_by_age_group(people: &People) -> Answer {
    let mut counts = [0_i64; 3];
    for age in &people.age {
        counts[usize::from(30 <= *age) + usize::from(OLD <= *age)] += 1;
    }
    let groups = ["young", "mid", "old"].into_iter().zip(counts);
    let some = groups.filter(|(_, count)| *count != 0);
    some.map(|(name, count)| vec![Cell::Text(name.to_owned()), Cell::Int(count)]).collect()
}

/// Number, name and score of so many.
pub fn named_rows(people: &People, count: usize) -> Answer {
    let row = |uid: usize| {
        let name = people.name.get(uid).to_owned();
        vec![Cell::Int(uid as i64), Cell::Text(name), Cell::Double(people.score[uid])]
    };
    (0..count.min(people.score.len())).map(row).collect()
}
