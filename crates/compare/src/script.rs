//! The information for callers over JSON and page scripts that is not in messages: the method and
//! format of calls, and names of .NET.

use crate::class::Audience;
use crate::codes::Kind;
use crate::finding::Subject;
use crate::message::{Direction, Message, Reading, messages_of};
use crate::sides::Sides;
use svcgen_codegen::model::{Bindings, Method, Model, ResponseFormat, Service, TypeRef};

impl<'m> Sides<'m> {
    /// Compares the method and the format of calls.
    pub(crate) fn script_method(&mut self, old: &Method, new: &Method) {
        let (was, is) = (old.script, new.script);
        let both = old.bindings.and(new.bindings).and(Bindings::SCRIPT);
        let operation = Subject::operation(new);
        let by_get = [was, is].map(|script| script.use_http_get);
        let now = [
            "is called by GET over JSON where it was called by POST",
            "is called by POST over JSON where it was called by GET",
        ];
        let subject = operation.at("script_method/use_http_get");
        if let Some(finding) = subject.switched(Kind::OperationByGet, by_get, now) {
            let messages = messages_of(new, Direction::Request, both);
            let why = "a call by the other method is refused";
            self.find(finding.in_messages(&messages, |_| Reading::breaks(why)));
        }
        if was.response_format != is.response_format {
            let (was, is) = (words(was.response_format), words(is.response_format));
            let what = format!("is answered {is} over JSON where it was answered {was}");
            let subject = operation.at("script_method/response_format");
            let finding = subject.finding(Kind::OperationResponseFormat, what);
            let messages = messages_of(new, Direction::Response, both);
            let why = format!("the answer does not read {was} and {is}");
            self.find(finding.in_messages(&messages, |_| Reading::breaks(&why)));
        }
    }

    /// Compares the name of the service in .NET.
    pub(crate) fn service_net(&mut self) {
        let Some((old, new)) = self.called_over_json() else {
            return;
        };
        let [was, is] = [old, new].map(|service| {
            let class = service.script.class.as_ref();
            class.unwrap_or(&service.name.xml)
        });
        let subject = Subject::new("the class of the service in .NET", "net");
        if let Some(finding) = subject.changed(Kind::ServiceNet, was, is) {
            let calls = self.messages(|_, _, direction| match direction {
                Direction::Request => Bindings::SCRIPT,
                Direction::Response => Bindings::NONE,
            });
            self.find(finding.in_messages(&calls, |message| {
                message.is_forward().then(|| {
                    Reading::depends(format!(
                        "page scripts that call through the script proxy know it as `{was}`"
                    ))
                })
            }));
        }
    }

    /// Compares whether callers over JSON know a type, and by which name.
    pub(crate) fn script_type(&mut self, subject: &Subject, old: &TypeRef, new: &TypeRef) {
        let Some((old_service, new_service)) = self.called_over_json() else {
            return;
        };
        let (was, is) = (name_of(old_service, old), name_of(new_service, new));
        let what = match (was, is) {
            _ if was == is => return,
            (Some(was), Some(is)) => format!("is `{is}` to callers over JSON, and was `{was}`"),
            (None, Some(is)) => format!("is known to callers over JSON now, as `{is}`"),
            (_, None) => "is not known to callers over JSON any more".to_owned(),
        };
        let finding = subject.finding(Kind::ScriptType, what);
        let is_object = matches!(new, TypeRef::Complex(_));
        self.find(finding.on_wire(|message| {
            let (written, _) = message.ends(was, is);
            match (message.is_json(), written) {
                (false, _) => None,
                (true, _) if !is_object => read_enumeration(was, message),
                (true, None) => Some(Reading::works("objects that say no `__type` are read")),
                (true, Some(written)) => Some(read_object(written, message)),
            }
        }));
    }

    /// Both services, if both have operations over JSON: otherwise, no name is known.
    fn called_over_json(&self) -> Option<(&'m Service, &'m Service)> {
        let service = |model: &'m Model| {
            let service = model.service.as_ref()?;
            let mut operations = service.operations.iter();
            let is_called = operations.any(|operation| operation.bindings.has_script());
            is_called.then_some(service)
        };
        service(self.old.model).zip(service(self.new.model))
    }
}

/// The name of a type for callers over JSON.
fn name_of<'m>(service: &'m Service, type_ref: &TypeRef) -> Option<&'m str> {
    let mut types = service.script.types.iter();
    let known = types.find(|known| known.type_ref == *type_ref)?;
    Some(&known.name)
}

/// The reading of an object whose type the reader does not know by this name.
fn read_object(written: &str, message: Message) -> Reading {
    if message.direction == Direction::Request {
        return Reading::breaks(format!(
            "an object with the `__type` `{written}` is refused"
        ));
    }
    Reading::depends(format!(
        "objects say `{written}` as their `__type`: page scripts skip it unless they look at it, clients of svcgen refuse what they do not know"
    ))
}

/// The effect on page scripts that know an enumeration by its name; messages contain numbers.
fn read_enumeration(was: Option<&str>, message: Message) -> Option<Reading> {
    let was = was?;
    (message.audience == Audience::Callers).then(|| {
        Reading::depends(format!(
            "page scripts that use the script proxy know its values as those of `{was}`"
        ))
    })
}

fn words(format: ResponseFormat) -> &'static str {
    match format {
        ResponseFormat::Json => "in JSON",
        ResponseFormat::Xml => "in XML, text as it is",
        ResponseFormat::XmlString => "in XML",
    }
}
