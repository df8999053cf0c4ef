//! A golden file as pieces, so that rewriting an output leaves every other byte as it was.
//!
//! Lines are counted in the file as read: they identify cases, also while outputs are replaced.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Case, difference};

const FENCE_LENGTH_MIN: usize = 3;

#[derive(Clone, Debug)]
enum Piece {
    Prose(String),
    Block { line: usize, fence_length: usize, word: String, body: String },
}

/// The pieces of one file, in order.
#[derive(Debug)]
pub(super) struct Document {
    pieces: Vec<Piece>,
}

impl Document {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut lines = text.split_inclusive('\n').enumerate();
        while let Some((index, line)) = lines.next() {
            let fence_length = fence_length(line);
            if fence_length < FENCE_LENGTH_MIN {
                push_prose(&mut pieces, line);
                continue;
            }
            let mut body = String::new();
            loop {
                let Some((_, inside)) = lines.next() else {
                    return Err(format!("line {}: this block is not closed", index + 1));
                };
                if closes(inside, fence_length) {
                    break;
                }
                body.push_str(inside);
            }
            let word = line[fence_length..].trim().to_owned();
            pieces.push(Piece::Block { line: index + 1, fence_length, word, body });
        }
        let document = Self { pieces };
        document.refuse_stray_outputs()?;
        Ok(document)
    }

    pub(super) fn cases(&self, file: &Path) -> Vec<Case> {
        let mut cases = Vec::new();
        let mut name = String::new();
        let mut parts = BTreeMap::new();
        for piece in &self.pieces {
            match piece {
                Piece::Prose(text) => {
                    let is_heading = |line: &&str| line.starts_with('#');
                    if let Some(heading) = text.lines().rfind(is_heading) {
                        name = heading.trim_start_matches('#').trim().to_owned();
                    }
                }
                Piece::Block { line, word, body, .. } if word == "input" => cases.push(Case {
                    file: file.to_owned(),
                    line: *line,
                    name: name.clone(),
                    input: body.trim_end_matches('\n').to_owned(),
                    parts: parts.clone(),
                }),
                Piece::Block { word, .. } if word == "output" => {}
                Piece::Block { word, body, .. } => {
                    parts.insert(word.clone(), body.trim_end_matches('\n').to_owned());
                }
            }
        }
        cases
    }

    /// The difference for the case with its `input` on this line, or `None`.
    pub(super) fn compare(&self, input_line: usize, found: &str) -> Option<String> {
        let expected = match self.output_position(input_line) {
            Some(position) => self.body(position),
            None => return Some(format!("no `output` block yet; found:\n{found}\n")),
        };
        difference::between(expected, found)
    }

    /// Replaces the output of this case, or adds one right after its input.
    pub(super) fn set_output(&mut self, input_line: usize, found: &str) {
        let body = match found.trim_end_matches('\n') {
            "" => String::new(),
            text => format!("{text}\n"),
        };
        let longest = body.lines().map(fence_length).max().unwrap_or(0);
        let fence_length = FENCE_LENGTH_MIN.max(longest + 1);
        let word = "output".to_owned();
        let piece = Piece::Block { line: 0, fence_length, word, body };
        match self.output_position(input_line) {
            Some(position) => self.pieces[position] = piece,
            None => self.pieces.insert(self.input_position(input_line) + 1, piece),
        }
    }

    pub(super) fn render(&self) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Prose(prose) => text.push_str(prose),
                Piece::Block { fence_length, word, body, .. } => {
                    let fence = "`".repeat(*fence_length);
                    text.push_str(&format!("{fence}{word}\n{body}{fence}\n"));
                }
            }
        }
        text
    }

    fn refuse_stray_outputs(&self) -> Result<(), String> {
        let mut after_input = false;
        for piece in &self.pieces {
            let Piece::Block { line, word, .. } = piece else { continue };
            if word == "output" && !after_input {
                return Err(format!("line {line}: this `output` has no `input` right before it"));
            }
            after_input = word == "input";
        }
        Ok(())
    }

    fn input_position(&self, input_line: usize) -> usize {
        let is_it =
            |piece: &Piece| matches!(piece, Piece::Block { line, .. } if *line == input_line);
        self.pieces.iter().position(is_it).expect("a case comes from a block of its document")
    }

    fn output_position(&self, input_line: usize) -> Option<usize> {
        let after = self.input_position(input_line) + 1;
        let next_block =
            self.pieces[after..].iter().position(|piece| matches!(piece, Piece::Block { .. }))?;
        let position = after + next_block;
        let is_output =
            matches!(&self.pieces[position], Piece::Block { word, .. } if word == "output");
        is_output.then_some(position)
    }

    fn body(&self, position: usize) -> &str {
        match &self.pieces[position] {
            Piece::Block { body, .. } => body,
            Piece::Prose(text) => text,
        }
    }
}

fn push_prose(pieces: &mut Vec<Piece>, line: &str) {
    if let Some(Piece::Prose(text)) = pieces.last_mut() {
        text.push_str(line);
    } else {
        pieces.push(Piece::Prose(line.to_owned()));
    }
}

fn fence_length(line: &str) -> usize {
    line.bytes().take_while(|&byte| byte == b'`').count()
}

fn closes(line: &str, opening_length: usize) -> bool {
    let length = fence_length(line);
    opening_length <= length && line[length..].trim().is_empty()
}
