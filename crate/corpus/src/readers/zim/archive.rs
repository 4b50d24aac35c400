//! The articles of a ZIM archive, by its directory.

use std::path::Path;

use crate::error::CorpusError;
use crate::lines::{Counter, LONGEST};
use crate::readers::zim::checksum::{self, Checksum};
use crate::readers::zim::cluster::Cluster;
use crate::readers::zim::file::ZimFile;

const MAGIC: u32 = 72_173_914;

/// The major versions: clusters of 4 GiB and more came with the second.
const VERSIONS: [u16; 2] = [5, 6];

/// The number of a MIME type that says that an entry is a redirect.
const REDIRECT: u16 = 0xffff;

/// The numbers of MIME types of entries without content: deleted ones, and targets of links.
const NOTHING: [u16; 2] = [0xfffe, 0xfffd];

/// The entry that lists the articles of an archive, where it has one.
const LISTING: (u8, &str) = (b'X', "listing/titleOrdered/v1");

/// The most redirects to follow from one to the next.
const MOST_HOPS: usize = 8;

/// An archive's compressed clusters may expand to this many times its length, all together. Wikis expand five- to
/// tenfold; repeated bytes, ten thousandfold.
const EXPANSION: u64 = 1000;

/// The bytes of memory that an entry, an article and a redirect take while the directory is read.
const TAKEN: [u64; 3] = [5, 24, 16];

/// The most redirects to an article that are read.
const MOST_REDIRECTS: usize = 256;

/// The start of an archive.
struct Header {
    /// Whether all content is in the namespace `C`; otherwise the articles are in `A`.
    is_new: bool,
    entries: u32,
    clusters: u32,
    /// The offset of the table of the entries' offsets, which is ordered by path.
    pointers: u64,
    cluster_pointers: u64,
    mime_types: u64,
    main_page: u32,
}

impl Header {
    fn read(file: &mut ZimFile) -> Result<Self, CorpusError> {
        if file.len() < 4 || file.u32()? != MAGIC {
            return Err(file.unreadable("it does not begin as one"));
        }
        let (major, minor) = (file.u16()?, file.u16()?);
        if !VERSIONS.contains(&major) {
            return Err(file.unreadable(format!("its version is {major}")));
        }
        let _uuid: [u8; 16] = file.bytes()?;
        let (entries, clusters) = (file.u32()?, file.u32()?);
        let (pointers, _titles, cluster_pointers, mime_types) = (file.u64()?, file.u64()?, file.u64()?, file.u64()?);
        let (main_page, _layout) = (file.u32()?, file.u32()?);
        if mime_types < file.at() + 8 {
            return Err(file.unreadable("it has no checksum"));
        }
        let checksum = file.u64()?;
        match checksum.checked_add(checksum::BYTES) {
            Some(end) if end == file.len() => {}
            Some(end) if end > file.len() => return Err(file.damaged(file.len(), "it ends too early")),
            _ => return Err(file.damaged(file.at() - 8, "its checksum does not end it")),
        }
        let header = Self {
            is_new: (major, minor) >= (6, 1),
            entries,
            clusters,
            pointers,
            cluster_pointers,
            mime_types,
            main_page,
        };
        for (start, count) in [(pointers, entries), (cluster_pointers, clusters)] {
            if start.checked_add(8 * u64::from(count)).is_none_or(|end| end > checksum) {
                return Err(file.damaged(file.at(), "its lists do not fit into it"));
            }
        }
        Ok(header)
    }
}

/// An entry of the directory.
struct Entry {
    kind: Kind,
    namespace: u8,
    path: String,
    title: String,
    /// Its length in the archive, in bytes.
    bytes: u64,
}

enum Kind {
    /// It leads to the entry with this number.
    Redirect(u32),
    Content {
        mime_type: u16,
        cluster: u32,
        blob: u32,
    },
    Nothing,
}

impl Entry {
    fn read(file: &mut ZimFile) -> Result<Self, CorpusError> {
        let start = file.at();
        let mime_type = file.u16()?;
        let [_parameters, namespace] = file.bytes()?;
        let _revision = file.u32()?;
        let kind = match mime_type {
            REDIRECT => Kind::Redirect(file.u32()?),
            _ if NOTHING.contains(&mime_type) => Kind::Nothing,
            mime_type => Kind::Content { mime_type, cluster: file.u32()?, blob: file.u32()? },
        };
        let (path, title) = (file.string()?, file.string()?);
        let title = if title.is_empty() { path.clone() } else { title };
        Ok(Self { kind, namespace, path, title, bytes: file.at() - start })
    }
}

/// Where an entry's content stands.
#[derive(Clone, Copy)]
struct Place {
    cluster: u32,
    blob: u32,
    entry: u32,
}

/// The articles of an archive, in the order of their contents.
struct Articles {
    places: Vec<Place>,
    /// The entries that lead to each, after its entry.
    redirects: Vec<(u32, u32)>,
}

/// An article.
pub(super) struct Item {
    /// Its path, without the namespace.
    pub path: String,
    pub title: String,
    /// The titles of the redirects to it.
    pub redirects: Vec<String>,
    pub html: String,
}

/// An archive that is read from its first article to its last. An article takes 12 bytes of memory and a redirect 8;
/// while the directory is read, each takes twice as much, and every entry 5.
pub(crate) struct Archive {
    header: Header,
    /// The numbers of the MIME types of HTML.
    html: Vec<u16>,
    entries: ZimFile,
    pointers: ZimFile,
    checksum: Checksum,
    articles: Option<Articles>,
    /// The number of the next article.
    next: usize,
    /// The cluster of the article before.
    open: Option<(u32, Cluster)>,
    /// The bytes of the clusters before it.
    clusters_read: u64,
    /// The bytes that compressed clusters may still expand to.
    room: u64,
    /// The most bytes of memory for the directory.
    memory: u64,
}

impl Archive {
    /// Opens the archive at `path`; `read` counts its bytes, and its directory takes at most `memory` bytes.
    pub fn open(path: &Path, read: Counter, memory: u64) -> Result<Self, CorpusError> {
        let mut file = ZimFile::open(path)?;
        let header = Header::read(&mut file)?;
        file.go(header.mime_types)?;
        let mut html = Vec::new();
        for number in 0..NOTHING[1] {
            let name = file.string()?;
            if name.is_empty() {
                break;
            }
            if name.starts_with("text/html") || name.starts_with("application/xhtml+xml") {
                html.push(number);
            }
        }
        let checksum = Checksum::new(ZimFile::open(path)?, read);
        let (entries, pointers) = (ZimFile::open(path)?, file);
        let room = entries.len().saturating_mul(EXPANSION).max(LONGEST as u64);
        let (articles, next, open, clusters_read) = Default::default();
        Ok(Self { header, html, entries, pointers, checksum, articles, next, open, clusters_read, room, memory })
    }

    /// The bytes of its file.
    pub fn bytes(&self) -> u64 {
        self.entries.len()
    }

    /// The next article; none at the end of an archive that is whole.
    pub(super) fn next_article(&mut self) -> Result<Option<Item>, CorpusError> {
        let articles = match self.articles.take() {
            Some(articles) => articles,
            None => self.find_articles()?,
        };
        let item = match articles.places.get(self.next) {
            Some(&place) => self.article(place, &articles).map(Some),
            None if self.next > articles.places.len() => Ok(None),
            None => self.checksum.finish().map(|()| None),
        };
        self.articles = Some(articles);
        self.next += 1;
        item
    }

    fn article(&mut self, place: Place, articles: &Articles) -> Result<Item, CorpusError> {
        let mut cluster = match self.open.take() {
            Some((number, cluster)) if number == place.cluster => cluster,
            before => {
                if let Some((_, cluster)) = before {
                    self.clusters_read += cluster.bytes_read();
                    self.room = self.room.saturating_sub(cluster.bytes_expanded());
                }
                let start = self.place_of_cluster(place.cluster)?;
                // A small archive with overlapping clusters could take very long.
                if self.clusters_read > self.bytes() {
                    return Err(self.entries.damaged(start, "its clusters overlap"));
                }
                self.checksum.follow(start)?;
                let wanted = articles.places[self.next..].iter().take_while(|other| other.cluster == place.cluster);
                Cluster::open(self.again()?, start, wanted.map(|place| place.blob), self.room)?
            }
        };
        let html = cluster.next_blob(LONGEST as u64)?;
        self.open = Some((place.cluster, cluster));
        let first = articles.redirects.partition_point(|&(target, _)| target < place.entry);
        let redirects = articles.redirects[first..].iter().take_while(|&&(target, _)| target == place.entry);
        let redirects = redirects.take(MOST_REDIRECTS).map(|&(_, redirect)| Ok(self.entry(redirect)?.title));
        let redirects = redirects.collect::<Result<_, CorpusError>>()?;
        let Entry { path, title, .. } = self.entry(place.entry)?;
        Ok(Item { path, title, redirects, html: String::from_utf8_lossy(&html).into_owned() })
    }

    /// Reads the directory.
    fn find_articles(&mut self) -> Result<Articles, CorpusError> {
        let namespace = if self.header.is_new { b'C' } else { b'A' };
        let (mut places, mut links, mut listing) = (Vec::new(), Vec::new(), None);
        let (mut bytes, most) = (0, self.entries.len());
        for entry in 0..self.header.entries {
            let taken = [u64::from(self.header.entries), places.len() as u64, links.len() as u64];
            if taken.iter().zip(TAKEN).map(|(count, each)| count * each).sum::<u64>() > self.memory {
                return Err(CorpusError::NoMemory { path: self.entries.path().into(), most: self.memory });
            }
            let Entry { kind, namespace: found, path, bytes: length, .. } = self.entry(entry)?;
            bytes += length;
            if bytes > most {
                let place = self.header.pointers + 8 * u64::from(entry);
                return Err(self.pointers.damaged(place, "its entries overlap"));
            }
            let is_listing = self.header.is_new && (found, path.as_str()) == LISTING;
            match kind {
                Kind::Redirect(target) => links.push((entry, target)),
                Kind::Content { mime_type, cluster, blob } => {
                    if is_listing {
                        listing = Some(Place { cluster, blob, entry });
                    } else if found == namespace && self.html.contains(&mime_type) {
                        places.push(Place { cluster, blob, entry });
                    }
                }
                Kind::Nothing => {}
            }
        }
        let listed = listing.map(|place| self.listed(place)).transpose()?;
        let is_listed = |place: &Place| listed.as_ref().is_none_or(|listed| listed[place.entry as usize]);
        places.sort_unstable_by_key(|place| (place.cluster, place.blob, !is_listed(place), place.entry));
        places.dedup_by(|other, first| {
            let is_same = (other.cluster, other.blob) == (first.cluster, first.blob);
            if is_same {
                links.push((other.entry, first.entry)); // one text with two names
            }
            is_same
        });
        places.retain(is_listed);
        links.sort_unstable();
        let main_page = target(&links, self.header.main_page);
        places.retain(|place| Some(place.entry) != main_page);
        let mut redirects: Vec<_> =
            links.iter().filter_map(|&(entry, _)| Some((target(&links, entry)?, entry))).collect();
        redirects.sort_unstable();
        Ok(Articles { places, redirects })
    }

    /// Of each entry, whether the list of articles has it.
    fn listed(&mut self, place: Place) -> Result<Vec<bool>, CorpusError> {
        let start = self.place_of_cluster(place.cluster)?;
        let mut cluster = Cluster::open(self.again()?, start, std::iter::once(place.blob), self.room)?;
        let mut listed = vec![false; self.header.entries as usize];
        for entry in cluster.next_blob(4 * u64::from(self.header.entries))?.chunks_exact(4) {
            let entry = entry.iter().rev().fold(0, |entry, &byte| entry << 8 | usize::from(byte));
            listed.get_mut(entry).into_iter().for_each(|listed| *listed = true);
        }
        self.room = self.room.saturating_sub(cluster.bytes_expanded());
        Ok(listed)
    }

    fn entry(&mut self, number: u32) -> Result<Entry, CorpusError> {
        self.pointers.go(self.header.pointers + 8 * u64::from(number))?;
        let start = self.pointers.u64()?;
        self.entries.go(start)?;
        Entry::read(&mut self.entries)
    }

    fn place_of_cluster(&mut self, number: u32) -> Result<u64, CorpusError> {
        let place = self.header.cluster_pointers + 8 * u64::from(number);
        if number >= self.header.clusters {
            return Err(self.pointers.damaged(place, &format!("it has no cluster {number}")));
        }
        self.pointers.go(place)?;
        self.pointers.u64()
    }

    /// Its file once more.
    fn again(&self) -> Result<ZimFile, CorpusError> {
        ZimFile::open(self.entries.path())
    }
}

/// The entry to which the links lead from `entry`; none if they go in a circle.
fn target(links: &[(u32, u32)], mut entry: u32) -> Option<u32> {
    for _ in 0..=MOST_HOPS {
        match links.binary_search_by_key(&entry, |&(from, _)| from) {
            Ok(found) => entry = links[found].1,
            Err(_) => return Some(entry),
        }
    }
    None
}
