//! The interface of a model that writes answers to prompts: a T5, or a script in tests.

use evident_nn::{DecodingStep, Generation, NnError, Seq2Seq, Tokenizer};

/// A model that answers prompts.
pub(crate) trait Writer {
    /// An answer that is being written.
    type Answer<'a>: Steps
    where
        Self: 'a;

    /// Its tokenizer.
    fn tokenizer(&self) -> &Tokenizer;

    /// Reads prompts, each by itself and up to `max_tokens` tokens. Returns the one answer to all of them, before its
    /// first step.
    ///
    /// # Errors
    /// Any error of the model.
    async fn begin(&self, prompts: &[&str], max_tokens: usize) -> Result<Self::Answer<'_>, NnError>;

    /// The answer to a prompt as text, of at most `max_steps` tokens.
    ///
    /// # Errors
    /// Any error of the model.
    async fn write(&self, prompt: &str, max_tokens: usize, max_steps: usize) -> Result<String, NnError> {
        let mut answer = self.begin(&[prompt], max_tokens).await?;
        let mut written = Vec::new();
        while written.len() < max_steps
            && let Some(step) = answer.step().await?
        {
            written.push(step.token);
        }
        self.tokenizer().decode(&written)
    }
}

/// An answer that is written one token after the other.
pub(crate) trait Steps {
    /// The next step; `None` after the end token.
    ///
    /// # Errors
    /// Any error of the model.
    async fn step(&mut self) -> Result<Option<DecodingStep>, NnError>;
}

impl Writer for Seq2Seq {
    type Answer<'a> = Generation<'a>;

    fn tokenizer(&self) -> &Tokenizer {
        self.tokenizer()
    }

    async fn begin(&self, prompts: &[&str], max_tokens: usize) -> Result<Generation<'_>, NnError> {
        self.generate_fused(prompts, max_tokens).await
    }
}

impl Steps for Generation<'_> {
    async fn step(&mut self) -> Result<Option<DecodingStep>, NnError> {
        Generation::step(self).await
    }
}
