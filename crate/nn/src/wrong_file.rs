//! Files that stand where another should: a download that went wrong, or weights in another format.

/// What stands in the place of JSON or safetensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongFile {
    /// A web page.
    Page,
    /// An XML page, such as a cloud store's error.
    Xml,
    /// A Git LFS pointer.
    LfsPointer,
    /// A pickle of PyTorch.
    Pickle,
    /// Weights for llama.cpp.
    Gguf,
    /// Weights of TensorFlow.
    Hdf5,
}

/// Starts of files, without regard to case.
const STARTS: [(&[u8], WrongFile); 8] = [
    (b"version https://git-lfs", WrongFile::LfsPointer),
    (b"<!doctype html", WrongFile::Page),
    (b"<html", WrongFile::Page),
    (b"<?xml", WrongFile::Xml),
    (b"PK\x03\x04", WrongFile::Pickle),
    (b"\x80\x02", WrongFile::Pickle),
    (b"GGUF", WrongFile::Gguf),
    (b"\x89HDF", WrongFile::Hdf5),
];

/// The first bytes of a file that [`WrongFile::of`] looks at.
pub(crate) const START: usize = 64;

impl WrongFile {
    /// What a file is that starts like this; `None` if it is not known.
    pub(crate) fn of(start: &[u8]) -> Option<Self> {
        let text = start.trim_ascii_start();
        let begins = |known: &[u8]| text.get(..known.len()).is_some_and(|found| found.eq_ignore_ascii_case(known));
        STARTS.iter().find(|(known, _)| begins(known)).map(|&(_, found)| found)
    }

    /// What it is, and what to do.
    pub(crate) const fn reason(self) -> &'static str {
        match self {
            Self::Page => "it is an HTML page, not the file: a download failed, or needs a login; download it again",
            Self::Xml => "it is an XML page, not the file: a download failed; download it again",
            Self::LfsPointer => {
                "it is a Git LFS pointer, not the file itself: run `git lfs pull`, or download the file from its page"
            }
            Self::Pickle => {
                "it is a pickle of PyTorch, and only safetensors are read: load the model with transformers and save \
                 it again by `save_pretrained`"
            }
            Self::Gguf => "it is a GGUF file, and only safetensors are read: take the checkpoint that it was made of",
            Self::Hdf5 => {
                "it is an HDF5 file of TensorFlow, and only safetensors are read: save the model again with transformers"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_first_bytes() {
        for (start, found) in [
            (&b"version https://git-lfs.github.com/spec/v1\noid sha256:00"[..], WrongFile::LfsPointer),
            (b"\n <!DOCTYPE html><html>Access denied", WrongFile::Page),
            (b"<HTML lang=\"en\">", WrongFile::Page),
            (b"PK\x03\x04\0\0\x08\x08", WrongFile::Pickle),
            (b"\x80\x02\x8a\x0al\xfc", WrongFile::Pickle),
            (b"GGUF\x03\0\0\0", WrongFile::Gguf),
        ] {
            assert_eq!(WrongFile::of(start), Some(found));
        }
        for start in [&b""[..], b"{}", b"<", b"{\"version\": \"1.0\"}", &[0; 64]] {
            assert_eq!(WrongFile::of(start), None);
        }
    }
}
