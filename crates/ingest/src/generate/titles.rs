//! Names of people and films from [`super::words`].

use super::random::Random;
use super::words::{
    ADJECTIVES, CITIES, FIRST_NAMES, LANGUAGES, LAST_NAMES, NOUNS, THINGS, Translated,
};

/// The name of a person; different for different numbers.
///
/// First and last name turn at different speeds, so that neighbours share neither; each full turn
/// adds a middle initial, as in "Ada B. Falk".
pub(super) fn person_name(number: u32) -> String {
    let (firsts, lasts) = (FIRST_NAMES.len() as u32, LAST_NAMES.len() as u32);
    let pairs = firsts * lasts;
    let (turn, pair) = (number / pairs, number % pairs);
    let first = FIRST_NAMES[(pair % firsts) as usize];
    let last = LAST_NAMES[((pair % firsts * 5 + pair / firsts) % lasts) as usize];
    format!("{first} {}{last}", initials(turn))
}

/// Turn 0 has none, turn 1 is "A. ", turn 27 "A. A. ".
fn initials(mut turn: u32) -> String {
    let mut text = String::new();
    while 0 < turn {
        let letter = char::from(b'A' + ((turn - 1) % 26) as u8);
        text.insert_str(0, &format!("{letter}. "));
        turn = (turn - 1) / 26;
    }
    text
}

/// A film's title by language; English comes first and is always there.
pub(super) fn film_title(random: &mut Random) -> Vec<(&'static str, String)> {
    match random.below(4) {
        0 => translated(random, pair_title),
        1 => translated(random, city_title),
        2 => english(format!("The {} {}", random.choose(&ADJECTIVES), random.choose(&THINGS))),
        _ => {
            let (thing, name) = (random.choose(&THINGS), random.choose(&FIRST_NAMES));
            let article = if thing.starts_with(['A', 'E', 'I', 'O', 'U']) { "An" } else { "A" };
            english(format!("{article} {thing} for {name}"))
        }
    }
}

fn english(title: String) -> Vec<(&'static str, String)> {
    vec![(LANGUAGES[0], title)]
}

fn pair_title(random: &mut Random) -> [String; 4] {
    let count = NOUNS.len();
    let first = random.below(count as u32) as usize;
    let second = (first + 1 + random.below(count as u32 - 1) as usize) % count;
    let (first, second) = (&NOUNS[first], &NOUNS[second]);
    let join = |at: usize, and: &str| format!("{}{and}{}", first[at], second[at]);
    [join(0, " and "), join(1, " und "), join(2, " et "), join(3, "と")]
}

fn city_title(random: &mut Random) -> [String; 4] {
    let (noun, city): (&Translated, &Translated) = (random.choose(&NOUNS), random.choose(&CITIES));
    [
        format!("{} in {}", noun[0], city[0]),
        format!("{} in {}", noun[1], city[1]),
        format!("{} à {}", noun[2], city[2]),
        format!("{}の{}", city[3], noun[3]),
    ]
}

/// Few films have a title in every language.
fn translated(
    random: &mut Random,
    title: fn(&mut Random) -> [String; 4],
) -> Vec<(&'static str, String)> {
    let titles = LANGUAGES.into_iter().zip(title(random));
    let chosen = titles.filter(|(language, _)| *language == LANGUAGES[0] || random.percent(35));
    chosen.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn people_have_different_names() {
        let names: HashSet<String> = (0..300_000).map(person_name).collect();
        assert_eq!(names.len(), 300_000);
        assert_eq!(person_name(0), "Ada Abara");
        assert_eq!(person_name(4096), "Ada A. Abara");
    }
}
