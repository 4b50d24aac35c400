//! Files that stand where another should: a download that went wrong, or weights in another format.

/// Starts of files, without regard to case, with what such a file is and what to do.
const STARTS: [(&[u8], &str); 8] = [
    (
        b"version https://git-lfs",
        "it is a Git LFS pointer, not the file itself: run `git lfs pull`, or download the file from its page",
    ),
    (b"<!doctype html", HTML),
    (b"<html", HTML),
    (b"<?xml", "it is an XML page, not the file: a download failed; download it again"),
    (b"PK\x03\x04", PICKLE),
    (b"\x80\x02", PICKLE),
    (b"GGUF", "it is a GGUF file, and only safetensors are read: take the checkpoint that it was made of"),
    (
        b"\x89HDF",
        "it is an HDF5 file of TensorFlow, and only safetensors are read: save the model again with transformers",
    ),
];

const HTML: &str = "it is an HTML page, not the file: a download failed, or needs a login; download it again";

/// What to do about weights of PyTorch.
pub(crate) const PICKLE: &str = "it is a pickle of PyTorch, and only safetensors are read: load the model with \
    transformers and save it again by `save_pretrained`";

/// The first bytes of a file that [`named`] looks at.
pub(crate) const START: usize = 64;

/// What a file is that starts like this and should be JSON or safetensors; `None` if it is not known.
pub(crate) fn named(start: &[u8]) -> Option<&'static str> {
    let text = start.trim_ascii_start();
    let begins = |known: &[u8]| text.get(..known.len()).is_some_and(|found| found.eq_ignore_ascii_case(known));
    STARTS.iter().find(|(known, _)| begins(known)).map(|(_, what)| *what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_first_bytes() {
        for (start, what) in [
            (&b"version https://git-lfs.github.com/spec/v1\noid sha256:00"[..], "Git LFS pointer"),
            (b"\n <!DOCTYPE html><html>Access denied", "HTML page"),
            (b"<HTML lang=\"en\">", "HTML page"),
            (b"PK\x03\x04\0\0\x08\x08", "pickle"),
            (b"\x80\x02\x8a\x0al\xfc", "pickle"),
            (b"GGUF\x03\0\0\0", "GGUF"),
        ] {
            assert!(named(start).is_some_and(|named| named.contains(what)), "{what}");
        }
        for start in [&b""[..], b"{}", b"<", b"{\"version\": \"1.0\"}", &[0; 64]] {
            assert_eq!(named(start), None);
        }
    }
}
