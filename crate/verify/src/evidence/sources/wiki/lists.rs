//! Pages that only list the articles of a name, which a reader chooses from.

/// The most articles that are offered of a page.
const OFFERED: usize = 5;

/// The longest title in MediaWiki, in bytes.
const LONGEST: usize = 255;

/// What stands before the titles of pages that are no articles.
const NAMESPACES: [&str; 10] =
    ["category", "file", "help", "image", "portal", "special", "template", "wikipedia", "wikt", "wiktionary"];

/// Whether wikitext says by a template that its page only lists articles. Not every wiki has the property for that.
pub(super) fn is_list(wikitext: &str) -> bool {
    let templates = wikitext.split("{{").skip(1).filter_map(|rest| rest.split(['|', '}', '\n']).next());
    templates.map(|name| name.trim().to_lowercase()).any(|name| {
        name.starts_with("disambig")
            || matches!(name.as_str(), "dab" | "hndis" | "geodis" | "human name disambiguation")
    })
}

/// The first titles that the items of such a page lead to: that of the first link of each.
pub(super) fn listed(wikitext: &str) -> Vec<String> {
    let mut titles: Vec<String> = Vec::new();
    for item in wikitext.lines().filter(|line| line.starts_with('*')) {
        let link = item.split_once("[[").and_then(|(_, rest)| rest.split_once("]]"));
        let Some(title) = link.and_then(|(link, _)| link.split(['|', '#']).next()).map(str::trim) else { continue };
        let namespace = title.split_once(':').map(|(namespace, _)| namespace.to_lowercase());
        let is_article = !title.is_empty()
            && title.len() <= LONGEST
            && !title.contains(['<', '>', '[', ']', '{', '}'])
            && namespace.is_none_or(|space| !space.is_empty() && !NAMESPACES.contains(&space.as_str()));
        if is_article && !titles.iter().any(|known| known == title) {
            titles.push(title.to_owned());
        }
        if titles.len() == OFFERED {
            break;
        }
    }
    titles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_lists_articles_is_known_by_its_template() {
        assert!(is_list("Mercury can mean:\n* [[Mercury (planet)]]\n{{Disambiguation|planets}}"));
        assert!(!is_list("{{About|the planet|other uses|Mercury (disambiguation)}} Mercury is a planet."));
    }

    #[test]
    fn the_first_link_of_each_item_is_an_article() {
        let page = "'''Mercury''' can mean:\n\
            * [[Mercury (planet)|Mercury]], near the [[Sun]]\n\
            ** [[ Mercury (element)#Uses ]]\n\
            * Freddie Mercury\n* [[:Category:Metals]]\n* [[File:Mercury.jpg]]\n* [[Mercury: a life]]\n* [[Mercury (planet)]]\n\
            see [[Hermes]]\n* [[open";
        assert_eq!(listed(page), ["Mercury (planet)", "Mercury (element)", "Mercury: a life"]);
        let many: String = (0..99).map(|number| format!("* [[M{number}]]\n")).collect();
        assert_eq!(listed(&many).len(), OFFERED);
    }
}
