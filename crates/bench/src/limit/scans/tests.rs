//! Every question over five people and six relationships, answered by hand.

use super::*;

fn people() -> People {
    let mut people = People::default();
    for (name, age, city, score, email, bio) in [
        ("Ann", 20, "Alaba", 25.0, "a@x.com", "amber sky"),
        ("Bob", 65, "Corra", 90.5, "b@y.com", "no ambers here"),
        ("aNt", 30, "Alaba", 29.9, "c@x.com", "plain"),
        ("Eve", 59, "Corra", 30.0, "d@x.com", "stone amber amber"),
        ("Bos", 29, "Dan", 20.0, "e@z.com", ""),
    ] {
        people.name.push(name);
        people.age.push(age);
        people.city.push(city);
        people.score.push(score);
        people.email.push(email);
        people.bio.push(bio);
    }
    for (target, since, w, year) in [
        (3, 2019, 0.5, 2001),
        (1, 2020, 1.0, 2000),
        (3, 2025, 0.25, 2001),
        (0, 2000, 0.0, 2000),
        (1, 2021, 0.75, 2010),
        (3, 2003, 0.75, 2001),
    ] {
        people.knows.target.push(target);
        people.knows.since.push(since);
        people.knows.w.push(w);
        people.knows.year.push(year);
    }
    people
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn named(rows: &[(&str, i64)]) -> Answer {
    rows.iter().map(|(name, number)| vec![text(name), Cell::Int(*number)]).collect()
}

fn ints(rows: &[(i64, i64)]) -> Answer {
    rows.iter().map(|(one, other)| vec![Cell::Int(*one), Cell::Int(*other)]).collect()
}

#[test]
fn nodes_are_folded_filtered_and_grouped() {
    let people = people();
    let fold = vec![Cell::Double(40.6), Cell::Int(20), Cell::Int(65), Cell::Int(203)];
    assert_eq!(fold_of_ages(&people), [fold]);
    assert_eq!(mean_age(&people), [[Cell::Double(40.6)]]);
    let means = [("Alaba", 25.0), ("Corra", 62.0), ("Dan", 29.0)];
    assert_eq!(mean_age_by_city(&people), means.map(|(city, age)| vec![text(city), age.into()]));
    let by_city = named(&[("Alaba", 2), ("Corra", 2), ("Dan", 1)]);
    assert_eq!(people_by_city(&people), by_city);
    assert_eq!(cities_with_sizes(&people), by_city);
    let lists = [("Alaba", vec![0, 2]), ("Corra", vec![1, 3]), ("Dan", vec![4])];
    assert_eq!(cities(&people), lists.map(|(city, list)| vec![text(city), Cell::Ints(list)]));
    for (found, expected) in [
        (count_of_cities(&people), 3),
        (count_of_scores(&people), 3),
        (count_of_ages(&people), 2),
        (people_older_than(&people), 1),
        (count_containing(&people), 3),
    ] {
        assert_eq!(found, [[Cell::Int(expected)]]);
    }
    assert_eq!(best_scores(&people), [1, 3, 2, 0, 4].map(|uid| vec![Cell::Int(uid)]));
    assert_eq!(people_by_decade(&people), ints(&[(2, 2), (3, 1), (5, 1), (6, 1)]));
    assert_eq!(people_by_age_group(&people), named(&[("young", 2), ("mid", 2), ("old", 1)]));
    let row = vec![Cell::Int(0), text("Ann"), Cell::Double(25.0)];
    assert_eq!(named_rows(&people, 1), [row]);
    assert_eq!(named_rows(&people, 9).len(), 5);
}

#[test]
fn the_best_of_many_are_the_first_of_a_sort() {
    let mut people = People::default();
    for number in 0..1_000_u64 {
        people.score.push((number * 7_919 % 1_009) as f64);
        people.age.push(0);
        people.knows.target.push((number * number % 83) as u32);
    }
    let mut sorted: Vec<usize> = (0..1_000).collect();
    sorted.sort_by(|a, b| people.score[*b].total_cmp(&people.score[*a]));
    let expected = sorted[..10].iter().map(|uid| vec![Cell::Int(*uid as i64)]);
    assert_eq!(best_scores(&people), expected.collect::<Answer>());
    let degree =
        |uid: usize| people.knows.target.iter().filter(|own| **own as usize == uid).count();
    let mut sorted: Vec<(i64, i64)> = (0..83).map(|uid| (uid as i64, degree(uid) as i64)).collect();
    sorted.sort_by_key(|(uid, degree)| (-degree, *uid));
    assert_eq!(most_known(&people), ints(&sorted[..10]));
}

#[test]
fn texts_are_made_and_grouped() {
    let people = people();
    assert_eq!(people_by_host(&people), named(&[("x.com", 3), ("y.com", 1), ("z.com", 1)]));
    assert_eq!(people_by_initials(&people), named(&[("AN", 2), ("BO", 2), ("EV", 1)]));
    let replaced = named(&[("Albbb", 2), ("Corrb", 2), ("Dbn", 1)]);
    assert_eq!(people_by_replaced_city(&people), replaced);
    for (found, expected) in [
        (count_of_joined_texts(&people), 5),
        (words_of_bios(&people), 10),
        (count_with_word(&people), 2),
    ] {
        assert_eq!(found, [[Cell::Int(expected)]]);
    }
}

#[test]
fn relationships_are_counted_and_grouped() {
    let people = people();
    assert_eq!(count_since(&people), [[Cell::Int(3)]]);
    let means = [(2000, 0.5), (2001, 0.5), (2010, 0.75)];
    let means = means.map(|(year, mean)| vec![Cell::Int(year), Cell::Double(mean)]);
    assert_eq!(mean_weight_by_year(&people), means);
    assert_eq!(most_known(&people), ints(&[(3, 3), (1, 2), (0, 1)]));
    let mut likes = WeightedLikes { item: vec![0, 2, 0], ..WeightedLikes::default() };
    likes.weight = vec![9.95, 9.9, 1.0];
    ["one", "none", "three"].into_iter().for_each(|item| likes.items.push(item));
    assert_eq!(mean_of_weights(&likes), [[Cell::Double((9.95 + 9.9 + 1.0) / 3.0)]]);
    assert_eq!(count_heavy(&likes), [[Cell::Int(1)]]);
    let by_item = [("one", (9.95 + 1.0) / 2.0), ("three", 9.9)];
    assert_eq!(
        mean_weight_by_item(&likes),
        by_item.map(|(item, mean)| vec![text(item), mean.into()])
    );
}
