//! Markdown tables.

/// A table with a row for each of `rows`. A "|" in a cell is escaped.
pub fn table(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    };
    let head: Vec<String> = columns.iter().map(ToString::to_string).collect();
    let head = [line(head), format!("|{}", "---|".repeat(columns.len()))];
    head.into_iter().chain(rows.map(line)).collect::<Vec<_>>().join("\n")
}

/// A share in per cent, with one decimal; "N/A" where it is `None`, as guan2024 writes it.
pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "N/A".to_owned(), |share| format!("{:.1}", 100.0 * share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_in_a_cell_does_not_end_it() {
        let rows = [vec!["a|b".to_owned(), percent(Some(0.5))]];
        assert_eq!(table(&["name", "share"], rows.into_iter()), "| name | share |\n|---|---|\n| a\\|b | 50.0 |");
    }
}
