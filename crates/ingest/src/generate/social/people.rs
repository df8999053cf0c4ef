//! People, where they live, what they like, and whom they know.

use std::collections::HashSet;

use super::super::random::Random;
use super::shares::Shares;
use super::sizes::Sizes;
use super::static_tables::{StaticTables, TAGS};
use super::tables::Tables;

/// Of a hundred friendships so many are between people near in the order of homes, and of interests.
const BY_HOME: u32 = 35;
const BY_INTEREST: u32 = 45;
/// The mean distance of such friends, in people.
const NEAR: f64 = 130.0;
/// Interests of a person: half as many as this at least, 23 in the mean.
const INTERESTS: u32 = 46;

/// All people. They are numbered in the order of their homes.
pub(super) struct People {
    city: Vec<u32>,
    /// The tags of each, ascending.
    pub(super) interests: Vec<Vec<u32>>,
    university: Vec<(u32, u32)>,
    companies: Vec<(u32, u32)>,
    knows: Vec<(u32, u32)>,
    pub(super) friends: Vec<Vec<u32>>,
    /// How active they are: many friends, many messages.
    pub(super) active: Shares,
}

impl People {
    pub(super) fn new(sizes: &Sizes, fixed: &StaticTables, random: &mut Random) -> People {
        let count = sizes.people;
        let mut countries: Vec<u32> = (0..count).map(|_| fixed.country(random)).collect();
        countries.sort_unstable();
        let city = countries.iter().map(|country| *random.choose(&fixed.cities[*country as usize]));
        let city: Vec<u32> = city.collect();
        let weights = Shares::power_law(count, 1.6, 80.0, random);
        let interests: Vec<Vec<u32>> = (0..count).map(|_| interests(random)).collect();
        let knows = knows(sizes, &weights, random);
        let mut friends = vec![Vec::new(); count as usize];
        for &(one, other) in &knows {
            friends[one as usize].push(other);
            friends[other as usize].push(one);
        }
        let studied = (0..count).filter_map(|person| match random.percent(80) {
            true => Some((person, fixed.university(random))),
            false => None,
        });
        let university = studied.collect();
        let mut companies = Vec::new();
        for person in 0..count {
            let first = fixed.company(random);
            companies.extend((0..random.below(5)).map(|at| (person, (first + at * 7) % 1_575)));
        }
        People {
            city,
            interests,
            university,
            companies,
            knows,
            friends,
            active: Shares::new(weights),
        }
    }

    pub(super) fn add_edges<'t>(&'t self, tables: &mut Tables<'t>) {
        let lives = (0..).zip(self.city.iter().copied());
        tables.edges("Person_isLocatedIn_City", "IS_LOCATED_IN", lives);
        let interests = (0..).zip(&self.interests);
        let interests =
            interests.flat_map(|(person, tags)| tags.iter().map(move |tag| (person, *tag)));
        tables.edges("Person_hasInterest_Tag", "HAS_INTEREST", interests);
        tables.edges("Person_knows_Person", "KNOWS", self.knows.iter().copied());
        tables.edges("Person_studyAt_University", "STUDY_AT", self.university.iter().copied());
        tables.edges("Person_workAt_Company", "WORK_AT", self.companies.iter().copied());
    }
}

fn interests(random: &mut Random) -> Vec<u32> {
    let many = 1 + random.below(INTERESTS);
    let mut tags: Vec<u32> = (0..many).map(|_| random.skewed(TAGS)).collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}

/// Pairs of different people, each pair once, the lesser first.
fn knows(sizes: &Sizes, weights: &[f64], random: &mut Random) -> Vec<(u32, u32)> {
    let people = sizes.people;
    let pairs_max = u64::from(people) * u64::from(people.saturating_sub(1)) / 4;
    let wanted = u64::from(sizes.knows).min(pairs_max) as usize;
    // The other order: by interest, which home says nothing of.
    let mut by_interest: Vec<u32> = (0..people).collect();
    for place in (1..people).rev() {
        by_interest.swap(place as usize, random.below(place + 1) as usize);
    }
    let homes = Shares::new(weights.iter().copied());
    let interests = Shares::new(by_interest.iter().map(|person| weights[*person as usize]));
    let near = NEAR / f64::from(people);
    let mut found = HashSet::with_capacity(wanted);
    let mut pairs = Vec::with_capacity(wanted);
    while pairs.len() < wanted {
        let way = random.below(100);
        let (one, other) = if way < BY_HOME {
            let one = homes.draw(random);
            (one, homes.draw_near(one, near, random))
        } else if way < BY_HOME + BY_INTEREST {
            let one = interests.draw(random);
            let other = interests.draw_near(one, near, random);
            (by_interest[one as usize], by_interest[other as usize])
        } else {
            (homes.draw(random), homes.draw(random))
        };
        let pair = (one.min(other), one.max(other));
        if one != other && found.insert(pair) {
            pairs.push(pair);
        }
    }
    pairs.sort_unstable();
    pairs
}
