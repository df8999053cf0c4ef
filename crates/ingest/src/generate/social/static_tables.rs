//! What does not grow with the scale: places, organisations, tags.

use super::super::random::Random;
use super::shares::Shares;
use super::tables::Tables;

const CONTINENTS: u32 = 6;
const COUNTRIES: u32 = 111;
const CITIES: u32 = 1_343;
const COMPANIES: u32 = 1_575;
const UNIVERSITIES: u32 = 6_380;
const TAG_CLASSES: u32 = 71;
pub(super) const TAGS: u32 = 16_080;

/// The places of a smaller place each, and so on: the number of the target by the number of the source.
pub(super) struct StaticTables {
    country_continent: Vec<u32>,
    pub(super) city_country: Vec<u32>,
    company_country: Vec<u32>,
    pub(super) university_city: Vec<u32>,
    tag_class: Vec<u32>,
    /// Of each class but the first, a class before it.
    superclass: Vec<u32>,
    /// The cities of each country.
    pub(super) cities: Vec<Vec<u32>>,
}

impl StaticTables {
    pub(super) fn new(random: &mut Random) -> StaticTables {
        // Each country has a city; the others lie in large countries.
        let mut city_country: Vec<u32> = (0..COUNTRIES).collect();
        city_country.extend((COUNTRIES..CITIES).map(|_| random.skewed(COUNTRIES)));
        let mut cities = vec![Vec::new(); COUNTRIES as usize];
        for (city, country) in (0..).zip(&city_country) {
            cities[*country as usize].push(city);
        }
        let classes = Shares::new(Shares::power_law(TAG_CLASSES, 1.2, 200.0, random));
        StaticTables {
            country_continent: (0..COUNTRIES).map(|_| random.below(CONTINENTS)).collect(),
            city_country,
            company_country: (0..COMPANIES).map(|_| random.skewed(COUNTRIES)).collect(),
            university_city: (0..UNIVERSITIES).map(|_| random.below(CITIES)).collect(),
            tag_class: (0..TAGS).map(|_| classes.draw(random)).collect(),
            superclass: (1..TAG_CLASSES).map(|class| random.below(class)).collect(),
            cities,
        }
    }

    /// A country, as often as people live there.
    pub(super) fn country(&self, random: &mut Random) -> u32 {
        random.skewed(COUNTRIES)
    }

    /// A company.
    pub(super) fn company(&self, random: &mut Random) -> u32 {
        random.below(COMPANIES)
    }

    /// A university.
    pub(super) fn university(&self, random: &mut Random) -> u32 {
        random.below(UNIVERSITIES)
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
