//! A pack over HTTP: its manifest, and its files as they are needed, each checked against its hash.

use std::cell::{RefCell, RefMut};

use evident_nn::{Device, LARGEST_MANIFEST, Manifest, Pack};
use evident_verify::RoleError;

use crate::error::WebError;
use crate::http::download::Downloads;
use crate::http::fetch::{Files, Freshness};
use crate::turn::turn;

/// A pack on a static host.
pub struct RemotePack {
    downloads: Downloads,
    pack: RefCell<Pack>,
    device: Device,
}

impl RemotePack {
    /// Reads the manifest of the pack at `base`, and no other file. Its models will be loaded onto `device`.
    pub async fn open(base: &str, device: &Device) -> Result<Self, WebError> {
        Self::open_with(Downloads::new(base), base, device).await
    }

    /// As [`RemotePack::open`], of a pack whose files the browser has kept: none of them is fetched.
    pub async fn open_kept(base: &str, device: &Device) -> Result<Self, WebError> {
        Self::open_with(Downloads::kept(base), base, device).await
    }

    async fn open_with(downloads: Downloads, base: &str, device: &Device) -> Result<Self, WebError> {
        let manifest = Files::new(base).whole("pack.json", Freshness::Revalidate, LARGEST_MANIFEST, |_| {}).await?;
        let pack = RefCell::new(Pack::new(Manifest::parse(&manifest)?, Vec::new()));
        Ok(Self { downloads, pack, device: device.clone() })
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

    /// Loads a model by `load`, such as [`Pack::classifier`], with turns of the event loop in between.
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

    /// The pack, with the files fetched so far. The borrow must end before anything is fetched.
    pub fn pack(&self) -> RefMut<'_, Pack> {
        self.pack.borrow_mut()
    }

    /// The device of its models.
    pub fn device(&self) -> &Device {
        &self.device
    }
}
