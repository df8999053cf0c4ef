//! Posts and comments: their authors, tags, likes and replies.
//!
//! A post that is talked about has tags, replies and likes, most have none of them. A comment comes from a friend of
//! the author it answers, and takes over half of the tags.

use super::super::random::Random;
use super::forums::Forums;
use super::people::People;
use super::shares::Shares;
use super::sizes::Sizes;
use super::static_tables::TAGS;
use super::tables::Tables;

/// Posts that are talked about, of a hundred.
const TALKED_ABOUT: u32 = 25;
/// Of a hundred comments beyond a post's first so many answer the post.
const TO_POST: u32 = 45;

/// All messages: posts first, then comments, by number.
pub(super) struct Messages {
    posts: u32,
    /// By message.
    creator: Vec<u32>,
    country: Vec<u32>,
    tags: Vec<Vec<u32>>,
    likes: Vec<Vec<u32>>,
    /// By post.
    forum: Vec<u32>,
    /// By comment: the message that it answers.
    answered: Vec<u32>,
}

impl Messages {
    pub(super) fn new(
        sizes: &Sizes,
        people: &People,
        forums: &Forums,
        random: &mut Random,
    ) -> Messages {
        let mut messages = Messages {
            posts: sizes.posts,
            creator: Vec::new(),
            country: Vec::new(),
            tags: Vec::new(),
            likes: Vec::new(),
            forum: Vec::new(),
            answered: Vec::new(),
        };
        let popular = messages.add_posts(sizes, forums, people, random);
        let popular = messages.add_comments(sizes, popular, (forums, people), random);
        let likes = Shares::new(popular);
        for (message, count) in likes.parts(sizes.likes).enumerate() {
            let creator = messages.creator[message];
            let liker = |_| close_to(creator, people, random);
            let mut likers: Vec<u32> = (0..count).map(liker).collect();
            likers.sort_unstable();
            likers.dedup();
            messages.likes.push(likers);
        }
        messages.country = (0..messages.creator.len()).map(|_| random.skewed(111)).collect();
        messages
    }

    /// Adds all posts, and says how popular each is.
    fn add_posts(
        &mut self,
        sizes: &Sizes,
        forums: &Forums,
        people: &People,
        random: &mut Random,
    ) -> Vec<f64> {
        for (forum, count) in (0..).zip(forums.busy.parts(sizes.posts)) {
            for _ in 0..count {
                let creator = *random.choose(&forums.members[forum as usize]);
                self.creator.push(creator);
                self.forum.push(forum);
            }
        }
        let popular: Vec<f64> = Shares::power_law(sizes.posts, 1.3, 60.0, random);
        let popular =
            popular.into_iter().map(|by| if random.percent(TALKED_ABOUT) { by } else { 0.0 });
        let popular: Vec<f64> = popular.collect();
        // Their share of the tags grows with the scale, as in the benchmark's data.
        let share = sizes.post_tags * 2;
        for (creator, by) in self.creator.iter().zip(&popular) {
            let mut tags = Vec::new();
            while 0.0 < *by && tags.len() < 8 && random.below(100 + share) < share {
                tags.push(own_tag(*creator, people, random));
            }
            tags.sort_unstable();
            tags.dedup();
            self.tags.push(tags);
        }
        popular
    }

    fn add_comments(
        &mut self,
        sizes: &Sizes,
        mut popular: Vec<f64>,
        (forums, people): (&Forums, &People),
        random: &mut Random,
    ) -> Vec<f64> {
        let counts: Vec<u32> = Shares::new(popular.iter().copied()).parts(sizes.comments).collect();
        for (post, count) in (0..self.posts).zip(counts) {
            let first = self.creator.len() as u32;
            for at in 0..count {
                let to_post = at == 0 || random.percent(TO_POST);
                let answered = if to_post { post } else { first + random.below(at) };
                let author = self.creator[answered as usize];
                let creator = match random.percent(95) {
                    true => close_to(author, people, random),
                    false => *random.choose(&forums.members[self.forum[post as usize] as usize]),
                };
                let tags = self.comment_tags(answered, sizes.comment_tags, random);
                self.creator.push(creator);
                self.answered.push(answered);
                self.tags.push(tags);
                // Likes go to comments that others find as well.
                popular.push(if random.percent(30) { popular[post as usize].sqrt() } else { 0.0 });
            }
        }
        popular
    }

    fn comment_tags(&self, answered: u32, a_hundred: u32, random: &mut Random) -> Vec<u32> {
        let mut tags: Vec<u32> = self.tags[answered as usize].clone();
        tags.retain(|_| random.percent(50));
        while tags.len() < 8 && random.below(100 + a_hundred) < a_hundred * 6 / 10 {
            tags.push(random.skewed(TAGS));
        }
        tags.sort_unstable();
        tags.dedup();
        tags
    }

    pub(super) fn add_nodes(&self, tables: &mut Tables<'_>) {
        tables.nodes("Post", "Message;Post", 0..self.posts);
        tables.nodes("Comment", "Message;Comment", self.posts..self.creator.len() as u32);
    }

    pub(super) fn add_edges<'t>(&'t self, tables: &mut Tables<'t>) {
        let posts = self.posts;
        let numbers = |numbers: &'t [u32]| (0..posts).zip(numbers.iter().copied());
        let of_comments = move |numbers: &'t [u32]| (posts..).zip(numbers.iter().copied());
        let behind = posts as usize;
        tables.edges("Forum_containerOf_Post", "CONTAINER_OF", {
            numbers(&self.forum).map(|(post, forum)| (forum, post))
        });
        tables.edges("Post_hasCreator_Person", "HAS_CREATOR", numbers(&self.creator));
        let creators = of_comments(&self.creator[behind..]);
        tables.edges("Comment_hasCreator_Person", "HAS_CREATOR", creators);
        tables.edges("Post_isLocatedIn_Country", "IS_LOCATED_IN", numbers(&self.country));
        let countries = of_comments(&self.country[behind..]);
        tables.edges("Comment_isLocatedIn_Country", "IS_LOCATED_IN", countries);
        let lists = |first: u32, lists: &'t [Vec<u32>]| {
            (first..)
                .zip(lists)
                .flat_map(|(message, list)| list.iter().map(move |to| (message, *to)))
        };
        let backwards = |(message, person): (u32, u32)| (person, message);
        let (post_tags, comment_tags) = self.tags.split_at(behind);
        tables.edges("Post_hasTag_Tag", "HAS_TAG", lists(0, post_tags));
        tables.edges("Comment_hasTag_Tag", "HAS_TAG", lists(posts, comment_tags));
        let (of_posts, liked_comments) = self.likes.split_at(behind);
        tables.edges("Person_likes_Post", "LIKES", lists(0, of_posts).map(backwards));
        tables.edges("Person_likes_Comment", "LIKES", lists(posts, liked_comments).map(backwards));
        let replies = of_comments(&self.answered);
        let to_posts = replies.clone().filter(move |(_, to)| *to < posts);
        tables.edges("Comment_replyOf_Post", "REPLY_OF", to_posts);
        let to_comments = replies.filter(move |(_, to)| posts <= *to);
        tables.edges("Comment_replyOf_Comment", "REPLY_OF", to_comments);
    }
}

/// A friend of someone, or anyone if there is none.
fn close_to(person: u32, people: &People, random: &mut Random) -> u32 {
    match people.friends[person as usize].as_slice() {
        [] => people.active.draw(random),
        friends => *random.choose(friends),
    }
}

/// A tag that the author is interested in, or any.
fn own_tag(creator: u32, people: &People, random: &mut Random) -> u32 {
    match people.interests[creator as usize].as_slice() {
        [_, ..] if random.percent(70) => *random.choose(&people.interests[creator as usize]),
        _ => random.skewed(TAGS),
    }
}
