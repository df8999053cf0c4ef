//! Forums, their moderators, members and tags.

use super::super::random::Random;
use super::friends::{Friend, Friends, time_from};
use super::people::People;
use super::tables::Tables;

/// The months that the network exists.
pub(super) const MONTHS: f32 = 36.0;
/// Of a hundred people so many moderate groups, each up to so many of up to so many members.
const MODERATORS: u32 = 5;
const GROUPS_MAX: u32 = 4;
pub(super) const GROUP_MEMBERS_MAX: u32 = 100;
/// Of a hundred invitations to a group so many go to friends of the moderator.
const GROUP_FRIENDS: u32 = 80;
/// Of a hundred friends so many are members of an album.
const ALBUM_FRIENDS: u32 = 70;

/// The use of a forum.
pub(super) enum Kind {
    /// Its owner writes there, friends comment. Its tags are the owner's interests.
    Wall,
    /// Its members write there on one interest of its moderator.
    Group,
    /// Its owner's photos, which friends like.
    Album,
}

/// A forum.
pub(super) struct Forum {
    pub(super) kind: Kind,
    pub(super) moderator: u32,
    pub(super) since: f32,
    /// In the order of time.
    pub(super) members: Vec<Friend>,
    pub(super) tags: Vec<u32>,
}

/// Of all people a wall each; then groups and albums.
pub(super) fn forums(people: &People, friends: &Friends, random: &mut Random) -> Vec<Forum> {
    let mut forums: Vec<Forum> =
        (0..people.count()).map(|owner| wall(owner, people, friends)).collect();
    for moderator in 0..people.count() {
        if random.percent(MODERATORS) {
            let groups = 1 + random.below(GROUPS_MAX);
            forums.extend((0..groups).map(|_| group(moderator, people, friends, random)));
        }
        // Every other person has photos, an album each month.
        if random.percent(50) {
            let months = (MONTHS * (1.0 - people.joined[moderator as usize])) as u32;
            forums.extend((0..months).map(|_| album(moderator, people, friends, random)));
        }
    }
    forums
}

fn wall(owner: u32, people: &People, friends: &Friends) -> Forum {
    Forum {
        kind: Kind::Wall,
        moderator: owner,
        since: people.joined[owner as usize],
        members: friends.lists[owner as usize].clone(),
        tags: people.interests[owner as usize].clone(),
    }
}

/// The moderator's friends come first, then others.
fn group(moderator: u32, people: &People, friends: &Friends, random: &mut Random) -> Forum {
    let since = time_from(people.joined[moderator as usize], random);
    let size = random.below(GROUP_MEMBERS_MAX).min(people.count() / 2) as usize;
    let friends = &friends.lists[moderator as usize];
    let mut chosen = Vec::new();
    while chosen.len() < size {
        let person = match friends.as_slice() {
            [_, ..] if random.percent(GROUP_FRIENDS) => random.choose(friends).person,
            _ => random.below(people.count()),
        };
        if !chosen.contains(&person) {
            chosen.push(person);
        }
    }
    let member = |person: u32| {
        let from = since.max(people.joined[person as usize]);
        Friend { person, since: time_from(from, random) }
    };
    let mut members: Vec<Friend> = chosen.into_iter().map(member).collect();
    members.sort_by(|one, other| one.since.total_cmp(&other.since));
    let tags = vec![*random.choose(&people.interests[moderator as usize])];
    Forum { kind: Kind::Group, moderator, since, members, tags }
}

fn album(owner: u32, people: &People, friends: &Friends, random: &mut Random) -> Forum {
    let since = time_from(people.joined[owner as usize], random);
    let friends = friends.lists[owner as usize].iter();
    let chosen = friends.filter(|_| random.percent(ALBUM_FRIENDS));
    let member = |friend: &Friend| Friend {
        person: friend.person,
        since: since.max(people.joined[friend.person as usize]),
    };
    let members = chosen.map(member).collect();
    let tags = vec![*random.choose(&people.interests[owner as usize])];
    Forum { kind: Kind::Album, moderator: owner, since, members, tags }
}

pub(super) fn add_edges<'t>(forums: &'t [Forum], tables: &mut Tables<'t>) {
    let numbered = || (0..).zip(forums);
    tables.edges("Forum_hasMember_Person", "HAS_MEMBER", {
        numbered().flat_map(|(forum, of)| of.members.iter().map(move |to| (forum, to.person)))
    });
    tables.edges("Forum_hasModerator_Person", "HAS_MODERATOR", {
        numbered().map(|(forum, of)| (forum, of.moderator))
    });
    tables.edges("Forum_hasTag_Tag", "HAS_TAG", {
        numbered().flat_map(|(forum, of)| of.tags.iter().map(move |to| (forum, *to)))
    });
}
