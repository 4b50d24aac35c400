//! An index built in memory.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::build::error::BuildError;
use crate::build::options::BuildOptions;
use crate::build::output::Output;
use crate::build::segment::SegmentBuilder;
use crate::format::manifest::{MANIFEST, Manifest};
use crate::format::passages::Passage;

/// Builds the index of `passages` in memory: its manifest, and all its files by name, the manifest's among them. They
/// are the very bytes that [`build`](crate::build()) writes.
///
/// # Errors
/// The first error among `passages`, or a [`BuildError`] that says what to mend.
pub fn assemble(
    passages: impl IntoIterator<Item = Result<Passage, BuildError>>,
    options: &BuildOptions,
) -> Result<(Manifest, BTreeMap<String, Vec<u8>>), BuildError> {
    let mut output = Output::Memory(BTreeMap::new());
    let segment = SegmentBuilder::new(options, &mut output, |_| ControlFlow::Continue(()))?.build(passages)?;
    let mut manifest = options.manifest(vec![segment])?;
    let sealed = manifest.seal();
    match output {
        Output::Memory(mut files) => {
            files.insert(MANIFEST.into(), sealed);
            Ok((manifest, files))
        }
        #[cfg(not(target_family = "wasm"))]
        Output::Folder(_) => Err(BuildError::BadOptions),
    }
}
