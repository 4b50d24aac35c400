//! One model of a pack, run once at a time, to be measured beside other engines. Only in builds with the feature `bench`.

use evident_nn::{Backend, Classifier, ONLY_MODEL, Seq2Seq, open_device};
use wasm_bindgen::prelude::*;

use crate::error::WebError;
use crate::pack::RemotePack;

/// The only model of a pack.
#[wasm_bindgen]
pub struct Model(Kind);

enum Kind {
    Seq2Seq(Box<Seq2Seq>),
    Classifier(Classifier),
}

#[wasm_bindgen]
impl Model {
    /// Loads the pack at the address `base`: an encoder-decoder, or a classifier.
    ///
    /// # Errors
    /// An `Error` whose `code` says what failed.
    pub async fn open(base: &str, seq2seq: bool) -> Result<Model, WebError> {
        let backend = if cfg!(feature = "webgpu") { Backend::WebGpu } else { Backend::Cpu };
        let (device, _) = open_device(backend).await?;
        let pack = RemotePack::open(base, &device).await?;
        pack.fetch(&[ONLY_MODEL], |_, _| {}, |_, _| {}).await?;
        let model = match seq2seq {
            true => Kind::Seq2Seq(pack.load(|pack, device| pack.seq2seq(ONLY_MODEL, device)).await?.into()),
            false => Kind::Classifier(pack.load(|pack, device| pack.classifier(ONLY_MODEL, device)).await?),
        };
        Ok(Self(model))
    }

    /// The logits of what follows the text of an encoder-decoder, or of pairs: texts that belong together follow each other.
    ///
    /// # Errors
    /// As [`Model::open`].
    pub async fn logits(&self, texts: Vec<String>) -> Result<Vec<f32>, WebError> {
        match &self.0 {
            Kind::Seq2Seq(model) => {
                let mut generation = model.generate(&texts.concat(), usize::MAX).await?;
                Ok(generation.step().await?.map(|step| step.logits).unwrap_or_default())
            }
            Kind::Classifier(model) => {
                let pairs: Vec<_> = texts.as_chunks().0.iter().map(|[a, b]| (a.as_str(), b.as_str())).collect();
                Ok(model.logits(&pairs).await?.concat())
            }
        }
    }
}
