//! Texts of unlike length in one computation: the shorter are padded to the longest.

use burn::tensor::{Device, Int, Tensor, TensorData};

use crate::layers::Bias;
use crate::tokenizer::Encoded;

/// The most tokens, padding included, that are computed at once: enough to fill a matrix product, little enough to keep
/// the activations in cache and a batch short. On a page's CPU, which has no other thread to give a turn to, it is less.
const TOKENS: usize = if cfg!(all(target_family = "wasm", feature = "cpu")) { 128 } else { 2048 };

/// Splits texts into batches of like length, the longest first, so that little is spent on padding: the places of the
/// texts in each.
pub(crate) fn batches(texts: &[Encoded]) -> Vec<Vec<usize>> {
    let length = |place: usize| texts[place].ids.len();
    let mut by_length: Vec<usize> = (0..texts.len()).collect();
    by_length.sort_by_key(|&place| std::cmp::Reverse(length(place)));
    let mut batches = Vec::new();
    let mut rest = by_length.as_slice();
    while let Some(&longest) = rest.first() {
        let size = (TOKENS / length(longest).max(1)).clamp(1, rest.len());
        let (batch, later) = rest.split_at(size);
        batches.push(batch.to_vec());
        rest = later;
    }
    batches
}

/// Some texts, as rows for the model: text by text, each with as many rows as the longest has tokens.
pub(crate) struct Batch<'a> {
    texts: Vec<&'a Encoded>,
    length: usize,
}

impl<'a> Batch<'a> {
    pub fn new(texts: impl IntoIterator<Item = &'a Encoded>) -> Self {
        let texts: Vec<_> = texts.into_iter().collect();
        let length = texts.iter().map(|text| text.ids.len()).max().unwrap_or(0);
        Self { texts, length }
    }

    /// How many texts there are.
    pub fn size(&self) -> usize {
        self.texts.len()
    }

    /// The tokens of the longest.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The tokens of each.
    pub fn lengths(&self) -> Vec<usize> {
        self.texts.iter().map(|text| text.ids.len()).collect()
    }

    /// The tokens of each, where any is padded.
    pub fn padded_lengths(&self) -> Option<Vec<usize>> {
        let lengths = self.lengths();
        lengths.iter().any(|&length| length < self.length).then_some(lengths)
    }

    /// The padding, for nobody to attend to.
    pub fn bias(&self) -> Bias {
        self.padded_lengths().map_or(Bias::None, Bias::Padding)
    }

    /// The token ids, `[batch * length]`.
    pub fn ids(&self, padding: usize) -> Vec<usize> {
        self.padded(|text| &text.ids, padding)
    }

    /// Which text of its pair each token is of, `[batch * length]`.
    pub fn types(&self, device: &Device) -> Tensor<1, Int> {
        indices(self.padded(|text| &text.types, 0), device)
    }

    /// The positions of the tokens, counted from `first`, `[batch * length]`.
    pub fn positions(&self, first: usize, device: &Device) -> Tensor<1, Int> {
        indices((0..self.size()).flat_map(|_| first..first + self.length), device)
    }

    /// The row of each text's first token, `[batch]`.
    pub fn first_rows(&self, device: &Device) -> Tensor<1, Int> {
        indices((0..self.size()).map(|text| text * self.length), device)
    }

    fn padded(&self, values: fn(&Encoded) -> &[u32], default: usize) -> Vec<usize> {
        let padded = |text: &&'a Encoded| {
            let values = values(text).iter().map(|&value| value as usize);
            values.chain(std::iter::repeat(default)).take(self.length).collect::<Vec<_>>()
        };
        self.texts.iter().flat_map(padded).collect()
    }
}

/// Rows to be looked up.
pub(crate) fn indices(rows: impl IntoIterator<Item = usize>, device: &Device) -> Tensor<1, Int> {
    let rows: Vec<i32> = rows.into_iter().map(|row| row as i32).collect();
    let length = rows.len();
    Tensor::from_data(TensorData::new(rows, [length]), device)
}
