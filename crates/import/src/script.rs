//! Script proxies of ASP.NET, `Service.asmx/js`: facts about a service that no WSDL contains. All
//! proxies have the same shape, so this matches their tokens and does not parse JavaScript; a
//! script of another shape is skipped with a note.

mod merge;

use svcgen_wsdl::load::Load;
use svcgen_wsdl::report::Report;
use svcgen_wsdl::rules::Rule;

use super::draft::Draft;
use merge::merge;

/// The maximum size of a script in bytes.
const MOST_BYTES: usize = 8 << 20;

/// The content of a script.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Script {
    /// The class of the service in .NET, `Company.Crm.Greeter`.
    pub class: String,
    /// The path of the service.
    pub path: Option<String>,
    pub functions: Vec<Function>,
    /// The types that callers know: their names in scripts, and the names that objects carry.
    pub types: Vec<(String, String)>,
    pub enumerations: Vec<Enumeration>,
}

/// The function of an operation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub name: String,
    pub by_get: bool,
    pub parameters: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Enumeration {
    pub class: String,
    pub values: Vec<(String, i64)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token<'t> {
    /// Names joined by dots, and numbers.
    Word(&'t str),
    Text(String),
    Sign(char),
}

use Token::{Sign, Text, Word};

/// Adds the content of script proxies to the drafts of ASP.NET services. A proxy is served below
/// the path of the service if the WSDL is loaded from there; next to a saved WSDL it has the same
/// name: `orders.wsdl`, `orders.js`.
pub(crate) fn add(
    drafts: &mut [Draft],
    addresses: &[String],
    loader: &mut dyn Load,
    report: &Report<'_>,
) {
    let text = |draft: &Draft, key: &str| draft.get(key).and_then(Draft::text).map(str::to_owned);
    let path = |draft: &Draft| text(draft, "path").map(|path| path.to_lowercase());
    let is_net = |draft: &Draft| path(draft).is_some_and(|path| path.ends_with(".asmx"));
    if !drafts.iter().any(is_net) {
        return;
    }
    let first = drafts.iter().find(|draft| is_net(draft));
    let first = first.and_then(|draft| draft.place);
    let pass_over = |address: &str, why: &str| {
        if let Some(place) = first {
            let message = format!("`{address}` is passed over: {why}");
            report.add(Rule::NotInWsdl, place, message, None);
        }
    };
    let mut scripts = Vec::new();
    for address in addresses.iter().filter_map(|address| beside(address)) {
        let script = match loader.load(&address) {
            Ok(loaded) => Script::read(&loaded.bytes).map_err(str::to_owned),
            Err(why) if loader.siblings(&address).contains(&address) => Err(why),
            // Most services have no script.
            Err(_) => continue,
        };
        match script {
            Ok(script) => scripts.push((address, script, false)),
            Err(why) => pass_over(&address, &why),
        }
    }
    let is_alone = drafts.len() == 1;
    for draft in drafts.iter_mut().filter(|draft| is_net(draft)) {
        let Some(place) = draft.place else {
            continue;
        };
        let is_of = |(_, script, _): &&mut (String, Script, bool)| {
            let named = text(draft, "service").is_some_and(|name| script.name() == name);
            let found = script.path.as_ref().map(|path| path.to_lowercase());
            is_alone || named || (found.is_some() && found == path(draft))
        };
        if let Some((_, script, is_used)) = scripts.iter_mut().find(is_of) {
            *is_used = true;
            let unknown = merge(draft, script);
            if !unknown.is_empty() {
                let unknown = unknown.join(", ");
                let message = format!("the script proxy names what the WSDL does not: {unknown}");
                let hint = "say `net`, `number` and `script_type` where XML has other names";
                report.add(Rule::NotInWsdl, place, message, Some(hint));
            }
        } else if draft.get("enums").is_some() {
            let message = "no WSDL holds the numbers of enumerations and the names of types in .NET, which page scripts and forms may use";
            let hint = "if the original answers a script at its address and `/js`, save that beside the WSDL under its name, with the ending `.js`, and import again";
            report.add(Rule::NotInWsdl, place, message, Some(hint));
        }
    }
    for (address, script, _) in scripts.iter().filter(|(.., is_used)| !is_used) {
        let why = format!("it is of `{}`, which is another service", script.class);
        pass_over(address, &why);
    }
}

/// The address of the script proxy that belongs to a document.
fn beside(address: &str) -> Option<String> {
    if !address.contains("://") {
        let (stem, ending) = address.rsplit_once('.')?;
        return (!ending.contains(['/', '\\'])).then(|| format!("{stem}.js"));
    }
    let service = address.split(['?', '#']).next().unwrap_or(address);
    let is_net = service.to_lowercase().ends_with(".asmx");
    is_net.then(|| format!("{service}/js"))
}

impl Script {
    /// The name of the class without its namespace.
    fn name(&self) -> &str {
        self.class.rsplit('.').next().unwrap_or(&self.class)
    }

    /// Reads a script.
    ///
    /// # Errors
    ///
    /// Returns the reason why the script cannot be read, without quoting any of it.
    pub fn read(bytes: &[u8]) -> Result<Self, &'static str> {
        if bytes.len() > MOST_BYTES {
            return Err("it is larger than 8 MiB");
        }
        let text = str::from_utf8(bytes).map_err(|_| "it is not text in UTF-8")?;
        let tokens = tokens(text);
        let mut script = Self::default();
        for at in 0..tokens.len() {
            script.add(&tokens[at..])?;
        }
        if script.class.is_empty() {
            return Err("it is not a script proxy of ASP.NET");
        }
        Ok(script)
    }

    /// Adds the content of a statement that starts with these tokens.
    fn add(&mut self, tokens: &[Token<'_>]) -> Result<(), &'static str> {
        match tokens {
            [
                Word(word),
                Sign('('),
                Text(class),
                Sign(','),
                Word("Sys.Net.WebServiceProxy"),
                ..,
            ] if word.ends_with(".registerClass") => {
                self.class.clone_from(class);
            }
            [Word(word), Sign('('), Text(path), Sign(')'), ..] if word.ends_with(".set_path") => {
                self.path = Some(path.clone());
            }
            [Word("this._invoke"), rest @ ..] => {
                let function =
                    function(rest).ok_or("a call of `_invoke` in it is of another form")?;
                self.functions.push(function);
            }
            [
                Word(class),
                Sign('='),
                Word("gtc"),
                Sign('('),
                Text(id),
                Sign(')'),
                ..,
            ] => {
                self.types.push(((*class).to_owned(), id.clone()));
            }
            [Word(word), Sign('='), Sign('{'), rest @ ..] => {
                let class = word.strip_suffix(".prototype");
                let values = numbers(rest);
                self.enumerations
                    .extend(class.zip(values).map(|(class, values)| Enumeration {
                        class: class.to_owned(),
                        values,
                    }));
            }
            _ => {}
        }
        Ok(())
    }
}

/// `(this._get_path(),'Echo',false,{s:s,t:t},`
fn function(tokens: &[Token<'_>]) -> Option<Function> {
    let [
        Sign('('),
        Word(path),
        Sign('('),
        Sign(')'),
        Sign(','),
        Text(name),
        Sign(','),
        Word(by_get),
        Sign(','),
        Sign('{'),
        rest @ ..,
    ] = tokens
    else {
        return None;
    };
    if !path.ends_with("get_path") {
        return None;
    }
    let mut parameters = Vec::new();
    let mut rest = rest;
    while let [name, Sign(':'), Word(_), Sign(end), after @ ..] = rest {
        parameters.push(name.name()?.to_owned());
        rest = after;
        if *end == '}' {
            break;
        }
    }
    Some(Function {
        name: name.clone(),
        by_get: *by_get == "true",
        parameters,
    })
}

/// `Red: 0,Green: -5}`
fn numbers(tokens: &[Token<'_>]) -> Option<Vec<(String, i64)>> {
    let mut values = Vec::new();
    let mut rest = tokens;
    loop {
        let [name, Sign(':'), after @ ..] = rest else {
            return None;
        };
        let (sign, after) = match after {
            [Sign('-'), after @ ..] => ("-", after),
            after => ("", after),
        };
        let [Word(number), Sign(end), after @ ..] = after else {
            return None;
        };
        values.push((
            name.name()?.to_owned(),
            format!("{sign}{number}").parse().ok()?,
        ));
        match end {
            ',' => rest = after,
            '}' => return Some(values),
            _ => return None,
        }
    }
}

impl Token<'_> {
    /// The name of a member, quoted or not.
    fn name(&self) -> Option<&str> {
        match self {
            Word(name) => Some(name),
            Text(name) => Some(name),
            Sign(_) => None,
        }
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
        } else if is_word(first) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.push(Word(&rest[..end]));
            rest = &rest[end..];
        } else {
            let after = &rest[first.len_utf8()..];
            rest = match first {
                '\'' | '"' => {
                    let (text, after) = quoted(after, first);
                    tokens.push(Text(text));
                    after
                }
                _ => {
                    tokens.extend((!first.is_whitespace()).then_some(Sign(first)));
                    after
                }
            };
        }
    }
    tokens
}

/// Splits a text at the quote that ends it into the unquoted text and the rest.
fn quoted(text: &str, quote: char) -> (String, &str) {
    let mut unescaped = String::new();
    let mut rest = text.chars();
    while let Some(next) = rest.next() {
        match next {
            '\\' => match rest.next() {
                Some('u') => {
                    let code = rest.as_str().get(..4);
                    let code = code.and_then(|code| u32::from_str_radix(code, 16).ok());
                    let character = code.and_then(char::from_u32);
                    unescaped.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
                    rest = rest.as_str().get(4..).unwrap_or_default().chars();
                }
                Some('n') => unescaped.push('\n'),
                Some('r') => unescaped.push('\r'),
                Some('t') => unescaped.push('\t'),
                other => unescaped.extend(other),
            },
            next if next == quote => return (unescaped, rest.as_str()),
            next => unescaped.push(next),
        }
    }
    (unescaped, "")
}

#[cfg(test)]
mod tests;
