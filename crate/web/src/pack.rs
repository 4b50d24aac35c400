//! A pack over HTTP: its manifest, and of its files those that are needed, when they are, each checked against its hash.

use std::cell::{RefCell, RefMut};

use evident_nn::{Manifest, Pack, PackError};

use crate::error::WebError;
use crate::fetch::{Files, Freshness};

/// A pack on a static host.
pub struct RemotePack {
    host: Files,
    pack: RefCell<Pack>,
}

impl RemotePack {
    /// Reads the manifest of the pack at `base`, and no other file.
    pub async fn open(base: &str) -> Result<Self, WebError> {
        let host = Files::open(base).await;
        let manifest = host.read("pack.json", Freshness::Revalidate, |_| {}).await?;
        let pack = RefCell::new(Pack::new(Manifest::parse(&manifest)?, Vec::new()));
        Ok(Self { host, pack })
    }

    /// Fetches what these models need and is not in memory; `progress` is told the bytes fetched so far and the bytes in
    /// all. Models that the pack does not have are passed over.
    pub async fn fetch(&self, models: &[&str], mut progress: impl FnMut(u64, u64)) -> Result<(), WebError> {
        let needed = self.pack.borrow().needs(models);
        let total = needed.iter().map(|file| file.bytes).sum();
        let mut before = 0;
        for file in needed {
            let mut read = async || {
                self.host.read(&file.path, Freshness::Immutable, |loaded| progress(before + loaded, total)).await
            };
            let bytes = read().await?;
            let verified = self.pack.borrow().manifest().verify(&file.path, bytes);
            let verified = match verified {
                // The copy in the cache may be of another version of the pack, or damaged: once more from the host.
                Err(PackError::Altered { .. }) => {
                    self.host.evict(&file.path).await;
                    let bytes = read().await?;
                    self.pack.borrow().manifest().verify(&file.path, bytes)?
                }
                checked => checked?,
            };
            before += file.bytes;
            self.pack.borrow_mut().add(verified);
        }
        Ok(())
    }

    /// The pack with what has been fetched of it; not to be held while anything is fetched.
    pub fn pack(&self) -> RefMut<'_, Pack> {
        self.pack.borrow_mut()
    }
}
