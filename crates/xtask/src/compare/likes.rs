//! The graph of all loads and queries: people and the items they like, as `millrace generate likes` writes it.
//!
//! The right answers come from plain loops over the same file, so that no database is the judge of another.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::process;
use crate::workspace::Workspace;

/// How many items a recommendation names.
pub(super) const TOP: usize = 10;

/// How many people are asked about.
const ASKED: usize = 10;

/// An item, and how many paths lead to it.
pub(super) type Counted = (String, u64);

/// The files, their content, and questions.
pub(super) struct Likes {
    /// Three tables with headers of neo4j-admin: people, items, likes.
    pub(super) files: [PathBuf; 3],
    pub(super) tables: Tables,
    /// Some of the people, far from one another, each with the right answer.
    pub(super) asked: Vec<(String, Vec<Counted>)>,
}

/// The content of the files.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) people: Vec<String>,
    pub(super) items: Vec<String>,
    pub(super) edges: Vec<Edge>,
}

/// A person likes an item.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Edge {
    pub(super) person: String,
    pub(super) item: String,
    pub(super) weight: f64,
}

impl Likes {
    /// The graph of a scale, from the program's generator.
    pub(super) fn generate(
        workspace: &Workspace,
        program: &Path,
        folder: &Path,
        scale: f64,
    ) -> Result<Likes, String> {
        let folder = folder.join(format!("likes-{scale}"));
        let mut generate = workspace.command(&program.to_string_lossy());
        generate.args(["generate", "likes", "--scale", &scale.to_string(), "--out"]).arg(&folder);
        process::output(generate)?;
        Likes::read(["people", "items", "likes"].map(|name| folder.join(format!("{name}.csv"))))
    }

    fn read(files: [PathBuf; 3]) -> Result<Likes, String> {
        let tables = Tables::read(&files)?;
        let paths = Paths::of(&tables.edges);
        let step = tables.people.len().div_ceil(ASKED).max(1);
        let asked = tables.people.iter().step_by(step);
        let asked = asked.map(|person| (person.clone(), paths.recommend(person))).collect();
        Ok(Likes { files, tables, asked })
    }
}

impl Tables {
    /// Reads the files.
    pub(super) fn read(files: &[PathBuf; 3]) -> Result<Tables, String> {
        let [people, items, likes] = files;
        let edges = rows(likes)?.iter().map(|row| Edge::parse(row)).collect::<Result<_, _>>()?;
        Ok(Tables { people: first_column(people)?, items: first_column(items)?, edges })
    }

    /// How many vertices there are.
    pub(super) fn vertex_count(&self) -> usize {
        self.people.len() + self.items.len()
    }
}

impl Edge {
    /// From `person1,item2,LIKES,3.5`.
    fn parse(row: &str) -> Result<Edge, String> {
        let mut fields = row.split(',');
        let parsed = (|| {
            let [person, item] = [fields.next()?, fields.next()?].map(str::to_owned);
            let weight = fields.nth(1)?.parse().ok()?;
            Some(Edge { person, item, weight })
        })();
        parsed.ok_or_else(|| format!("`{row}` is not a like"))
    }
}

fn rows(file: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(text.lines().skip(1).map(str::to_owned).collect())
}

fn first_column(file: &Path) -> Result<Vec<String>, String> {
    let first = |row: &String| row.split(',').next().unwrap_or_default().to_owned();
    Ok(rows(file)?.iter().map(first).collect())
}

/// The edges from both sides. An item that a person likes twice is there twice.
struct Paths<'a> {
    likes: HashMap<&'a str, Vec<&'a str>>,
    liked_by: HashMap<&'a str, Vec<&'a str>>,
}

impl<'a> Paths<'a> {
    fn of(edges: &'a [Edge]) -> Paths<'a> {
        let mut paths = Paths { likes: HashMap::new(), liked_by: HashMap::new() };
        for Edge { person, item, .. } in edges {
            paths.likes.entry(person).or_default().push(item);
            paths.liked_by.entry(item).or_default().push(person);
        }
        paths
    }

    /// Items of people that share an item with this one, without the person's own: those with the most
    /// paths, best first. Of items with equally many, the first by name comes first.
    fn recommend(&self, person: &str) -> Vec<Counted> {
        let own = self.likes.get(person).map_or(&[][..], Vec::as_slice);
        let mut others: HashMap<&str, u64> = HashMap::new();
        for other in own.iter().filter_map(|item| self.liked_by.get(item)).flatten() {
            *others.entry(other).or_default() += 1;
        }
        let own: HashSet<&str> = own.iter().copied().collect();
        let mut counts: HashMap<&str, u64> = HashMap::new();
        for (other, paths) in others {
            let items = self.likes.get(other).into_iter().flatten();
            for item in items.filter(|item| !own.contains(**item)) {
                *counts.entry(item).or_default() += paths;
            }
        }
        let mut best: Vec<Counted> =
            counts.into_iter().map(|(item, count)| (item.to_owned(), count)).collect();
        sort(&mut best);
        best.truncate(TOP);
        best
    }
}

fn sort(answer: &mut [Counted]) {
    answer.sort_by(|left, right| (Reverse(left.1), &left.0).cmp(&(Reverse(right.1), &right.0)));
}

/// Whether an answer is the right one. Of items with the count of the last one, any may be named.
pub(super) fn check(
    person: &str,
    mut answer: Vec<Counted>,
    right: &[Counted],
) -> Result<(), String> {
    sort(&mut answer);
    let last = right.last().map_or(0, |(_, count)| *count);
    let counts = |all: &[Counted]| all.iter().map(|(_, count)| *count).collect::<Vec<u64>>();
    let sure = |all: &[Counted]| -> Vec<Counted> {
        all.iter().filter(|(_, count)| last < *count).cloned().collect()
    };
    if counts(&answer) == counts(right) && sure(&answer) == sure(right) {
        return Ok(());
    }
    Err(format!("recommendations for {person} are {answer:?}, and should be {right:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(all: &[(&str, u64)]) -> Vec<Counted> {
        all.iter().map(|(item, count)| ((*item).to_owned(), *count)).collect()
    }

    #[test]
    fn paths_are_counted_and_own_items_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["people", "items", "likes"].map(|name| folder.path().join(name));
        fs::write(&files[0], "username:ID(Person),:LABEL\nann,Person\nben,Person\ncai,Person\n")
            .unwrap();
        fs::write(&files[1], "name:ID(Item),:LABEL\nx,Item\ny,Item\nz,Item\n").unwrap();
        // Ann likes x twice, so two paths lead over Ben to each of his likes of z.
        let likes = "ann,x,LIKES,1\nann,x,LIKES,2.5\nben,x,LIKES,3\nben,z,LIKES,4\nben,z,LIKES,4\ncai,y,LIKES,5\n";
        fs::write(
            &files[2],
            format!(":START_ID(Person),:END_ID(Item),:TYPE,weight:double\n{likes}"),
        )
        .unwrap();
        let read = Likes::read(files).unwrap();
        assert_eq!(read.tables.vertex_count(), 6);
        assert_eq!(
            read.tables.edges[1],
            Edge { person: "ann".into(), item: "x".into(), weight: 2.5 }
        );
        assert_eq!(read.asked[0], ("ann".into(), counted(&[("z", 4)])));
        assert_eq!(read.asked[1], ("ben".into(), Vec::new()), "nobody shares more than x with Ben");
        assert!(Edge::parse("ann,x,LIKES").unwrap_err().contains("ann,x,LIKES"));
    }

    #[test]
    fn of_items_with_the_last_count_any_may_be_named() {
        let right = counted(&[("a", 9), ("b", 5), ("c", 5)]);
        assert_eq!(check("p", counted(&[("d", 5), ("a", 9), ("b", 5)]), &right), Ok(()));
        assert!(check("p", counted(&[("b", 9), ("a", 5), ("c", 5)]), &right).is_err());
        assert!(check("p", counted(&[("a", 9), ("b", 5)]), &right).is_err());
        assert!(
            check("p", counted(&[("a", 9), ("b", 5), ("c", 4)]), &right)
                .unwrap_err()
                .contains("p are")
        );
    }
}
