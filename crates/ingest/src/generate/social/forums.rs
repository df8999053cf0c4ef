//! Forums, their moderators, members and tags.

use super::super::random::Random;
use super::people::People;
use super::shares::Shares;
use super::sizes::Sizes;
use super::static_tables::TAGS;
use super::tables::Tables;

/// All forums.
pub(super) struct Forums {
    moderator: Vec<u32>,
    /// Of each, ascending; never none.
    pub(super) members: Vec<Vec<u32>>,
    tags: Vec<Vec<u32>>,
    /// How busy they are: many members, many posts.
    pub(super) busy: Shares,
}

impl Forums {
    pub(super) fn new(sizes: &Sizes, people: &People, random: &mut Random) -> Forums {
        let weights = Shares::power_law(sizes.forums, 1.3, 100.0, random);
        let busy = Shares::new(weights);
        let mut forums =
            Forums { moderator: Vec::new(), members: Vec::new(), tags: Vec::new(), busy };
        let sizes: Vec<u32> = forums.busy.parts(sizes.members).collect();
        for size in sizes {
            let moderator = people.active.draw(random);
            let mut members: Vec<u32> =
                (0..size.max(1)).map(|_| member(moderator, people, random)).collect();
            members.sort_unstable();
            members.dedup();
            let mut tags: Vec<u32> =
                (0..1 + random.below(6)).map(|_| random.skewed(TAGS)).collect();
            tags.sort_unstable();
            tags.dedup();
            forums.moderator.push(moderator);
            forums.members.push(members);
            forums.tags.push(tags);
        }
        forums
    }

    pub(super) fn add_edges<'t>(&'t self, tables: &mut Tables<'t>) {
        let each = |lists: &'t [Vec<u32>]| {
            (0..).zip(lists).flat_map(|(forum, list)| list.iter().map(move |to| (forum, *to)))
        };
        tables.edges("Forum_hasMember_Person", "HAS_MEMBER", each(&self.members));
        let moderators = (0..).zip(self.moderator.iter().copied());
        tables.edges("Forum_hasModerator_Person", "HAS_MODERATOR", moderators);
        tables.edges("Forum_hasTag_Tag", "HAS_TAG", each(&self.tags));
    }
}

/// A friend of the moderator, or anyone.
fn member(moderator: u32, people: &People, random: &mut Random) -> u32 {
    match people.friends[moderator as usize].as_slice() {
        [_, ..] if !random.percent(60) => *random.choose(&people.friends[moderator as usize]),
        _ => people.active.draw(random),
    }
}
