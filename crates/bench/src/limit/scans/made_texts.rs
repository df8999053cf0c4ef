//! Texts that are made of properties: parts, upper case, words, replaced letters. A part is borrowed; what must be written
//! is written into one buffer, again for each element.

use super::nodes::WORD_ASKED;
use super::people::People;
use super::texts::{Groups, counts};
use super::{Answer, count, named};

/// How many people have an address at each host.
pub fn people_by_host(people: &People) -> Answer {
    let hosts = people.email.iter().filter_map(|email| email.split('@').nth(1));
    let (names, counts) = counts(hosts);
    named(&names, counts)
}

/// How many names begin with the same two letters, in upper case.
pub fn people_by_initials(people: &People) -> Answer {
    by_made_text(people.name.iter(), |name, buffer| {
        buffer.extend(name.chars().take(2).flat_map(char::to_uppercase));
    })
}

/// How many people a city has, with other letters in its name.
pub fn people_by_replaced_city(people: &People) -> Answer {
    by_made_text(people.city.iter(), |city, buffer| {
        buffer.extend(city.chars().map(|letter| if letter == 'a' { 'b' } else { letter }));
    })
}

fn by_made_text<'t>(
    texts: impl Iterator<Item = &'t str>,
    make: impl Fn(&str, &mut String),
) -> Answer {
    let (mut groups, mut counts, mut buffer) = (Groups::default(), Vec::new(), String::new());
    for text in texts {
        buffer.clear();
        make(text, &mut buffer);
        let number = groups.number(&buffer);
        if number == counts.len() {
            counts.push(0_i64);
        }
        counts[number] += 1;
    }
    named(&groups.into_names(), counts)
}

/// How many different texts city and name make together.
pub fn count_of_joined_texts(people: &People) -> Answer {
    let (mut groups, mut buffer) = (Groups::default(), String::new());
    for (city, name) in people.city.iter().zip(people.name.iter()) {
        buffer.clear();
        buffer.push_str(city);
        buffer.push('-');
        buffer.push_str(name);
        groups.number(&buffer);
    }
    count(groups.len())
}

/// How many words all texts have.
pub fn words_of_bios(people: &People) -> Answer {
    let words = |bio: &str| 1 + bio.bytes().filter(|byte| *byte == b' ').count();
    count(people.bio.iter().map(words).sum())
}

/// How many texts have a word.
pub fn count_with_word(people: &People) -> Answer {
    let has_word = |bio: &&str| bio.split(' ').any(|word| word == WORD_ASKED);
    count(people.bio.iter().filter(has_word).count())
}
