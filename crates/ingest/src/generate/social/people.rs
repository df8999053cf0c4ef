//! People: the time they joined, their homes, interests, universities and companies.

use super::super::random::Random;
use super::static_tables::StaticTables;
use super::tables::Tables;

/// People at scale 1, and how their number grows: through that of the benchmark at 0.1 and 1.
const PEOPLE: f64 = 11_000.0;
const PEOPLE_EXPONENT: f64 = 0.811;
/// The most interests; a person has between 1 and these, 23 in the mean.
const INTERESTS_MAX: f64 = 80.0;

/// All people.
pub(super) struct People {
    /// As a share of the time that the network exists.
    pub(super) joined: Vec<f32>,
    pub(super) country: Vec<u32>,
    /// The tags of each, ascending.
    pub(super) interests: Vec<Vec<u32>>,
    /// All people in the order of homes (country, university), and of the interest that they have first.
    pub(super) by_home: Vec<u32>,
    pub(super) by_interest: Vec<u32>,
    city: Vec<u32>,
    university: Vec<(u32, u32)>,
    companies: Vec<(u32, u32)>,
}

impl People {
    pub(super) fn new(scale: f64, fixed: &StaticTables, random: &mut Random) -> People {
        let count = ((PEOPLE * scale.powf(PEOPLE_EXPONENT)).round() as u32).max(2);
        let mut people = People {
            joined: (0..count).map(|_| random.unit() as f32).collect(),
            country: (0..count).map(|_| fixed.country(random)).collect(),
            interests: Vec::new(),
            by_home: Vec::new(),
            by_interest: Vec::new(),
            city: Vec::new(),
            university: Vec::new(),
            companies: Vec::new(),
        };
        let (mut homes, mut first_interests) = (Vec::new(), Vec::new());
        for (person, country) in (0..).zip(&people.country) {
            people.city.push(*random.choose(&fixed.cities[*country as usize]));
            let universities = &fixed.universities[*country as usize];
            let university = universities[random.below(universities.len().min(10) as u32) as usize];
            homes.push((*country, university));
            if random.percent(80) {
                people.university.push((person, university));
            }
            let first = fixed.company(random);
            let companies = (0..random.below(5)).map(|at| (person, (first + at * 7) % 1_575));
            people.companies.extend(companies);
            let first = fixed.popular_tag(*country, random);
            first_interests.push(first);
            people.interests.push(interests(first, fixed, random));
        }
        people.by_home = (0..count).collect();
        people.by_home.sort_by_key(|person| homes[*person as usize]);
        people.by_interest = (0..count).collect();
        people.by_interest.sort_by_key(|person| first_interests[*person as usize]);
        people
    }

    pub(super) fn count(&self) -> u32 {
        self.city.len() as u32
    }

    pub(super) fn add_edges<'t>(&'t self, tables: &mut Tables<'t>) {
        let lives = (0..).zip(self.city.iter().copied());
        tables.edges("Person_isLocatedIn_City", "IS_LOCATED_IN", lives);
        let interests = (0..).zip(&self.interests);
        let interests =
            interests.flat_map(|(person, tags)| tags.iter().map(move |tag| (person, *tag)));
        tables.edges("Person_hasInterest_Tag", "HAS_INTEREST", interests);
        tables.edges("Person_studyAt_University", "STUDY_AT", self.university.iter().copied());
        tables.edges("Person_workAt_Company", "WORK_AT", self.companies.iter().copied());
    }
}

/// An interest, and others that are related to it.
fn interests(first: u32, fixed: &StaticTables, random: &mut Random) -> Vec<u32> {
    let wanted = 1 + (INTERESTS_MAX * random.unit().powf(2.5)) as usize;
    let mut tags = vec![first];
    while tags.len() < wanted {
        let tag = fixed.related_tag(first, random);
        if let Err(at) = tags.binary_search(&tag) {
            tags.insert(at, tag);
        }
    }
    tags
}
