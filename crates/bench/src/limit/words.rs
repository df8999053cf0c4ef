//! The words of texts as lists of arrays, and the best texts for two words by BM25.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// How soon more occurrences of a word stop to count, and how much the length of a text does.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// For each word, the texts that have it with how often; and the length of each text.
#[derive(Debug)]
pub struct WordLists {
    lists: HashMap<String, Vec<(u32, u32)>>,
    lengths: Vec<u32>,
}

impl WordLists {
    /// Those of texts with a blank between words.
    pub fn new<'t>(texts: impl Iterator<Item = &'t str>) -> WordLists {
        let mut lists: HashMap<String, Vec<(u32, u32)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (number, text) in (0u32..).zip(texts) {
            let mut length = 0;
            for word in text.split(' ') {
                length += 1;
                let list = lists.entry(word.to_owned()).or_default();
                match list.last_mut().filter(|(own, _)| *own == number) {
                    Some((_, occurrences)) => *occurrences += 1,
                    None => list.push((number, 1)),
                }
            }
            lengths.push(length);
        }
        WordLists { lists, lengths }
    }

    /// The scores of the best texts that have one of the words, falling.
    pub fn best_scores(&self, words: &[&str], count: usize) -> Vec<f32> {
        let mean = self.lengths.iter().sum::<u32>() as f32 / self.lengths.len().max(1) as f32;
        let mut scores = vec![0f32; self.lengths.len()];
        let mut found = Vec::new();
        for word in words {
            let Some(list) = self.lists.get(*word) else { continue };
            let (all, with) = (self.lengths.len() as f32, list.len() as f32);
            let rarity = (1.0 + (all - with + 0.5) / (with + 0.5)).ln();
            for (text, occurrences) in list {
                let (at, occurrences) = (*text as usize, *occurrences as f32);
                let norm = K1 * (1.0 - B + B * self.lengths[at] as f32 / mean);
                if scores[at] == 0.0 {
                    found.push(*text);
                }
                scores[at] += rarity * occurrences / (occurrences + norm);
            }
        }
        // Scores are positive, so their bits are in their order.
        let mut best = BinaryHeap::new();
        for text in found {
            best.push(Reverse(scores[text as usize].to_bits()));
            if count < best.len() {
                best.pop();
            }
        }
        best.into_sorted_vec().into_iter().map(|Reverse(bits)| f32::from_bits(bits)).collect()
    }
}
