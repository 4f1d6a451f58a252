//! Reports as HTML: one self-contained page.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::groups::Finding;
use super::{NOT_A_CALL, RESULTS, Replayed, Report, escaped};
use crate::comparison::{Comparison, Difference};
use crate::likeness::Likeness;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The maximum number of exchanges, and of differences, on a page; exchanges that differ come
/// first.
const MOST: usize = 5000;

impl Report {
    /// Writes an HTML page that loads nothing: a summary, and the exchanges with their differences.
    /// If scripts are enabled, exchanges can be filtered by operation, outcome and kind.
    pub fn to_html(&self, accepted: Likeness) -> String {
        let (count, differing, uncompared) = (
            self.calls().count(),
            self.differing(accepted),
            self.uncompared(),
        );
        let verdict = if differing + uncompared == 0 {
            format!("All {count} answers are as expected.")
        } else {
            format!("Of {count} answers, {differing} differ and {uncompared} are missing.")
        };
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>Answers compared</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>Answers compared</h1>\n\
             <p class=\"verdict\">{verdict} Accepted: {accepted}.</p>\n"
        );
        self.summary_table(&mut page);
        self.groups_table(accepted, &mut page);
        self.sections(&mut page);
        let mut exchanges: Vec<_> = self.exchanges().iter().collect();
        exchanges.sort_by_key(|one| one.is_fine(accepted));
        let shown = &exchanges[..exchanges.len().min(MOST)];
        filters(shown, &mut page);
        page += "<div id=\"exchanges\">\n";
        for exchange in shown {
            self::exchange(exchange, !exchange.is_fine(accepted), &mut page);
        }
        page += "</div>\n";
        if exchanges.len() > MOST {
            // Writing to a string cannot fail.
            let _ = writeln!(
                page,
                "<p>{} more exchanges are not shown.</p>",
                exchanges.len() - MOST
            );
        }
        let _ = write!(
            page,
            "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
        );
        page
    }

    fn summary_table(&self, page: &mut String) {
        *page += "<h2>By operation</h2>\n";
        *page += &wide("By operation");
        *page += "<thead><tr><th scope=\"col\">Operation</th>";
        for result in RESULTS {
            let _ = write!(page, "<th scope=\"col\" class=\"number\">{result}</th>");
        }
        *page += "</tr></thead>\n<tbody>\n";
        for (operation, counts) in self.summary() {
            let _ = write!(page, "<tr><th scope=\"row\">{}</th>", escaped(operation));
            for (result, count) in RESULTS.iter().zip(counts) {
                let class = if count == 0 { "none" } else { result };
                let _ = write!(page, "<td class=\"number {class}\">{count}</td>");
            }
            *page += "</tr>\n";
        }
        *page += "</tbody>\n</table></div>\n";
    }

    fn sections(&self, page: &mut String) {
        for (heading, lines) in &self.sections {
            let _ = writeln!(page, "<h2>{}</h2>\n<ul>", escaped(heading));
            for one in lines {
                let _ = writeln!(page, "<li>{}</li>", escaped(one));
            }
            *page += "</ul>\n";
        }
    }

    /// Writes the differences beyond the accepted likeness, and missing answers, each once.
    fn groups_table(&self, accepted: Likeness, page: &mut String) {
        let groups = self.groups(accepted);
        if groups.is_empty() {
            return;
        }
        *page += "<section id=\"groups\">\n<h2>What differs</h2>\n";
        *page += &wide("What differs");
        *page += "<thead><tr><th scope=\"col\">What</th><th scope=\"col\">Where, or why</th><th scope=\"col\">Operation</th><th scope=\"col\">Exchanges</th></tr></thead>\n<tbody>\n";
        for group in groups.iter().take(MOST) {
            let (what, why) = match group.finding {
                Finding::Difference(one) => (one.kind.name(), one.place.as_str()),
                Finding::Uncompared(why) => (group.result, why),
            };
            let _ = writeln!(
                page,
                "<tr><td><span class=\"result {}\">{what}</span></td><td><code>{}</code></td><td>{}</td><td>{}</td></tr>",
                group.result,
                escaped(why),
                escaped(group.subject),
                escaped(&group.told())
            );
        }
        *page += "</tbody>\n</table></div>\n";
        if groups.len() > MOST {
            let _ = writeln!(page, "<p>{} more are not shown.</p>", groups.len() - MOST);
        }
        *page += "</section>\n";
    }
}

fn filters(exchanges: &[&Replayed], page: &mut String) {
    let operations: BTreeSet<_> = exchanges.iter().map(|one| one.operation()).collect();
    let results = RESULTS.into_iter().chain([NOT_A_CALL]);
    let results = results.filter(|name| exchanges.iter().any(|one| one.result() == *name));
    let kinds: BTreeSet<_> = exchanges.iter().flat_map(|one| kinds(one)).collect();
    *page += "<h2>Exchanges</h2>\n<form id=\"filters\" hidden>\n";
    let lists: [(&str, &str, Vec<&str>); 3] = [
        ("operation", "Operation", operations.into_iter().collect()),
        ("result", "Outcome", results.collect()),
        ("kind", "Kind", kinds.into_iter().collect()),
    ];
    for (name, label, options) in lists {
        let _ = write!(
            page,
            "<label>{label} <select name=\"{name}\"><option value=\"\">all</option>"
        );
        for option in options {
            let option = escaped(option);
            let _ = write!(page, "<option value=\"{option}\">{option}</option>");
        }
        *page += "</select></label>\n";
    }
    *page += "<output id=\"count\"></output>\n</form>\n";
}

fn kinds(exchange: &Replayed) -> BTreeSet<&'static str> {
    let differences = exchange
        .comparison()
        .into_iter()
        .flat_map(|one| &one.differences);
    differences.map(|one| one.kind.name()).collect()
}

fn exchange(exchange: &Replayed, is_open: bool, page: &mut String) {
    let result = exchange.result();
    let kinds = kinds(exchange).into_iter().collect::<Vec<_>>().join(" ");
    let (name, operation, call) = (
        escaped(&exchange.name),
        escaped(exchange.operation()),
        escaped(&exchange.call),
    );
    let open = if is_open { " open" } else { "" };
    let _ = writeln!(
        page,
        "<details data-operation=\"{operation}\" data-result=\"{result}\" data-kind=\"{kinds}\"{open}>\n\
         <summary><span class=\"result {result}\">{result}</span> <b>{operation}</b> <code>{name}</code> <span class=\"call\">{call}</span></summary>"
    );
    if let Some(asks) = &exchange.asks {
        let _ = writeln!(page, "<p>{}</p>", escaped(asks));
    }
    if let Some(why) = exchange.why() {
        let _ = writeln!(page, "<p>{}</p>", escaped(why));
    }
    if let Some(Comparison { differences, .. }) = exchange.comparison()
        && !differences.is_empty()
    {
        *page += &wide(&format!("Differences of {name}"));
        *page += "<thead><tr><th scope=\"col\">Kind</th><th scope=\"col\">Place</th><th scope=\"col\">Expected</th><th scope=\"col\">Found</th></tr></thead>\n<tbody>\n";
        for one in differences {
            difference(one, page);
        }
        *page += "</tbody>\n</table></div>\n";
    }
    for note in &exchange.notes {
        let _ = writeln!(page, "<p class=\"note\">{}</p>", escaped(note));
    }
    if exchange.comparison().is_some() {
        let _ = writeln!(
            page,
            "<p class=\"note\">answered in {:.1} ms</p>",
            exchange.milliseconds
        );
    }
    *page += "</details>\n";
}

/// Begins a table that scrolls by itself in narrow windows, by keyboard as well.
fn wide(name: &str) -> String {
    format!("<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"{name}\"><table>\n")
}

fn difference(one: &Difference, page: &mut String) {
    let about = one.kind.about().replace('`', "");
    let _ = writeln!(
        page,
        "<tr><td><span class=\"result {}\" title=\"{}\">{}</span></td><td><code>{}</code></td><td><code>{}</code></td><td><code>{}</code></td></tr>",
        one.likeness,
        escaped(&about),
        one.kind,
        escaped(&one.place),
        escaped(&one.expected),
        escaped(&one.found)
    );
}
