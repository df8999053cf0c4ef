//! Friendships: most are between people near in one of two orders, which is where triangles come from.

use super::super::random::Random;
use super::people::People;
use super::tables::Tables;

/// How many friends people have, over the mean, by the share of people with fewer: as measured on Facebook (Ugander
/// et al., *The anatomy of the Facebook social graph*, 2011). Straight lines lie between.
const FRIENDS: [(f64, f64); 13] = [
    (0.0, 0.0),
    (0.1, 0.05),
    (0.2, 0.12),
    (0.3, 0.21),
    (0.4, 0.33),
    (0.5, 0.49),
    (0.6, 0.68),
    (0.7, 1.0),
    (0.8, 1.5),
    (0.9, 2.2),
    (0.95, 3.3),
    (0.99, 5.1),
    (1.0, 24.6),
];
/// The most friends of a person.
const FRIENDS_MAX: f64 = 1_000.0;
/// The furthest friend in an order.
const DISTANCE_MAX: usize = 10_000;

/// A friend, and since when.
#[derive(Clone, Copy)]
pub(super) struct Friend {
    pub(super) person: u32,
    pub(super) since: f32,
}

/// All friendships.
pub(super) struct Friends {
    /// Pairs of different people, each pair once, the lesser first.
    knows: Vec<(u32, u32)>,
    /// Of each person, in the order of time.
    pub(super) lists: Vec<Vec<Friend>>,
}

impl Friends {
    pub(super) fn new(people: &People, random: &mut Random) -> Friends {
        let count = people.count();
        let mean = mean(f64::from(count));
        let wanted: Vec<f64> = (0..count).map(|_| (mean * wanted(random)).round()).collect();
        let mut shuffled: Vec<u32> = (0..count).collect();
        for at in (1..count).rev() {
            shuffled.swap(at as usize, random.below(at + 1) as usize);
        }
        let orders =
            [(&people.by_home, 0.0, 0.45), (&people.by_interest, 0.45, 0.9), (&shuffled, 0.9, 1.0)];
        let mut knows = Vec::new();
        for (order, from, to) in orders {
            let share = |wanted: &f64| {
                let wanted = wanted.min(FRIENDS_MAX);
                ((wanted * to).ceil() - (wanted * from).ceil()) as u32
            };
            befriend(order, wanted.iter().map(share).collect(), random, &mut knows);
        }
        knows.sort_unstable();
        knows.dedup();
        let mut lists = vec![Vec::new(); count as usize];
        for &(one, other) in &knows {
            let both = people.joined[one as usize].max(people.joined[other as usize]);
            let since = time_from(both, random);
            lists[one as usize].push(Friend { person: other, since });
            lists[other as usize].push(Friend { person: one, since });
        }
        for list in &mut lists {
            list.sort_by(|one, other| one.since.total_cmp(&other.since));
        }
        Friends { knows, lists }
    }

    pub(super) fn add_edges<'t>(&'t self, tables: &mut Tables<'t>) {
        tables.edges("Person_knows_Person", "KNOWS", self.knows.iter().copied());
    }
}

/// A time between this one and the end.
pub(super) fn time_from(since: f32, random: &mut Random) -> f32 {
    since + (1.0 - since) * random.unit() as f32
}

/// Friends of a person in a network of so many: the benchmark's rule.
fn mean(people: f64) -> f64 {
    people.powf(0.512 - 0.028 * people.log10())
}

/// How many friends a person wants, over the mean.
fn wanted(random: &mut Random) -> f64 {
    let share = random.unit();
    let at = FRIENDS.partition_point(|(from, _)| *from <= share);
    let [(from, least), (to, most)] = [FRIENDS[at - 1], FRIENDS[at]];
    least + (most - least) * (share - from) / (to - from)
}

/// Lets each person find friends further on in an order, with a chance that falls with the distance, until they have as
/// many as they want.
fn befriend(order: &[u32], mut wanted: Vec<u32>, random: &mut Random, knows: &mut Vec<(u32, u32)>) {
    for (at, &one) in order.iter().enumerate() {
        let mut chance = 1.0_f64;
        for &other in order[at + 1..].iter().take(DISTANCE_MAX) {
            if wanted[one as usize] == 0 {
                break;
            }
            chance = (chance * 0.95).max(0.2);
            if 0 < wanted[other as usize] && random.unit() < chance {
                wanted[one as usize] -= 1;
                wanted[other as usize] -= 1;
                knows.push((one.min(other), one.max(other)));
            }
        }
    }
}
