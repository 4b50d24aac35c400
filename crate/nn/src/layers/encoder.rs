//! BERT's layer (Devlin et al. 2019), which later encoders share, and a stack of such layers.

use burn::tensor::Tensor;

use crate::error::{NnError, PackError};
use crate::kernels::elementwise::Activation;
use crate::layers::linear::Linear;
use crate::layers::loader::{LinearBias, Loader};
use crate::layers::norm::LayerNorm;
use crate::ops::activation::activate;
use crate::ops::attention::{KeysValues, attention};
use crate::ops::bias::Bias;
use crate::ops::heads::split_heads;
use crate::ops::indices;
use crate::ops::rows::by_rows;
use crate::pause::pause;

/// The sizes of a layer.
#[derive(Clone, Debug)]
pub(crate) struct EncoderShape {
    /// The width of a token's state: hidden.
    pub width: usize,
    pub heads: usize,
    /// The width between the two layers of the feed-forward.
    pub inner: usize,
    pub activation: Activation,
    pub epsilon: f64,
}

/// What an architecture calls the tensors of a layer's attention.
pub(crate) struct Names {
    /// The prefix of the layers of queries, keys and values, and the rest of each name.
    pub projections: (&'static str, [&'static str; 3]),
    pub output: &'static str,
    pub norm: &'static str,
}

/// The names of BERT and RoBERTa.
pub(crate) const BERT: Names = Names {
    projections: ("attention.self.", ["query", "key", "value"]),
    output: "attention.output.dense",
    norm: "attention.output.LayerNorm",
};

/// Attention and a feed-forward. Each is added to its input, and the sum is normalised.
pub(crate) struct EncoderLayer {
    /// Queries, keys and values side by side.
    qkv: Linear,
    heads: usize,
    attention_output: Linear,
    attention_norm: LayerNorm,
    intermediate: Linear,
    activation: Activation,
    output: Linear,
    norm: LayerNorm,
}

impl EncoderLayer {
    /// The layer `name`.
    ///
    /// # Errors
    /// As [`Loader::table`].
    pub async fn load(loader: &Loader<'_>, name: &str, names: &Names, shape: &EncoderShape) -> Result<Self, PackError> {
        let (width, inner) = (shape.width, shape.inner);
        let linear = async |part: &str, inputs, outputs| {
            loader.linear(&format!("{name}.{part}"), inputs, outputs, LinearBias::With).await
        };
        let norm = |part: &str| LayerNorm::load(loader, &format!("{name}.{part}"), width, shape.epsilon);
        let (prefix, parts) = &names.projections;
        Ok(Self {
            qkv: loader.linears(&format!("{name}.{prefix}"), parts, width, width, LinearBias::With).await?,
            heads: shape.heads,
            attention_output: linear(names.output, width, width).await?,
            attention_norm: norm(names.norm)?,
            intermediate: linear("intermediate.dense", width, inner).await?,
            activation: shape.activation,
            output: linear("output.dense", inner, width).await?,
            norm: norm("output.LayerNorm")?,
        })
    }

    /// The queries, keys and values of `batch` texts: `[batch * length, hidden]` to `[batch, heads, length, width]`
    /// each.
    pub fn project(&self, x: Tensor<2>, batch: usize) -> [Tensor<4>; 3] {
        split_heads(by_rows([x], |[x]| self.qkv.forward(x)), batch, self.heads)
    }

    /// The layer's output, from its input and its attention's weighted sums of values, `[rows, hidden]` each.
    pub fn finish(&self, x: Tensor<2>, mixed: Tensor<2>) -> Tensor<2> {
        by_rows([x, mixed], |[x, mixed]| {
            let x = self.attention_norm.forward(x + self.attention_output.forward(mixed));
            let inner = activate(self.intermediate.forward(x.clone()), self.activation);
            self.norm.forward(x + self.output.forward(inner))
        })
    }
}

/// The tokens whose states are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    All,
    /// The first token of each text, for a head that reads no other. The last layer computes only these.
    First,
}

/// A stack of layers. Their attention scores are divided by the square root of a head's width.
pub(crate) struct Encoder {
    layers: Vec<EncoderLayer>,
    scale: f64,
}

impl Encoder {
    /// Loads `count` layers: `{name}.0`, `{name}.1` and so on.
    ///
    /// # Errors
    /// As [`Loader::table`].
    pub async fn load(
        loader: &Loader<'_>,
        name: &str,
        names: &Names,
        shape: &EncoderShape,
        count: usize,
    ) -> Result<Self, PackError> {
        let mut layers = Vec::new();
        for i in 0..count {
            layers.push(EncoderLayer::load(loader, &format!("{name}.{i}"), names, shape).await?);
        }
        Ok(Self { layers, scale: ((shape.width / shape.heads) as f64).powf(-0.5) })
    }

    /// The number of layers.
    pub fn layers(&self) -> usize {
        self.layers.len()
    }

    /// The states of `batch` texts: from their embeddings, `[batch * length, hidden]`, to as many, or for
    /// [`Rows::First`] to `[batch, hidden]`. Every layer adds the bias to its scores.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    pub async fn forward(&self, x: Tensor<2>, batch: usize, bias: &Bias, rows: Rows) -> Result<Tensor<2>, NnError> {
        self.forward_through(self.layers.len(), x, batch, bias, rows).await
    }

    /// As [`Encoder::forward`], through the lowest `layers` only.
    ///
    /// # Errors
    /// [`NnError::Cancelled`]
    pub async fn forward_through(
        &self,
        layers: usize,
        mut x: Tensor<2>,
        batch: usize,
        bias: &Bias,
        rows: Rows,
    ) -> Result<Tensor<2>, NnError> {
        for (layer, later) in self.layers.iter().take(layers).zip((0..layers).rev()) {
            let [mut q, keys, values] = layer.project(x.clone(), batch);
            if rows == Rows::First && later == 0 {
                (q, x) = (q.narrow(2, 0, 1), first_rows(x, batch));
            }
            let mixed = attention(q, KeysValues { keys, values }, bias, self.scale);
            pause().await?;
            x = layer.finish(x, mixed);
            pause().await?;
        }
        Ok(x)
    }
}

/// The rows of the texts' first tokens: `[batch * length, hidden]` to `[batch, hidden]`.
pub(crate) fn first_rows(x: Tensor<2>, batch: usize) -> Tensor<2> {
    let length = x.dims()[0] / batch;
    let rows = indices((0..batch).map(|text| text * length), &x.device());
    x.select(0, rows)
}
