//! What of a corpus is read.

/// Whether the infoboxes and tables of a wiki's articles are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Facts {
    /// They become short sentences in passages of their own, in the section "Facts".
    #[default]
    Read,
    /// They are left out.
    LeftOut,
}
