//! The services of `GJson.cs`.

use svcgen::http::StatusCode;
use svcgen::types::{DateTime, Decimal, Dictionary, Guid, Object};
use svcgen::{Context, Fault, Router};

pub(super) mod json {
    svcgen::include_service!("g_json");
    pub use g_json::*;
}

pub(super) mod plain {
    svcgen::include_service!("g_plain");
    pub use g_plain::*;
}

use json::*;

/// The handlers of `GJson.cs`.
pub(super) struct Handlers;

/// Returns both services.
pub(super) fn router() -> Router {
    Router::new()
        .with_service(GJsonServer::new(Handlers))
        .with_service(plain::GPlainServer::new(Handlers))
}

/// Returns the text of a date and its kind, as .NET shows it.
fn show_date(date: &DateTime) -> String {
    let text = date.to_string();
    let kinds = [
        ("Z", "Z Utc"),
        ("+00:00", "+00:00 Local"),
        ("", " Unspecified"),
    ];
    let mut kinds = kinds.into_iter();
    let (text, kind) = kinds
        .find_map(|(end, kind)| Some((text.strip_suffix(end)?, kind)))
        .unwrap_or_default();
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
    format!("{seconds}.{fraction:0<7}{kind}")
}

/// Sets the value that .NET computes from the name.
fn complete(mut person: AnyPerson) -> AnyPerson {
    let base = match &mut person {
        AnyPerson::Person(person) => (&person.name, &mut person.upper),
        AnyPerson::Employee(person) => (&person.name, &mut person.upper),
        AnyPerson::Manager(person) => (&person.name, &mut person.upper),
    };
    *base.1 = base.0.as_ref().map(|name| name.to_uppercase());
    person
}

/// The members of the handler that return their parameter.
macro_rules! echoes {
    ($($name:ident($request:ident . $field:ident: $type:ty)),+ $(,)?) => {
        $(
            async fn $name(&self, _: &Context, request: $request) -> Result<$type, Fault> {
                Ok(request.$field)
            }
        )+
    };
}

impl GJsonHandler for Handlers {
    echoes! {
        echo(EchoRequest.s: Option<String>),
        echo_bool(EchoBoolRequest.v: bool),
        echo_int(EchoIntRequest.v: i32),
        echo_double(EchoDoubleRequest.v: f64),
        echo_decimal(EchoDecimalRequest.v: Decimal),
        echo_char(EchoCharRequest.v: char),
        echo_guid(EchoGuidRequest.v: Guid),
        show_span(ShowSpanRequest.v: Option<String>),
        echo_colour(EchoColourRequest.v: Colour),
        echo_rights(EchoRightsRequest.v: Rights),
        echo_bytes(EchoBytesRequest.v: Option<Vec<u8>>),
        echo_nullable(EchoNullableRequest.v: Option<i32>),
        echo_spot(EchoSpotRequest.p: Spot),
        echo_map(EchoMapRequest.v: Option<Dictionary<i32>>),
        echo_map_obj(EchoMapObjRequest.v: Option<Object<AnyObject>>),
        cached(CachedRequest.s: Option<String>),
        get_echo(GetEchoRequest.s: Option<String>),
        xml_text(XmlTextRequest.s: Option<String>),
        xml_string(XmlStringRequest.s: Option<String>),
    }

    async fn escaped_keys(&self, _: &Context) -> Result<Option<Dictionary<Option<String>>>, Fault> {
        let entries = [("a\"b'c<d>&\u{e9}", "v"), ("__type", "mine")];
        Ok(Some(
            entries
                .map(|(key, value)| (key, Some(value.to_owned())))
                .into_iter()
                .collect(),
        ))
    }

    async fn sum(&self, _: &Context, request: SumRequest) -> Result<i32, Fault> {
        Ok(request.a.wrapping_add(request.b))
    }

    async fn show_date(
        &self,
        _: &Context,
        request: ShowDateRequest,
    ) -> Result<Option<String>, Fault> {
        Ok(Some(show_date(&request.v)))
    }

    async fn show(&self, _: &Context, request: ShowRequest) -> Result<Option<String>, Fault> {
        Ok(Some(match request.o {
            None => "null".to_owned(),
            Some(Object::Own(AnyObject::Spot(_))) => "Spot:Lab.G.Spot".to_owned(),
            Some(Object::String(text)) => format!("String:{text}"),
            Some(other) => return Err(Fault::exception(format_args!("What is {other:?}?"))),
        }))
    }

    async fn echo_person(
        &self,
        _: &Context,
        request: EchoPersonRequest,
    ) -> Result<Option<AnyPerson>, Fault> {
        Ok(request.p.map(complete))
    }

    async fn echo_people(
        &self,
        _: &Context,
        request: EchoPeopleRequest,
    ) -> Result<Option<Vec<Option<AnyPerson>>>, Fault> {
        let people = request.p.map(|people| {
            let people = people.into_iter();
            people.map(|person| person.map(complete)).collect()
        });
        Ok(people)
    }

    async fn show_shape(
        &self,
        _: &Context,
        request: ShowShapeRequest,
    ) -> Result<Option<String>, Fault> {
        Ok(Some(match request.s {
            None => "null".to_owned(),
            Some(AnyShape::Circle(circle)) => {
                format!("Circle {}", circle.colour.unwrap_or_default())
            }
        }))
    }

    async fn get_shape(&self, _: &Context) -> Result<Option<AnyShape>, Fault> {
        Ok(Some(AnyShape::Circle(Circle {
            colour: Some("red".to_owned()),
            radius: 1.5,
        })))
    }

    async fn no_args(&self, _: &Context) -> Result<Option<String>, Fault> {
        Ok(Some("ok".to_owned()))
    }

    async fn nothing(&self, _: &Context) -> Result<(), Fault> {
        Ok(())
    }

    async fn notify(&self, _: &Context, _: NotifyRequest) -> Result<(), Fault> {
        Ok(())
    }

    async fn deep(&self, _: &Context, request: DeepRequest) -> Result<Option<Node>, Fault> {
        let mut node = None;
        for n in 0..request.n {
            let next = node.map(Box::new);
            node = Some(Node { n, next });
        }
        Ok(node)
    }

    async fn long(&self, _: &Context, request: LongRequest) -> Result<Option<String>, Fault> {
        Ok(Some("x".repeat(usize::try_from(request.n).unwrap_or(0))))
    }

    async fn throw(&self, _: &Context, request: ThrowRequest) -> Result<Option<String>, Fault> {
        let text = format!("boom <&> é {}", request.s.unwrap_or_default());
        Err(Fault::exception(text).with_exception_type("System.ApplicationException"))
    }

    async fn out_ref(&self, _: &Context, request: OutRefRequest) -> Result<OutRefResponse, Fault> {
        Ok(OutRefResponse {
            out_ref_result: true,
            b: request.b.map(|b| b + "!"),
            c: request.a + 1,
        })
    }

    async fn echo_twice(
        &self,
        _: &Context,
        request: EchoTwiceRequest,
    ) -> Result<Option<String>, Fault> {
        let times = usize::try_from(request.n).unwrap_or(0);
        Ok(Some(request.s.unwrap_or_default().repeat(times)))
    }

    async fn optional(
        &self,
        _: &Context,
        request: OptionalRequest,
    ) -> Result<Option<String>, Fault> {
        Ok(Some(format!(
            "{}{}",
            request.a.unwrap_or_default(),
            request.b
        )))
    }

    async fn status(
        &self,
        context: &Context,
        request: StatusRequest,
    ) -> Result<Option<String>, Fault> {
        context.set_status(StatusCode::CREATED);
        context.set_response_header("X-Extra", "1")?;
        context.set_cookie("a=b")?;
        if request.fails {
            return Err(Fault::client("It fails."));
        }
        Ok(Some("s".to_owned()))
    }

    async fn get_person(
        &self,
        _: &Context,
        request: GetPersonRequest,
    ) -> Result<Option<AnyPerson>, Fault> {
        Ok(request.p.map(complete))
    }

    async fn get_sum(&self, _: &Context, request: GetSumRequest) -> Result<i32, Fault> {
        Ok(request.a + request.b)
    }

    async fn xml_spot(&self, _: &Context) -> Result<Spot, Fault> {
        Ok(Spot { x: 1, y: 2 })
    }

    async fn xml_int(&self, _: &Context) -> Result<i32, Fault> {
        Ok(5)
    }

    async fn xml_null(&self, _: &Context) -> Result<Option<Vec<Spot>>, Fault> {
        Ok(None)
    }
}

impl plain::GPlainHandler for Handlers {
    async fn echo(
        &self,
        _: &Context,
        request: plain::EchoRequest,
    ) -> Result<Option<String>, Fault> {
        Ok(request.s)
    }

    async fn get_echo(
        &self,
        _: &Context,
        request: plain::GetEchoRequest,
    ) -> Result<Option<String>, Fault> {
        Ok(request.s)
    }

    async fn echo_spot(
        &self,
        _: &Context,
        request: plain::EchoSpotRequest,
    ) -> Result<plain::Spot, Fault> {
        Ok(request.p)
    }
}
