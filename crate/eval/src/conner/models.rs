//! The models that items are scored by.

use std::collections::BTreeMap;

use evident_verify::PackReport;
use evident_verify::conner::Conner;

/// The models of the scores, opened.
#[derive(Default)]
pub struct ConnerModels {
    /// The scorer that has them.
    pub conner: Conner,
    /// Which pack the model of each role is from, by the role's name.
    pub packs: BTreeMap<String, PackReport>,
}
