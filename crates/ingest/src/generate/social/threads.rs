//! How a forum fills: posts, the comments below them, tags and likes.
//!
//! Only a long comment has tags, is answered and is liked, so that the three meet at the same messages.

use super::super::random::Random;
use super::forums::{Forum, GROUP_MEMBERS_MAX, Kind, MONTHS};
use super::friends::{Friend, time_from};
use super::messages::{Messages, Part};
use super::people::People;
use super::static_tables::StaticTables;

/// The most posts of a month on a wall with as many friends as a person can have, and in the largest group.
const WALL_POSTS_MAX: f32 = 30.0;
const WALL_FRIENDS_MAX: f32 = 1_000.0;
const GROUP_POSTS_MAX: f32 = 10.0;
/// Posts on current events, for each other post.
const EVENT_POSTS: f32 = 0.75;
/// The most photos of an album.
const PHOTOS_MAX: u32 = 20;
/// The most comments that a post asks for.
const COMMENTS_MAX: u32 = 20;
/// Of a hundred comments so many are long.
const LONG: u32 = 33;
/// Of a hundred tags of a forum so many are those of a post as well, beside the first.
const FORUM_TAGS: u32 = 5;
/// A post on a current event has so many related tags at most, each by the same chance.
const EVENT_TAGS_MAX: u32 = 79;
/// Of a hundred messages so many are liked, by up to so many people, most by one or two.
const LIKED: u32 = 10;
const LIKES_MAX: f64 = 1_000.0;
const LIKES_EXPONENT: f64 = 14.3;
/// Likes come in the first week.
const WEEK: f32 = 7.0 / 30.0 / MONTHS;

/// Messages in the making.
pub(super) struct Writing<'w> {
    pub(super) fixed: &'w StaticTables,
    pub(super) people: &'w People,
    pub(super) random: &'w mut Random,
    pub(super) messages: &'w mut Messages,
}

/// A message that can be answered.
struct Open {
    number: u32,
    is_post: bool,
    since: f32,
    tags: Vec<u32>,
}

impl Writing<'_> {
    /// Writes everything of a forum.
    pub(super) fn fill(&mut self, number: u32, forum: &Forum) {
        let owner = [Friend { person: forum.moderator, since: forum.since }];
        match forum.kind {
            Kind::Wall => {
                self.posts(number, forum, &owner, WALL_POSTS_MAX / WALL_FRIENDS_MAX);
            }
            Kind::Group => {
                let rate = GROUP_POSTS_MAX / GROUP_MEMBERS_MAX as f32;
                self.posts(number, forum, &forum.members, rate);
            }
            Kind::Album => {
                for _ in 0..self.random.below(PHOTOS_MAX + 1) {
                    let photo = self.post(number, forum.moderator, &[]);
                    self.likes(photo, true, forum.since, forum);
                }
            }
        }
    }

    fn post(&mut self, forum: u32, author: u32, tags: &[u32]) -> u32 {
        self.messages.forum.push(forum);
        self.messages.posts.add(author, self.people, tags)
    }

    /// Posts on the forum's tags, and as many again on current events.
    fn posts(&mut self, number: u32, forum: &Forum, authors: &[Friend], rate: f32) {
        let most = rate * (MONTHS * (1.0 - forum.since)).max(1.0) * forum.members.len() as f32;
        for is_event in [false, true] {
            let share = if is_event { EVENT_POSTS } else { 1.0 };
            let each = most * share * self.random.unit() as f32 / authors.len().max(1) as f32;
            for author in authors {
                let few = each < 1.0 && each <= self.random.unit() as f32;
                let count = if few { 0 } else { each.ceil() as u32 };
                let comments = self.random.below(COMMENTS_MAX + 1);
                for _ in 0..count {
                    let tags = if is_event { self.event_tags() } else { self.own_tags(forum) };
                    let since = time_from(author.since, self.random);
                    let post = self.post(number, author.person, &tags);
                    self.likes(post, true, since, forum);
                    self.comments(
                        Open { number: post, is_post: true, since, tags },
                        comments,
                        forum,
                    );
                }
            }
        }
    }

    fn own_tags(&mut self, forum: &Forum) -> Vec<u32> {
        let [first, others @ ..] = forum.tags.as_slice() else { return Vec::new() };
        let others = others.iter().copied().filter(|_| self.random.percent(FORUM_TAGS));
        std::iter::once(*first).chain(others).collect()
    }

    fn event_tags(&mut self) -> Vec<u32> {
        let country = self.fixed.country(self.random);
        let event = self.fixed.popular_tag(country, self.random);
        let mut tags = vec![event];
        for _ in 0..EVENT_TAGS_MAX {
            if self.random.percent(FORUM_TAGS) {
                tags.push(self.fixed.related_tag(event, self.random));
            }
        }
        tags.sort_unstable();
        tags.dedup();
        tags
    }

    /// Comments of members, each on the post or on a long comment before.
    fn comments(&mut self, post: Open, count: u32, forum: &Forum) {
        let mut open = vec![post];
        for _ in 0..count {
            let parent = &open[self.random.below(open.len() as u32) as usize];
            let since = parent.since;
            let members = forum.members.partition_point(|member| member.since < since);
            let Some(author) =
                forum.members[..members].get(self.random.below(members.max(1) as u32) as usize)
            else {
                return;
            };
            let is_long = self.random.percent(LONG);
            let tags = if is_long { self.comment_tags(&parent.tags) } else { Vec::new() };
            let number = self.messages.comments.add(author.person, self.people, &tags);
            let replies = if parent.is_post {
                &mut self.messages.to_posts
            } else {
                &mut self.messages.to_comments
            };
            replies.push((number, parent.number));
            if is_long {
                open.push(Open { number, is_post: false, since, tags });
                self.likes(number, false, since, forum);
            }
        }
    }

    /// Half of the tags of the message that is answered, and half as many that are related to one.
    fn comment_tags(&mut self, answered: &[u32]) -> Vec<u32> {
        let mut tags = answered.to_vec();
        tags.retain(|_| self.random.percent(50));
        for _ in 0..answered.len().div_ceil(2) {
            let tag = *self.random.choose(answered);
            tags.push(self.fixed.related_tag(tag, self.random));
        }
        tags.sort_unstable();
        tags.dedup();
        tags
    }

    /// Likes of neighbours in the list of members, of those that have joined by then.
    fn likes(&mut self, number: u32, is_post: bool, since: f32, forum: &Forum) {
        if !self.random.percent(LIKED) {
            return;
        }
        let many = 1 + (LIKES_MAX * self.random.unit().powf(LIKES_EXPONENT)) as usize;
        let many = many.min(forum.members.len());
        let first = self.random.below((forum.members.len() - many) as u32 + 1) as usize;
        let joined = |member: &&Friend| self.people.joined[member.person as usize] < since + WEEK;
        let likers = forum.members[first..first + many].iter().filter(joined);
        let part: &mut Part =
            if is_post { &mut self.messages.posts } else { &mut self.messages.comments };
        part.likes.extend(likers.map(|member| (number, member.person)));
    }
}
