//! Comma-separated values (RFC 4180).

/// The records of a text, each with the line it begins on, from 1. A field in quotes may hold commas, line breaks and doubled
/// quotes; empty lines are no records.
pub fn records(text: &str) -> Vec<(usize, Vec<String>)> {
    let (mut records, mut fields, mut field) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut line, mut began) = (false, 1, 1);
    let mut characters = text.chars().chain((!text.ends_with('\n')).then_some('\n')).peekable();
    while let Some(character) = characters.next() {
        line += usize::from(character == '\n');
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => field.extend(characters.next()),
            '"' if quoted || field.is_empty() => quoted = !quoted,
            _ if quoted => field.push(character),
            ',' => fields.push(std::mem::take(&mut field)),
            '\n' => {
                fields.push(field.strip_suffix('\r').unwrap_or(&field).to_owned());
                field.clear();
                let record = std::mem::take(&mut fields);
                if record != [""] {
                    records.push((began, record));
                }
                began = line;
            }
            _ => field.push(character),
        }
    }
    if quoted {
        fields.push(field); // the quote was never closed
        records.push((began, fields));
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_commas_breaks_and_doubled_quotes() {
        let found = records("a,b\r\n\"x, y\",\"say \"\"hi\"\"\nthere\"\n\n,z");
        assert_eq!(
            found,
            [
                (1, vec!["a".to_owned(), "b".into()]),
                (2, vec!["x, y".into(), "say \"hi\"\nthere".into()]),
                (5, vec![String::new(), "z".into()])
            ]
        );
        assert_eq!(records(""), []);
        assert_eq!(records("a,\"b").len(), 1, "a quote that is never closed loses nothing");
    }
}
