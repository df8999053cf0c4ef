//! Messages, with their authors, tags, likes and replies, as tables.

use super::super::random::Random;
use super::forums::Forum;
use super::people::People;
use super::static_tables::StaticTables;
use super::tables::Tables;
use super::threads::Writing;

type Pairs = Vec<(u32, u32)>;

/// Posts and comments, each numbered from 0. In the tables comments follow posts, as both are messages.
#[derive(Default)]
pub(super) struct Messages {
    pub(super) posts: Part,
    pub(super) comments: Part,
    /// The forum of each post.
    pub(super) forum: Vec<u32>,
    /// From a comment to a post, and to a comment.
    pub(super) to_posts: Pairs,
    pub(super) to_comments: Pairs,
}

/// The common part of posts and comments, by number.
#[derive(Default)]
pub(super) struct Part {
    pub(super) creator: Vec<u32>,
    country: Vec<u32>,
    /// From a message to a tag.
    pub(super) tags: Pairs,
    /// From a message to a person that likes it.
    pub(super) likes: Pairs,
}

impl Part {
    /// Adds a message and gives its number.
    pub(super) fn add(&mut self, creator: u32, people: &People, tags: &[u32]) -> u32 {
        let number = self.creator.len() as u32;
        self.creator.push(creator);
        self.country.push(people.country[creator as usize]);
        self.tags.extend(tags.iter().map(|tag| (number, *tag)));
        number
    }

    fn add_edges<'t>(&'t self, label: [&'static str; 4], first: u32, tables: &mut Tables<'t>) {
        let [creators, countries, tags, likes] = label;
        let numbered = |numbers: &'t [u32]| (first..).zip(numbers.iter().copied());
        let pairs = |pairs: &'t [(u32, u32)]| {
            pairs.iter().map(move |(message, other)| (first + message, *other))
        };
        tables.edges(creators, "HAS_CREATOR", numbered(&self.creator));
        tables.edges(countries, "IS_LOCATED_IN", numbered(&self.country));
        tables.edges(tags, "HAS_TAG", pairs(&self.tags));
        let likers = pairs(&self.likes).map(|(message, person)| (person, message));
        tables.edges(likes, "LIKES", likers);
    }
}

impl Messages {
    pub(super) fn new(
        fixed: &StaticTables,
        people: &People,
        forums: &[Forum],
        random: &mut Random,
    ) -> Messages {
        let mut messages = Messages::default();
        let mut writing = Writing { fixed, people, random, messages: &mut messages };
        (0..).zip(forums).for_each(|(number, forum)| writing.fill(number, forum));
        messages
    }

    pub(super) fn add_nodes(&self, tables: &mut Tables<'_>) {
        let [posts, comments] = [&self.posts, &self.comments].map(|part| part.creator.len() as u32);
        tables.nodes("Post", "Message;Post", 0..posts);
        tables.nodes("Comment", "Message;Comment", posts..posts + comments);
    }

    pub(super) fn add_edges<'t>(&'t self, tables: &mut Tables<'t>) {
        let first = self.posts.creator.len() as u32;
        let containers = (0..).zip(&self.forum).map(|(post, forum)| (*forum, post));
        tables.edges("Forum_containerOf_Post", "CONTAINER_OF", containers);
        let names = [
            "Post_hasCreator_Person",
            "Post_isLocatedIn_Country",
            "Post_hasTag_Tag",
            "Person_likes_Post",
        ];
        self.posts.add_edges(names, 0, tables);
        let names = [
            "Comment_hasCreator_Person",
            "Comment_isLocatedIn_Country",
            "Comment_hasTag_Tag",
            "Person_likes_Comment",
        ];
        self.comments.add_edges(names, first, tables);
        let to_posts = self.to_posts.iter().map(move |(comment, to)| (first + comment, *to));
        tables.edges("Comment_replyOf_Post", "REPLY_OF", to_posts);
        let to_comments =
            self.to_comments.iter().map(move |(comment, to)| (first + comment, first + to));
        tables.edges("Comment_replyOf_Comment", "REPLY_OF", to_comments);
    }
}
