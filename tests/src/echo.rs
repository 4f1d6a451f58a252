//! The service of `definitions/wider/library.yaml`, which answers what it gets, and calls of it: what `interop/servers/asmx/Library.asmx` does, too.

use std::fmt::Debug;

use svcgen::types::{DateTime, Decimal, Guid};
use svcgen::{CallError, Context, Fault, Transport};

use crate::library::{
    AddRequest, AnyItem, Book, BookContact, EnterHeaders, EnterRequest, EnterResponseHeaders,
    FailRequest, Genre, LibraryClient, LibraryHandler, LibraryServer, Map, Money, NotifyRequest,
    Person, Recording, TakeRequest, Visit,
};

/// Answers what it gets.
#[derive(Debug, Clone, Copy)]
pub struct Echo;

/// The service.
pub fn server() -> LibraryServer<Echo> {
    LibraryServer::new(Echo)
}

/// The operations that answer their parameter, and a client that calls them with values: a method, its request, the parameter, its type, values.
macro_rules! echoes {
    ($($method:ident $request:ident $parameter:ident: $type:ty = $values:expr;)+) => {
        impl LibraryHandler for Echo {
            $(async fn $method(&self, _: &Context, request: crate::library::$request) -> Result<$type, Fault> {
                Ok(request.$parameter)
            })+

            async fn add(&self, _: &Context, request: AddRequest) -> Result<i64, Fault> {
                Ok(i64::from(request.a) + request.b)
            }

            async fn standard(&self, _: &Context) -> Result<Option<Book>, Fault> {
                Ok(Some(Book {
                    title: Some("standard".to_owned()),
                    printed: date("2024-02-29T00:00:00"),
                    ..Book::default()
                }))
            }

            async fn nothing(&self, _: &Context) -> Result<(), Fault> {
                Ok(())
            }

            async fn take(&self, _: &Context, _: TakeRequest) -> Result<(), Fault> {
                Ok(())
            }

            async fn fail(&self, _: &Context, request: FailRequest) -> Result<Option<String>, Fault> {
                Err(Fault::server(format!("because {}", request.why.unwrap_or_default())))
            }

            async fn notify(&self, _: &Context, _: NotifyRequest) -> Result<(), Fault> {
                Ok(())
            }

            async fn enter(
                &self,
                _: &Context,
                headers: EnterHeaders,
                request: EnterRequest,
            ) -> Result<(Option<String>, EnterResponseHeaders), Fault> {
                let Some(mut visit) = headers.visit else {
                    return Ok((request.door, EnterResponseHeaders::default()));
                };
                visit.count = visit.count.wrapping_add(1);
                let words = [request.door.as_deref(), visit.who.as_deref()];
                let answer = words.map(Option::unwrap_or_default).join(" ");
                Ok((Some(answer), EnterResponseHeaders { visit: Some(visit) }))
            }
        }

        async fn echoes<T: Transport>(client: &LibraryClient<T>, lines: &mut Vec<String>) {
            $(for $parameter in $values {
                let request = crate::library::$request { $parameter };
                show(lines, stringify!($method), &client.$method(&request).await);
            })+
        }
    };
}

echoes! {
    echo_book EchoBookRequest book: Option<Book> = [None, Some(Book::default()), Some(book())];
    echo_books EchoBooksRequest books: Option<Vec<Option<Book>>> = [None, Some(vec![]), Some(vec![Some(book()), None])];
    echo_item EchoItemRequest item: Option<AnyItem> = [None, Some(map()), Some(recording())];
    echo_items EchoItemsRequest items: Option<Vec<Option<AnyItem>>> = [Some(vec![Some(map()), None, Some(recording())])];
    echo_table EchoTableRequest table: Option<Vec<Option<Vec<i32>>>> = [None, Some(vec![]), Some(vec![Some(vec![1, -2]), None, Some(vec![])])];
    echo_numbers EchoNumbersRequest numbers: Option<Vec<Option<i32>>> = [None, Some(vec![Some(i32::MIN), None, Some(i32::MAX)])];
    echo_texts EchoTextsRequest texts: Option<Vec<Option<String>>> = [Some(vec![text("a & b"), text(""), text(" <c> ")])];
    echo_genre EchoGenreRequest genre: Genre = [Genre::Novel, Genre::Play];
    echo_genres EchoGenresRequest genres: Option<Vec<Genre>> = [Some(vec![Genre::Poem, Genre::Novel])];
    echo_text EchoTextRequest text: Option<String> = [text(""), text("plain"), text("a & b < c > \"d\" 'e'\ttab ")];
    echo_bytes EchoBytesRequest bytes: Option<Vec<u8>> = [Some(vec![0, 1, 254, 255])];
    echo_date EchoDateRequest date: DateTime = [date("2024-02-29T12:34:56"), date("2024-02-29T12:34:56.12"), date("0001-01-01T00:00:00")];
    echo_decimal EchoDecimalRequest value: Decimal = [decimal("0"), decimal("1.50"), decimal("79228162514264337593543950335")];
    echo_double EchoDoubleRequest value: f64 = [0.0, 1.5, -2.5e-7, 1e300];
    echo_float EchoFloatRequest value: f32 = [0.0, 1.5, -2.5e-7, 1e30];
    echo_char EchoCharRequest value: char = ['a', 'Z', '~'];
    echo_bool EchoBoolRequest value: bool = [true, false];
    echo_guid EchoGuidRequest value: Guid = [Guid::default(), "00000003-0002-0003-0405-060708090aff".parse().expect("a GUID")];
    echo_byte EchoByteRequest value: u8 = [0, 7, 255];
}

/// Calls every operation and says what each call answered, a line a call.
pub async fn calls<T: Transport>(client: &LibraryClient<T>) -> Vec<String> {
    let mut lines = Vec::new();
    echoes(client, &mut lines).await;
    let request = AddRequest {
        a: i32::MAX,
        b: 1 << 40,
    };
    show(&mut lines, "add", &client.add(&request).await);
    show(&mut lines, "standard", &client.standard().await);
    show(&mut lines, "nothing", &client.nothing().await);
    let request = TakeRequest {
        text: text("x"),
        genre: Genre::Poem,
    };
    show(&mut lines, "take", &client.take(&request).await);
    let why = text("it is closed");
    show(&mut lines, "fail", &client.fail(&FailRequest { why }).await);
    let notice = NotifyRequest { text: text("x") };
    show(&mut lines, "notify", &client.notify(&notice).await);
    let visit = Visit {
        count: 4,
        who: text("me"),
    };
    // A client refuses headers over HTTP GET and POST.
    let visits = [None, Some(visit)];
    for visit in visits {
        let request = EnterRequest { door: text("side") };
        let entered = client.enter(&EnterHeaders { visit }, &request).await;
        show(&mut lines, "enter", &entered);
    }
    lines
}

fn show<A: Debug>(lines: &mut Vec<String>, method: &str, answer: &Result<A, CallError>) {
    lines.push(match answer {
        Ok(answer) => format!("{method}: {answer:?}"),
        Err(CallError::Fault(fault)) => format!("{method}: {:?} {}", fault.code(), fault.text()),
        Err(error) => format!("{method}: {error}"),
    });
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn date(text: &str) -> DateTime {
    text.parse().expect("a date")
}

fn decimal(text: &str) -> Decimal {
    text.parse().expect("a decimal")
}

fn map() -> AnyItem {
    AnyItem::Map(Map {
        id: 7,
        label: text("map"),
        scale: 0.25,
    })
}

fn recording() -> AnyItem {
    AnyItem::Recording(Recording {
        id: -1,
        label: None,
        minutes: 42,
        tracks: Some(vec![text("one"), None]),
    })
}

fn book() -> Book {
    let person = Person {
        name: text("Ann"),
        phone: vec!["1".to_owned(), "2 <3>".to_owned()],
    };
    Book {
        number: 3,
        shelf: text("a \"b\"\n"),
        genre: Genre::Play,
        title: text("\u{e9}\u{65e5}\u{1f600}"),
        price: Some(Money {
            currency: text("EUR"),
            value: decimal("12.50"),
        }),
        printed: date("2024-02-29T12:34:56.5"),
        pages: Some(-5),
        other: Some(Genre::Poem),
        authors: Some(vec![text("x"), None, text("")]),
        parts: Some(vec![1, 2]),
        cover: Some(vec![]),
        lender: Some(person.clone()),
        weight: 1e-7,
        lent: true,
        contact: Some(BookContact::Letter(person)),
        next: vec![Book::default()],
        ..Book::default()
    }
}
