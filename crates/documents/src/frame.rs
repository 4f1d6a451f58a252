//! The frame of every page: its head, a bar with links, a rail with the operations, scripts.

use crate::escape::escaped;
use crate::html::{Html, put};

/// The style sheet of every page.
pub(crate) const STYLE: &str = include_str!("page/style.css");

/// The script of pages with a rail: the filter of the rail, the order of operations, the health of
/// the server, buttons that copy.
pub(crate) const SCRIPT: &str = include_str!("page/script/page.js");

/// The frame around the content of a page.
pub(crate) struct Frame<'f> {
    pub title: &'f str,
    /// Markup in the head.
    pub head: &'f str,
    /// A style sheet after that of every page.
    pub style: Option<&'f str>,
    /// The name at the top; empty for none.
    pub brand: &'f str,
    /// The target of the link in the name.
    pub home: &'f str,
    /// Markup of an image before the name.
    pub logo: &'f str,
    /// The label of the links in the bar, and the target and the text of each.
    pub links: (&'f str, &'f [(String, String)]),
    /// The operations next to the content: the target of the link, and the name.
    pub rail: &'f [(String, &'f str)],
    /// The operation of the page.
    pub current: Option<&'f str>,
}

impl Html {
    /// Writes a page up to its content.
    pub fn open(&mut self, frame: &Frame<'_>) {
        put!(
            self,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{}\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style>\n{}</head>\n<body>\n\
             <a class=\"skip\" href=\"#main\">Skip to the content</a>\n",
            frame.head,
            escaped(frame.title),
            (frame.style).map_or_else(String::new, |css| format!("<style>{css}</style>\n")),
        );
        if !frame.brand.is_empty() {
            self.bar(frame);
        }
        put!(self, "<div class=\"frame\">\n");
        if !frame.rail.is_empty() {
            self.rail(frame);
        }
        put!(self, "<main id=\"main\">\n");
    }

    fn bar(&mut self, frame: &Frame<'_>) {
        let (label, links) = frame.links;
        put!(
            self,
            "<header class=\"bar\"><a class=\"brand\" href=\"{}\">{}{} <span>Web Service</span></a>\n<nav aria-label=\"{label}\">",
            escaped(frame.home),
            frame.logo,
            escaped(frame.brand),
        );
        for (to, text) in links {
            put!(self, "<a href=\"{}\">{text}</a>", escaped(to));
        }
        put!(self, "</nav></header>\n");
    }

    fn rail(&mut self, frame: &Frame<'_>) {
        put!(
            self,
            "<nav class=\"rail\" aria-label=\"Operations\"><details open><summary>Operations <span class=\"muted\">{}</span></summary>\n\
             <p hidden><input type=\"search\" id=\"filter\" aria-label=\"Filter operations\" placeholder=\"Filter  /\" autocomplete=\"off\" spellcheck=\"false\"></p>\n<ol data-operations>\n",
            frame.rail.len()
        );
        for (to, name) in frame.rail {
            let current = if frame.current == Some(name) {
                " aria-current=\"page\""
            } else {
                ""
            };
            put!(
                self,
                "<li><a href=\"{}\"{current}>{}</a></li>\n",
                escaped(to),
                escaped(name)
            );
        }
        put!(
            self,
            "</ol>\n<p class=\"muted\" id=\"no-match\" role=\"status\" hidden>No operation is named so.</p></details></nav>\n"
        );
    }

    /// Writes the end of a page, with its scripts.
    pub fn close(&mut self, scripts: &[&str]) {
        put!(self, "</main>\n</div>\n");
        for script in scripts {
            put!(self, "<script type=\"module\">{script}</script>\n");
        }
        put!(self, "</body>\n</html>\n");
    }
}
