//! The parameters of `Login` read by hand: from SOAP 1.1 with quick-xml, from a query or a form,
//! and from JSON with serde.

use quick_xml::NsReader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::{Namespace, ResolveResult};
use serde::Deserialize;
use url::form_urlencoded;

/// What is wrong with a request.
pub type Refusal = String;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Login {
    pub username: Option<String>,
    pub password: Option<String>,
    pub device_pin: Option<String>,
}

pub fn from_soap(body: &[u8]) -> Result<Login, Refusal> {
    let text = std::str::from_utf8(body).map_err(refused)?;
    let mut elements = Elements(NsReader::from_str(text));
    elements.0.config_mut().expand_empty_elements = true;
    elements.expect(Declared::Envelope, "Envelope")?;
    elements.open_body()?;
    elements.expect(Declared::Service, "Login")?;
    let mut login = Login::default();
    while let Some((namespace, tag)) = elements.next()? {
        let field = match (namespace, tag.local_name().as_ref()) {
            (Declared::Service, "username") => &mut login.username,
            (Declared::Service, "password") => &mut login.password,
            (Declared::Service, "devicePin") => &mut login.device_pin,
            _ => {
                elements.skip(&tag)?;
                continue;
            }
        };
        *field = Some(elements.text()?);
    }
    elements.finish()?;
    Ok(login)
}

pub fn from_form(form: &[u8]) -> Result<Login, Refusal> {
    let mut login = Login::default();
    for (name, value) in form_urlencoded::parse(form) {
        let field = match &*name {
            "username" => &mut login.username,
            "password" => &mut login.password,
            "devicePin" => &mut login.device_pin,
            _ => continue,
        };
        *field = Some(value.into_owned());
    }
    let missing = match &login {
        Login { username: None, .. } => "username",
        Login { password: None, .. } => "password",
        Login {
            device_pin: None, ..
        } => "devicePin",
        _ => return Ok(login),
    };
    Err(format!("Missing parameter: {missing}."))
}

pub fn from_json(body: &[u8]) -> Result<Login, Refusal> {
    serde_json::from_slice(body).map_err(refused)
}

fn refused(error: impl std::fmt::Display) -> Refusal {
    error.to_string()
}

/// The namespace of an element.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Declared {
    Envelope,
    Service,
    Other,
}

struct Elements<'t>(NsReader<&'t [u8]>);

impl<'t> Elements<'t> {
    /// The start tag of the next child of the element that is open; `None` at its end.
    fn next(&mut self) -> Result<Option<(Declared, BytesStart<'t>)>, Refusal> {
        loop {
            match self.0.read_resolved_event().map_err(refused)? {
                (namespace, Event::Start(tag)) => {
                    let declared = match namespace {
                        ResolveResult::Bound(Namespace("http://example.com/svc/device")) => {
                            Declared::Service
                        }
                        ResolveResult::Bound(Namespace(
                            "http://schemas.xmlsoap.org/soap/envelope/",
                        )) => Declared::Envelope,
                        ResolveResult::Unknown(prefix) => {
                            return Err(format!("The prefix {prefix} is not declared."));
                        }
                        _ => Declared::Other,
                    };
                    return Ok(Some((declared, tag)));
                }
                (_, Event::End(_)) => return Ok(None),
                (_, Event::Decl(_) | Event::Comment(_) | Event::PI(_)) => {}
                (_, Event::Text(text)) if text.trim_ascii().is_empty() => {}
                (_, event) => return Err(format!("{event:?} stands in the place of an element.")),
            }
        }
    }

    fn expect(&mut self, namespace: Declared, name: &str) -> Result<(), Refusal> {
        match self.next()? {
            Some((found, tag)) if found == namespace && tag.local_name().as_ref() == name => Ok(()),
            _ => Err(format!("The element {name} is missing.")),
        }
    }

    /// Takes the start tag of the body, after a header, if there is one.
    fn open_body(&mut self) -> Result<(), Refusal> {
        while let Some((namespace, tag)) = self.next()? {
            if namespace == Declared::Envelope && tag.local_name().as_ref() == "Body" {
                return Ok(());
            }
            self.skip(&tag)?;
        }
        Err("The element Body is missing.".to_owned())
    }

    fn skip(&mut self, tag: &BytesStart<'_>) -> Result<(), Refusal> {
        self.0.read_to_end(tag.name()).map(drop).map_err(refused)
    }

    /// The text up to the end tag of the element that is open.
    fn text(&mut self) -> Result<String, Refusal> {
        let mut text = String::new();
        loop {
            match self.0.read_event().map_err(refused)? {
                Event::Text(part) => text.push_str(&part.xml10_content()),
                Event::CData(part) => text.push_str(&part.xml10_content()),
                Event::GeneralRef(reference) => push_reference(&reference, &mut text)?,
                Event::Comment(_) | Event::PI(_) => {}
                Event::End(_) => return Ok(text),
                event => return Err(format!("{event:?} stands in a text.")),
            }
        }
    }

    /// The body and the envelope end after the call, and then the document.
    fn finish(mut self) -> Result<(), Refusal> {
        for parent in ["Body", "Envelope"] {
            if self.next()?.is_some() {
                return Err(format!("{parent} has an element after the call."));
            }
        }
        loop {
            match self.0.read_event().map_err(refused)? {
                Event::Comment(_) | Event::PI(_) => {}
                Event::Text(text) if text.trim_ascii().is_empty() => {}
                Event::Eof => return Ok(()),
                event => return Err(format!("{event:?} stands after the envelope.")),
            }
        }
    }
}

fn push_reference(reference: &BytesRef<'_>, text: &mut String) -> Result<(), Refusal> {
    if let Some(character) = reference.resolve_char_ref().map_err(refused)? {
        text.push(character);
        return Ok(());
    }
    let entity = resolve_predefined_entity(reference);
    text.push_str(entity.ok_or("An entity is not declared.")?);
    Ok(())
}
