//! Several texts in one computation: the shorter ones are padded to the longest.

use burn::tensor::{Device, Int, Tensor, TensorData};

use crate::ops::bias::Bias;
use crate::ops::indices;
use crate::tokenizer::Encoded;

/// Tokens that are computed at once, padding included: enough to fill a matrix product, few enough that the activations
/// stay in cache and a batch is short. A page's CPU takes fewer, for without threads it must pause between batches.
const TOKENS: usize = if cfg!(all(target_family = "wasm", feature = "cpu")) { 128 } else { 2048 };

/// Sorts texts into batches of similar length, the longest first, so that little is spent on padding. Each batch lists
/// its texts by their place in `texts`.
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

/// Texts as rows for a model, one text after the other. Each has as many rows as the longest has tokens: `length`.
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

    /// The number of texts.
    pub fn size(&self) -> usize {
        self.texts.len()
    }

    /// The tokens of the longest text.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The tokens of each text, `[batch]`.
    pub fn lengths(&self) -> Vec<usize> {
        self.texts.iter().map(|text| text.ids.len()).collect()
    }

    /// The tokens of each text, `[batch]`; `None` if no text is padded.
    pub fn padded_lengths(&self) -> Option<Vec<usize>> {
        let lengths = self.lengths();
        lengths.iter().any(|&length| length < self.length).then_some(lengths)
    }

    /// Keeps every token from attending to the padding.
    pub fn bias(&self) -> Bias {
        self.padded_lengths().map_or(Bias::None, Bias::Padding)
    }

    /// The token ids, `[batch * length]`.
    pub fn ids(&self, padding: usize) -> Vec<usize> {
        self.padded(|text| &text.ids, padding)
    }

    /// The text of its pair that each token belongs to, 0 or 1, `[batch * length]`.
    pub fn types(&self, device: &Device) -> Tensor<1, Int> {
        indices(self.padded(|text| &text.types, 0), device)
    }

    /// The positions of the tokens, counted from `first`, `[batch * length]`.
    pub fn positions(&self, first: usize, device: &Device) -> Tensor<1, Int> {
        indices((0..self.size()).flat_map(|_| first..first + self.length), device)
    }

    /// The mean of each text's rows: `[batch * length, width]` to `[batch, width]`. It is a product with a matrix that
    /// has 1 / tokens for each row of the text, and 0 for the padding.
    pub fn mean(&self, states: Tensor<2>) -> Tensor<2> {
        let (size, length) = (self.size(), self.length());
        let [rows, width] = states.dims();
        let share = |tokens: usize| (0..length).map(move |i| if i < tokens { 1.0 / tokens as f32 } else { 0.0 });
        let shares: Vec<f32> = self.lengths().into_iter().flat_map(share).collect();
        let shares = Tensor::<3>::from_data(TensorData::new(shares, [size, 1, length]), &states.device());
        shares.matmul(states.reshape([size, rows / size, width])).reshape([size, width])
    }

    fn padded(&self, values: fn(&Encoded) -> &[u32], default: usize) -> Vec<usize> {
        let padded = |text: &&'a Encoded| {
            let values = values(text).iter().map(|&value| value as usize);
            values.chain(std::iter::repeat(default)).take(self.length).collect::<Vec<_>>()
        };
        self.texts.iter().flat_map(padded).collect()
    }
}
