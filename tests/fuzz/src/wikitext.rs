//! Any text as the wikitext of an article in a dump.

use crate::corpus_file::read;

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).replace('&', "&amp;").replace('<', "&lt;");
    let page = format!(
        "<mediawiki><siteinfo><namespaces><namespace key=\"6\">File</namespace></namespaces></siteinfo><page>\
         <title>Iron</title><ns>0</ns><revision><text>{text}</text></revision></page></mediawiki>"
    );
    read("dump.xml", page.as_bytes());
}
