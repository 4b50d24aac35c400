//! A pack over HTTP: its manifest, and of its files those that are needed, when they are, each checked against its hash.

use std::cell::{RefCell, RefMut};

use evident_nn::{Device, Manifest, Pack};
use evident_verify::RoleError;

use crate::download::Downloads;
use crate::error::WebError;
use crate::fetch::{Files, Freshness};
use crate::turn::turn;

/// A pack on a static host.
pub struct RemotePack {
    downloads: Downloads,
    pack: RefCell<Pack>,
    device: Device,
}

impl RemotePack {
    /// Reads the manifest of the pack at `base`, and no other file. Its models are for this device.
    pub async fn open(base: &str, device: &Device) -> Result<Self, WebError> {
        Self::open_with(Downloads::new(base), base, device).await
    }

    /// As [`RemotePack::open`], of a pack whose files the browser has kept: none is fetched.
    pub async fn open_kept(base: &str, device: &Device) -> Result<Self, WebError> {
        Self::open_with(Downloads::kept(base), base, device).await
    }

    async fn open_with(downloads: Downloads, base: &str, device: &Device) -> Result<Self, WebError> {
        let manifest = Files::new(base).whole("pack.json", Freshness::Revalidate, |_| {}).await?;
        let pack = RefCell::new(Pack::new(Manifest::parse(&manifest)?, Vec::new()));
        Ok(Self { downloads, pack, device: device.clone() })
    }

    /// Fetches what these models need, and lets go of what they do not; `progress` is told the bytes fetched so far and the
    /// bytes in all, `warn` of a file that the browser does not keep for the next visit, and why. Models that the pack does not have are passed over.
    pub async fn fetch(
        &self,
        models: &[&str],
        mut progress: impl FnMut(u64, u64),
        mut warn: impl FnMut(&str, &str),
    ) -> Result<(), WebError> {
        self.pack.borrow_mut().expect(models);
        let needed = self.pack.borrow().needs(models);
        let total = needed.iter().map(|file| file.bytes).sum();
        let mut before = 0;
        for file in needed {
            progress(before, total);
            let begin = || self.pack.borrow().manifest().receive(&file.path, Some(&self.device));
            let downloaded = self.downloads.receive(&file, begin, |taken| progress(before + taken, total)).await?;
            if let Some(reason) = downloaded.not_kept {
                warn(&file.path, &reason);
            }
            before += file.bytes;
            self.pack.borrow_mut().add(downloaded.file);
        }
        Ok(())
    }

    /// Loads a model by `load`, such as [`Pack::classifier`], and gives the event loop its turn in between.
    pub async fn load<M>(
        &self,
        mut load: impl FnMut(&mut Pack, &Device) -> Result<M, RoleError>,
    ) -> Result<M, WebError> {
        loop {
            let loaded = self.pack.borrow_mut().stretch(|pack| match load(pack, &self.device) {
                Err(RoleError::Pack(error)) => Err(error),
                loaded => Ok(loaded),
            })?;
            match loaded {
                Some(model) => return Ok(model?),
                None => turn().await,
            }
        }
    }

    /// The pack with what has been fetched of it; not to be held while anything is fetched.
    pub fn pack(&self) -> RefMut<'_, Pack> {
        self.pack.borrow_mut()
    }

    /// Where its models are.
    pub fn device(&self) -> &Device {
        &self.device
    }
}
