//! Random passages, by a seed: for Eq. 6, and for guan2024's Tab. 9.

use std::collections::HashSet;

use evident_index::{Index, IndexError, Limits, Passage, Storage};

use crate::random::SplitMix;

/// How many passages are drawn for each one wanted, as some are about the question.
const TRIES: usize = 8;
/// The passages that the index finds first for the question, within [`Limits::WEB`], are about it.
const ABOUT: usize = 10;

/// At most `count` different passages of the index, drawn uniformly from those that are neither what it finds first for
/// the question nor `knowledge` itself. The same seed, question and index give the same ones.
///
/// # Errors
/// Whatever keeps the index from being read.
pub async fn random_passages<S: Storage>(
    index: &Index<S>,
    question: &str,
    knowledge: &str,
    count: usize,
    seed: u64,
) -> Result<Vec<Passage>, IndexError> {
    let mut random = SplitMix(seed ^ fnv(question));
    let found = index.find(question, ABOUT, Limits::WEB).await?;
    let about: HashSet<String> = found.hits.into_iter().map(|hit| hit.passage.id).collect();
    let (mut seen, mut drawn) = (HashSet::new(), Vec::new());
    for _ in 0..count * TRIES {
        if drawn.len() == count {
            break;
        }
        let number = random.below(index.manifest().passages as usize) as u32;
        if !seen.insert(number) {
            continue;
        }
        let fits = |passage: &Passage| !about.contains(&passage.id) && passage.text.trim() != knowledge.trim();
        drawn.extend(index.passages(&[number]).await?.into_iter().filter(fits));
    }
    Ok(drawn)
}

/// FNV-1a, 64 bits: unlike the standard library's hash it stays the same between versions.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!((fnv(""), fnv("a")), (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c));
    }
}
