//! People's ratings of items: 0, 1 or 2 for each of six sides (chen2023, Tab. 17).

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::path::Path;

use crate::conner::items::{SIDES, ScoredItem};
use crate::error::{EvalError, unreadable};

/// The name of the column that says who rated. Without it, the lines of an item are those of the first person, the
/// second and so on.
const RATER: &str = "rater";

/// Reads a file of ratings into the rated items. Its first line names its columns, separated by tabs: `id`, optionally
/// `rater`, and any of the sides. Each other line has an item's id and the ratings that one person gave it: 0, 1, 2 or
/// nothing.
///
/// # Errors
/// [`EvalError::Unreadable`], and [`EvalError::BadLine`] with the line that is not in the layout or whose id is not
/// that of exactly one item.
pub fn read(path: &Path, rows: &mut [ScoredItem]) -> Result<(), EvalError> {
    let text = read_to_string(path).map_err(unreadable(path))?;
    let bad_line = |line: usize, why: String| EvalError::BadLine { path: path.into(), line, why };
    let mut items: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        items.entry(row.id.clone()).or_default().push(at);
    }
    let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let (head, number) = lines.next().unwrap_or(("", 1));
    let names: Vec<&str> = head.split('\t').map(str::trim).collect();
    let wrong = |name: &&&str| **name != "id" && **name != RATER && !SIDES.contains(*name);
    if let Some(name) = names.iter().find(wrong) {
        let why = format!("{name:?} is no column: name id and any of {}, parted by tabs", SIDES.join(", "));
        return Err(bad_line(number, why));
    }
    let Some(id_at) = names.iter().position(|name| *name == "id") else {
        return Err(bad_line(number, "there is no column named id".to_owned()));
    };

    let rater_at = names.iter().position(|name| *name == RATER);
    let mut people: BTreeMap<usize, usize> = BTreeMap::new();
    for (line, number) in lines {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        if fields.len() != names.len() {
            return Err(bad_line(number, format!("{} fields under {} columns", fields.len(), names.len())));
        }
        let id = fields[id_at];
        let at = match items.get(id).map(Vec::as_slice) {
            Some([at]) => *at,
            Some(_) => return Err(bad_line(number, format!("several items have the id {id:?}: give each its own"))),
            None => return Err(bad_line(number, format!("no item has the id {id:?}"))),
        };
        let person = people.entry(at).or_default();
        *person += 1;
        let rater = rater_at.map_or_else(|| person.to_string(), |at| fields[at].to_owned());
        for (name, field) in names.iter().zip(&fields) {
            let Some(side) = SIDES.iter().position(|side| side == name) else { continue };
            match *field {
                "" => {}
                "0" | "1" | "2" => {
                    let rating = field.as_bytes()[0] - b'0';
                    if rows[at].raters[side].insert(rater.clone(), rating).is_some() {
                        return Err(bad_line(number, format!("{rater:?} rates the {name} of {id:?} twice")));
                    }
                }
                other => return Err(bad_line(number, format!("the {name} {other:?} is not 0, 1 or 2"))),
            }
        }
    }
    for row in rows {
        let mean = |of: &BTreeMap<String, u8>| {
            (!of.is_empty()).then(|| of.values().copied().map(f64::from).sum::<f64>() / of.len() as f64)
        };
        row.ratings = row.raters.each_ref().map(mean);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::conner::items::Ratings;

    fn read_of(text: &str, ids: &[&str]) -> Result<Vec<Ratings>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("human.tsv");
        fs::write(&path, text).unwrap();
        let mut rows: Vec<ScoredItem> =
            ids.iter().map(|id| ScoredItem { id: (*id).into(), ..ScoredItem::default() }).collect();
        read(&path, &mut rows).map_err(|error| error.to_string())?;
        Ok(rows.into_iter().map(|row| row.ratings).collect())
    }

    #[test]
    fn ratings_find_their_items_and_several_peoples_are_averaged() {
        let text = "id\tvalidity\tfactuality\nb\t2\t0\n\na\t\t1\nb\t1\t\n";
        let found = read_of(text, &["a", "b", "c"]).unwrap();
        assert_eq!(found[0], [Some(1.0), None, None, None, None, None]);
        assert_eq!(found[1], [Some(0.0), None, None, None, None, Some(1.5)]);
        assert_eq!(found[2], Ratings::default());
    }

    #[test]
    fn what_is_no_rating_is_an_error_with_its_line() {
        for (text, says) in [
            ("", "line 1: \"\" is no column"),
            ("id\trater\tvalidity\na\tx\t1\na\tx\t2\n", "line 3: \"x\" rates the validity of \"a\" twice"),
            ("id\tfact\n", "line 1: \"fact\" is no column"),
            ("validity\n2\n", "line 1: there is no column named id"),
            ("id\tvalidity\na\t3\n", "line 2: the validity \"3\" is not 0, 1 or 2"),
            ("id\tvalidity\n\nx\t1\n", "line 3: no item has the id \"x\""),
            ("id\tvalidity\nb\t1\n", "line 2: several items have the id \"b\""),
            ("id\tvalidity\na\n", "line 2: 1 fields under 2 columns"),
        ] {
            let error = read_of(text, &["a", "b", "b"]).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
