//! Random passages for Eq. 6, by a seed.
//!
//! An index is searched, not listed: it gives passages for words. So the draw walks: from a passage to one of its words, from
//! that to one of the passages that have it, several times over, which leaves the question's subject behind and costs a few
//! small searches however large the index is. Every passage that shares a word with others can be drawn; they are not
//! equally probable.

use evident_index::{Index, IndexError, Passage, Storage, analyse};
use unicode_segmentation::UnicodeSegmentation;

/// Words that some passage of any English corpus has; the walk sets out from one of the passages that have them.
const FIRST: &str = "first known year world time city people new also one two";
/// Of how many passages with a word one is chosen.
const BREADTH: usize = 64;
/// Words from one drawn passage to the next.
const STEPS: usize = 3;
/// How often a passage may be drawn in vain, having been drawn before or being about the question.
const TRIES: usize = 8;
/// The passages that the index finds first for the question are about it.
const ABOUT: usize = 10;

/// At most `count` different passages of the index that are neither what it finds first for the question nor `knowledge`
/// itself. The same seed, question and index give the same ones.
pub(super) async fn random_passages<S: Storage>(
    index: &Index<S>,
    question: &str,
    knowledge: &str,
    count: usize,
    seed: u64,
) -> Result<Vec<Passage>, IndexError> {
    let mut random = SplitMix(seed ^ fnv(question));
    let about: Vec<String> = index.search(question, ABOUT).await?.into_iter().map(|hit| hit.passage.id).collect();
    let mut drawn: Vec<Passage> = Vec::new();
    let Some(mut at) = one_of(index, FIRST, &mut random).await? else { return Ok(drawn) };
    for _ in 0..count * TRIES {
        for _ in 0..STEPS {
            let words: Vec<&str> = at.text.unicode_words().filter(|word| analyse(word).next().is_some()).collect();
            let Some(word) = random.pick(&words) else { break };
            at = one_of(index, word, &mut random).await?.unwrap_or(at);
        }
        let is_new = drawn.iter().all(|passage| passage.id != at.id);
        if is_new && !about.contains(&at.id) && at.text.trim() != knowledge.trim() {
            drawn.push(at.clone());
        }
        if drawn.len() == count {
            break;
        }
    }
    Ok(drawn)
}

async fn one_of<S: Storage>(
    index: &Index<S>,
    query: &str,
    random: &mut SplitMix,
) -> Result<Option<Passage>, IndexError> {
    let hits = index.search(query, BREADTH).await?;
    Ok(random.pick(&hits).map(|hit| hit.passage.clone()))
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of them; `None` of none.
    fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        // The bias of the remainder is below 1 in 2^50 for what is picked from here.
        (!of.is_empty()).then(|| &of[(self.next() % of.len() as u64) as usize])
    }
}

/// FNV-1a, 64 bits: unlike the standard library's hash it stays the same between versions.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of the reference implementation for the seed 1234567.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = SplitMix(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
        assert_eq!(SplitMix(0).pick::<u8>(&[]), None);
    }

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!((fnv(""), fnv("a")), (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c));
    }
}
