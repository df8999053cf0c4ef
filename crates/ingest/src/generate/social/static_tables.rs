//! The parts of one size at every scale: places, organisations, tags.

use super::super::random::Random;
use super::shares::Shares;
use super::tables::Tables;

const CONTINENTS: u32 = 6;
/// Countries of one size and their population in millions, largest first: 111 countries.
const POPULATIONS: [(u32, f64); 4] = [(2, 1_000.0), (10, 200.0), (52, 50.0), (47, 5.0)];
const COUNTRIES: u32 = 111;
const CITIES: u32 = 1_343;
const COMPANIES: u32 = 1_575;
const UNIVERSITIES: u32 = 6_380;
const TAG_CLASSES: u32 = 71;
const TAGS: u32 = 16_080;
/// Tags of one topic. Each country has a topic that is popular there.
const TOPIC_TAGS: u32 = 144;

/// The places of a smaller place each, and so on: the number of the target by the number of the source.
pub(super) struct StaticTables {
    country_continent: Vec<u32>,
    city_country: Vec<u32>,
    company_country: Vec<u32>,
    university_city: Vec<u32>,
    tag_class: Vec<u32>,
    /// Of each class but the first, a class before it.
    superclass: Vec<u32>,
    /// Of each country.
    pub(super) cities: Vec<Vec<u32>>,
    pub(super) universities: Vec<Vec<u32>>,
    population: Shares,
}

impl StaticTables {
    pub(super) fn new(random: &mut Random) -> StaticTables {
        let sizes = POPULATIONS.iter().flat_map(|(count, size)| vec![*size; *count as usize]);
        let population = Shares::new(sizes);
        // Each country has one; the others lie in large countries.
        let mut countries = |count: u32| -> Vec<u32> {
            let others = (COUNTRIES..count).map(|_| population.pick(random));
            (0..COUNTRIES).chain(others).collect()
        };
        let [city_country, company_country] = [CITIES, COMPANIES].map(&mut countries);
        let university_country = countries(UNIVERSITIES);
        let cities = by_target(&city_country);
        let city = |country: &u32| *random.choose(&cities[*country as usize]);
        let university_city = university_country.iter().map(city).collect();
        let classes = Shares::new((1..=TAG_CLASSES).map(|rank| f64::from(rank).powf(-1.5)));
        StaticTables {
            country_continent: (0..COUNTRIES).map(|_| random.below(CONTINENTS)).collect(),
            tag_class: (0..TAGS).map(|_| classes.pick(random)).collect(),
            superclass: (1..TAG_CLASSES).map(|class| random.below(class)).collect(),
            universities: by_target(&university_country),
            city_country,
            company_country,
            university_city,
            cities,
            population,
        }
    }

    /// A country, as often as people live there.
    pub(super) fn country(&self, random: &mut Random) -> u32 {
        self.population.pick(random)
    }

    /// A company.
    pub(super) fn company(&self, random: &mut Random) -> u32 {
        random.below(COMPANIES)
    }

    /// A tag that is popular in a country, or in any other.
    pub(super) fn popular_tag(&self, country: u32, random: &mut Random) -> u32 {
        let topic = if random.percent(50) { country } else { random.below(COUNTRIES) };
        self.related_tag(topic * TOPIC_TAGS, random)
    }

    /// A tag of the same topic.
    pub(super) fn related_tag(&self, tag: u32, random: &mut Random) -> u32 {
        (tag / TOPIC_TAGS * TOPIC_TAGS + random.skewed(TOPIC_TAGS)).min(TAGS - 1)
    }

    pub(super) fn add<'t>(&'t self, tables: &mut Tables<'t>) {
        tables.nodes("Continent", "Continent", 0..CONTINENTS);
        tables.nodes("Country", "Country", 0..COUNTRIES);
        tables.nodes("City", "City", 0..CITIES);
        tables.nodes("Company", "Company", 0..COMPANIES);
        tables.nodes("University", "University", 0..UNIVERSITIES);
        tables.nodes("TagClass", "TagClass", 0..TAG_CLASSES);
        tables.nodes("Tag", "Tag", 0..TAGS);
    }

    pub(super) fn add_edges<'t>(&'t self, tables: &mut Tables<'t>) {
        let each = |targets: &'t [u32]| (0..).zip(targets.iter().copied());
        tables.edges("Country_isPartOf_Continent", "IS_PART_OF", each(&self.country_continent));
        tables.edges("City_isPartOf_Country", "IS_PART_OF", each(&self.city_country));
        tables.edges("Company_isLocatedIn_Country", "IS_LOCATED_IN", each(&self.company_country));
        tables.edges("University_isLocatedIn_City", "IS_LOCATED_IN", each(&self.university_city));
        tables.edges("Tag_hasType_TagClass", "HAS_TYPE", each(&self.tag_class));
        let classes = (1..).zip(self.superclass.iter().copied());
        tables.edges("TagClass_isSubclassOf_TagClass", "IS_SUBCLASS_OF", classes);
    }
}

/// The sources of each country.
fn by_target(countries: &[u32]) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); COUNTRIES as usize];
    for (source, country) in (0..).zip(countries) {
        lists[*country as usize].push(source);
    }
    lists
}
