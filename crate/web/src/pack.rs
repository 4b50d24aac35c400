//! A pack over HTTP: its manifest, and its files as they are needed, each checked against its hash.

use evident_base::Hash;
use evident_nn::{Device, LARGEST_MANIFEST, Manifest, Pack};
use evident_verify::RoleError;
use futures_util::lock::Mutex;

use crate::error::WebError;
use crate::http::download::Downloads;
use crate::http::fetch::{Files, Freshness};

/// The file that describes a pack.
const PACK: &str = "pack.json";

/// A pack on a static host.
pub struct RemotePack {
    downloads: Downloads,
    manifest: Manifest,
    /// Locked while a model is fetched or loaded, with turns of the event loop in between.
    pack: Mutex<Pack>,
    device: Device,
}

impl RemotePack {
    /// Reads the manifest of the pack at `base`, which must have the hash if one is `expected`, and no other file. Its
    /// models will be loaded onto `device`.
    pub async fn open(base: &str, expected: Option<Hash>, device: &Device) -> Result<Self, WebError> {
        Self::open_with(Downloads::new(base), base, expected, device).await
    }

    /// As [`RemotePack::open`], of a pack whose files the browser has kept: none of them is fetched.
    pub async fn open_kept(base: &str, expected: Option<Hash>, device: &Device) -> Result<Self, WebError> {
        Self::open_with(Downloads::kept(base), base, expected, device).await
    }

    async fn open_with(
        downloads: Downloads,
        base: &str,
        expected: Option<Hash>,
        device: &Device,
    ) -> Result<Self, WebError> {
        let files = Files::new(base);
        let read = async || -> Result<Manifest, WebError> {
            let json = files.whole(PACK, Freshness::Revalidate, LARGEST_MANIFEST).await?;
            let manifest = Manifest::parse(&json)?;
            manifest.require(expected)?;
            Ok(manifest)
        };
        let manifest = match read().await {
            Err(WebError::Pack(_)) => {
                files.distrust(PACK); // a cache on the way may have a damaged copy
                read().await?
            }
            manifest => manifest?,
        };
        let pack = Mutex::new(Pack::new(manifest.clone(), Vec::new()));
        Ok(Self { downloads, manifest, pack, device: device.clone() })
    }

    /// Fetches the files that these models need, and drops those that they do not; models that the pack does not have
    /// are ignored. `progress` receives the bytes so far and the bytes in all; `warn` receives each file that the
    /// browser does not keep for the next visit, and why.
    pub async fn fetch(
        &self,
        models: &[&str],
        mut progress: impl FnMut(u64, u64),
        mut warn: impl FnMut(&str, &str),
    ) -> Result<(), WebError> {
        let mut pack = self.pack.lock().await;
        pack.expect(models);
        let needed = pack.needs(models);
        let total = needed.iter().map(|file| file.bytes).sum();
        let mut before = 0;
        for file in needed {
            progress(before, total);
            let begin = || self.manifest.receive(&file.path, Some(&self.device));
            let downloaded = self.downloads.receive(&file, begin, |taken| progress(before + taken, total)).await?;
            if let Some(reason) = downloaded.not_kept {
                warn(&file.path, &reason);
            }
            before += file.bytes;
            pack.add(downloaded.file);
        }
        Ok(())
    }

    /// The bytes of these models' files that are not in memory.
    pub async fn bytes(&self, models: &[&str]) -> u64 {
        self.pack.lock().await.needs(models).iter().map(|file| file.bytes).sum()
    }

    /// Loads a model by `load`, such as [`Pack::classifier`], onto the pack's device.
    pub async fn load<M>(
        &self,
        load: impl AsyncFnOnce(&mut Pack, &Device) -> Result<M, RoleError>,
    ) -> Result<M, WebError> {
        Ok(load(&mut *self.pack.lock().await, &self.device).await?)
    }

    /// The pack's manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }
}
