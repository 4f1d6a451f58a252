//! The service of `definitions/lab/library.yaml`, which returns its parameters, and calls of it,
//! like `interop/servers/asmx/Library.asmx`.

use std::fmt::Debug;

use svcgen::types::{
    Cell, DataSet, DataTable, DateTime, Decimal, Guid, Object, SoapHeader, XmlFragment,
};
use svcgen::{CallError, Context, Fault, Transport};

use crate::library::{
    AddRequest, Address, AnyItem, AnyObject, BareTwoRequest, Book, BookContact, Card,
    CountLeavesRequest, CountLeavesResponse, CountStockRequest, Defaults, EnrollHeaders,
    EnrollRequest, EnrollResponseHeaders, EnterHeaders, EnterRequest, EnterResponseHeaders,
    FailRequest, Genre, Label, Leaf, LibraryClient, LibraryHandler, LibraryServer, LinesRequest,
    LinesResponse, Lists, Map, Mixture, MixtureParts, Money, Note, NotifyRequest, Person,
    Recording, SaveShelfRequest, Sentence, SentenceParts, ShowCardHeaders, ShowCardResponseHeaders,
    Size, SplitRequest, SplitResponse, State, StatusResponse, Stock, TakeRequest, Uses, Visit,
};
use crate::shelf;

/// Returns its parameters.
#[derive(Debug, Clone, Copy)]
pub struct Echo;

/// Returns the service.
pub fn server() -> LibraryServer<Echo> {
    LibraryServer::new(Echo)
}

/// Implements the operations that return their parameter, and a client that calls them with values:
/// a method, its request, the parameter, its type, and values.
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

            async fn bare_two(&self, _: &Context, request: BareTwoRequest) -> Result<Option<String>, Fault> {
                Ok(Some(request.one.unwrap_or_default() + &request.two.to_string()))
            }

            async fn split(&self, _: &Context, request: SplitRequest) -> Result<SplitResponse, Fault> {
                let count = request.count.wrapping_add(1);
                let Some(text) = request.text else {
                    return Ok(SplitResponse { count, ..SplitResponse::default() });
                };
                // .NET counts UTF-16 units.
                let units: Vec<_> = text.encode_utf16().collect();
                let (first, rest) = units.split_at(units.len() / 2);
                Ok(SplitResponse {
                    split_result: String::from_utf16(first).ok(),
                    rest: String::from_utf16(rest).ok(),
                    count,
                })
            }

            async fn get_shelf(&self, _: &Context) -> Result<Option<DataSet>, Fault> {
                Ok(Some(shelf::shelf()))
            }

            async fn get_shelf_table(&self, _: &Context) -> Result<Option<DataTable>, Fault> {
                let books = shelf::shelf().table("Book").cloned();
                Ok(books.map(|books| books.with_set_name("Shelf")))
            }

            async fn save_shelf(&self, _: &Context, request: SaveShelfRequest) -> Result<Option<String>, Fault> {
                Ok(request.shelf.as_ref().map(shelf::changes))
            }

            async fn get_stock(&self, _: &Context) -> Result<Option<Stock>, Fault> {
                Ok(Some(stock()))
            }

            async fn count_stock(&self, _: &Context, request: CountStockRequest) -> Result<i32, Fault> {
                let books = |stock: &Stock| stock.value.table("Book").map_or(0, DataTable::len);
                Ok(request.stock.as_ref().map_or(-1, |stock| books(stock) as i32))
            }

            async fn status(&self, _: &Context) -> Result<StatusResponse, Fault> {
                Ok(StatusResponse { status_result: 7, word: text("open") })
            }

            async fn lines(&self, _: &Context, request: LinesRequest) -> Result<LinesResponse, Fault> {
                let text = request.text.unwrap_or_default();
                let numbers = request.n.into_iter();
                Ok(LinesResponse { line: numbers.map(|number| format!("{text}{number}")).collect() })
            }

            async fn show_card(
                &self,
                _: &Context,
                headers: ShowCardHeaders,
            ) -> Result<(Option<String>, ShowCardResponseHeaders), Fault> {
                let Some(mut card) = headers.card else {
                    return Ok((text("none"), ShowCardResponseHeaders::default()));
                };
                card.value.level = card.value.level.wrapping_add(1);
                Ok((card.value.key.clone(), ShowCardResponseHeaders { card: Some(card) }))
            }

            async fn count_leaves(
                &self,
                _: &Context,
                request: CountLeavesRequest,
            ) -> Result<CountLeavesResponse, Fault> {
                let Some(leaves) = request.leaves else {
                    return Ok(CountLeavesResponse {
                        count_leaves_result: -1,
                        first: request.first,
                        told: None,
                    });
                };
                Ok(CountLeavesResponse {
                    count_leaves_result: leaves.len().try_into().unwrap_or(i32::MAX),
                    told: Some(format!("{} leaves", leaves.len())),
                    first: leaves.into_iter().next().unwrap_or(request.first),
                })
            }

            async fn nothing(&self, _: &Context) -> Result<(), Fault> {
                Ok(())
            }

            async fn take(&self, _: &Context, _: TakeRequest) -> Result<(), Fault> {
                Ok(())
            }

            async fn fail(&self, _: &Context, request: FailRequest) -> Result<Option<String>, Fault> {
                Err(Fault::exception(format!("because {}", request.why.unwrap_or_default())))
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
                let (answer, visit) = entered(request.door, headers.visit);
                Ok((answer, EnterResponseHeaders { visit }))
            }

            async fn enroll(
                &self,
                _: &Context,
                headers: EnrollHeaders,
                request: EnrollRequest,
            ) -> Result<(Option<String>, EnrollResponseHeaders), Fault> {
                let (answer, visit) = entered(request.door, headers.visit);
                Ok((answer, EnrollResponseHeaders { visit }))
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
    echo_state EchoStateRequest state: State = [State::OnLoan, State::First, State::Kept];
    echo_states EchoStatesRequest states: Option<Vec<State>> = [Some(vec![State::First, State::OnLoan])];
    echo_uses EchoUsesRequest uses: Uses = [Uses::NONE, Uses::READ, Uses::READ | Uses::LEND, Uses::ALL];
    echo_lists EchoListsRequest lists: Option<Lists> = [None, Some(Lists::default()), Some(lists())];
    echo_defaults EchoDefaultsRequest defaults: Option<Defaults> = [None, Some(Defaults::default()), Some(Defaults { at: 1, five: 6, abc: String::new(), on: false, genre: Genre::Novel, half: 0.25 })];
    echo_sentence EchoSentenceRequest sentence: Option<Sentence> = [Some(Sentence::default()), Some(sentence())];
    echo_mixture EchoMixtureRequest mixture: Option<Mixture> = [None, Some(Mixture::default()), Some(mixture())];
    echo_size EchoSizeRequest size: Size = [Size { height: -1, width: 2 }];
    echo_label EchoLabelRequest label: Option<Label> = [None, Some(Label::default()), Some(label())];
    echo_note EchoNoteRequest note: Option<Note> = [None, Some(Note { value: xml("a<b xmlns=\"\">1</b>c<d xmlns=\"urn:d\" />") })];
    echo_xml EchoXmlRequest xml: Option<XmlFragment> = [None, Some(xml("<a xmlns=\"urn:a\" b=\"1\"><c /> <!-- d --></a>"))];
    echo_object EchoObjectRequest value: Option<Object<AnyObject>> = objects();
    echo_objects EchoObjectsRequest values: Option<Vec<Option<Object<AnyObject>>>> = [None, Some(vec![]), Some(Vec::from(objects()))];
    echo_address EchoAddressRequest address: Option<Address> = [None, Some(Address::default()), Some(address())];
    echo_addresses EchoAddressesRequest addresses: Option<Vec<Option<Address>>> = [Some(vec![Some(address()), None])];
    echo_shelf EchoShelfRequest shelf: Option<DataSet> = [None, Some(DataSet::default()), Some(shelf::shelf()), Some(shelf::changed())];
    echo_stock EchoStockRequest stock: Option<Stock> = [None, Some(Stock::default()), Some(stock())];
    echo_leaf EchoLeafRequest leaf: Option<Leaf> = [None, Some(Leaf::default()), Some(leaf())];
    bare_person BarePersonRequest bare: Option<Person> = [None, Some(person())];
    bare_number BareNumberRequest number: i32 = [0, -5];
    renamed RenamedRequest what: Option<String> = [None, text("a & b")];
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

/// Returns the answer to a visit, whose count is incremented.
fn entered(door: Option<String>, visit: Option<Visit>) -> (Option<String>, Option<Visit>) {
    let Some(mut visit) = visit else {
        return (door, None);
    };
    visit.count = visit.count.wrapping_add(1);
    let words = [door.as_deref(), visit.who.as_deref()];
    let answer = words.map(Option::unwrap_or_default).join(" ");
    (Some(answer), Some(visit))
}

fn mixture() -> Mixture {
    Mixture {
        parts: vec![
            MixtureParts::Text("a & ".to_owned()),
            MixtureParts::Number(1),
            MixtureParts::Person(person()),
            MixtureParts::Text(" b".to_owned()),
        ],
    }
}

/// Returns books with the places of their copies.
fn stock() -> Stock {
    let mut stock = Stock::default();
    let rows = [
        ("Book", [1.into(), "Emma".into()]),
        ("Book", [2.into(), Cell::NULL]),
        ("Copy", [1.into(), "left & up".into()]),
        ("Copy", [1.into(), Cell::NULL]),
    ];
    for (table, row) in rows {
        let table = stock.value.table_mut(table);
        table
            .map(|table| table.push(row))
            .expect("a table")
            .expect("a row");
    }
    stock.value.accept_changes();
    stock
}

/// Calls every operation. Returns a line with the answer to each call.
pub async fn calls<T: Transport>(client: &LibraryClient<T>) -> Vec<String> {
    let mut lines = Vec::new();
    echoes(client, &mut lines).await;
    let request = AddRequest {
        a: i32::MAX,
        b: 1 << 40,
    };
    show(&mut lines, "add", &client.add(&request).await);
    show(&mut lines, "standard", &client.standard().await);
    let request = BareTwoRequest {
        one: text("a"),
        two: 2,
    };
    show(&mut lines, "bare_two", &client.bare_two(&request).await);
    for text in [None, text(""), text("a\u{e9}bc")] {
        let request = SplitRequest { text, count: 41 };
        show(&mut lines, "split", &client.split(&request).await);
    }
    show(&mut lines, "get_stock", &client.get_stock().await);
    for stock in [None, Some(stock())] {
        let counted = client.count_stock(&CountStockRequest { stock }).await;
        show(&mut lines, "count_stock", &counted);
    }
    show(&mut lines, "get_shelf", &client.get_shelf().await);
    show(
        &mut lines,
        "get_shelf_table",
        &client.get_shelf_table().await,
    );
    for shelf in [None, Some(shelf::changed())] {
        let saved = client.save_shelf(&SaveShelfRequest { shelf }).await;
        show(&mut lines, "save_shelf", &saved);
    }
    for leaves in [None, Some(vec![]), Some(vec![Some(leaf()), None])] {
        let request = CountLeavesRequest {
            leaves,
            first: Some(leaf()),
        };
        show(
            &mut lines,
            "count_leaves",
            &client.count_leaves(&request).await,
        );
    }
    show(&mut lines, "status", &client.status().await);
    for n in [vec![3], vec![1, -1, 2]] {
        let request = LinesRequest { text: text("n"), n };
        show(&mut lines, "lines", &client.lines(&request).await);
    }
    let card = Card {
        level: 2,
        key: text("k"),
    };
    let mut header = SoapHeader::from(card);
    header.actor = text("urn:next");
    header.must_understand = true;
    for card in [None, Some(header)] {
        let shown = client.show_card(&ShowCardHeaders { card }).await;
        show(&mut lines, "show_card", &shown);
    }
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
        let request = EnrollRequest { door: text("back") };
        let visits = EnrollHeaders {
            visit: visit.clone(),
        };
        let enrolled = client.enroll(&visits, &request).await;
        show(&mut lines, "enroll", &enrolled);
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

fn xml(markup: &str) -> XmlFragment {
    markup.parse().expect("XML")
}

fn objects() -> [Option<Object<AnyObject>>; 9] {
    let one = Object::Int(1);
    [
        None,
        Some(Object::String("a & b".to_owned())),
        Some(Object::Int(-7)),
        Some(Object::Boolean(true)),
        Some(Object::Decimal(decimal("1.50"))),
        Some(Object::DateTime(date("2024-02-29T12:34:56Z"))),
        Some(Object::Base64Binary(vec![1, 2])),
        Some(Object::Own(AnyObject::Person(Box::new(person())))),
        Some(Object::List(vec![Some(one), None])),
    ]
}

fn lists() -> Lists {
    Lists {
        numbers: vec![1, -2],
        genres: vec![Genre::Play, Genre::Novel],
        flat: vec![text("a"), None, text("")],
        more: vec![3, 4],
        names: Some(vec![text("b"), None]),
        numbered: Some(vec!["c".to_owned(), String::new()]),
        rows: Some(vec![Some(vec![1, 2]), None, Some(vec![])]),
        note: text("note"),
        keeper: Some(person()),
        day: "2024-02-29".parse().expect("a date"),
        hour: "12:34:56.7".parse().expect("a time"),
    }
}

fn label() -> Label {
    let mut label = Label {
        known: 1,
        first: text("f"),
        size: Size {
            height: 1,
            width: 2,
        },
        rest: vec![
            xml("<extra xmlns=\"urn:e\">1</extra>"),
            xml("<more xmlns=\"\" k=\"v\"><n /></more>"),
        ],
        last: text("l"),
        ..Label::default()
    };
    label.others.set("", "z", "2");
    label.others.set("urn:p", "q", "3 < 4");
    label
}

fn address() -> Address {
    Address {
        kind: text("k"),
        lang: text("en"),
        tag: text("t"),
        street: text("s"),
        zip: text("z"),
        country: text("c"),
        lines: Some(vec![text("1"), None]),
    }
}

fn leaf() -> Leaf {
    let other = Leaf {
        name: text("a & <b>"),
        genre: Genre::Poem,
        tags: Some(vec![]),
        initial: 'z',
        when: date("2024-02-29T12:34:56"),
        ..Leaf::default()
    };
    Leaf {
        name: text("root"),
        pages: Some(3),
        tags: Some(vec![text("x"), None, text("")]),
        data: Some(vec![0, 255]),
        id: "00000003-0002-0003-0405-060708090aff"
            .parse()
            .expect("a GUID"),
        left: Some(Box::new(other.clone())),
        others: Some(vec![
            Some(other.clone()),
            None,
            Some(Leaf {
                left: Some(Box::new(other)),
                ..Leaf::default()
            }),
        ]),
        ..Leaf::default()
    }
}

fn person() -> Person {
    Person {
        name: text("Ann"),
        phone: vec!["1".to_owned(), "2 <3>".to_owned()],
    }
}

fn sentence() -> Sentence {
    let word = |word: &str| SentenceParts::Word(word.to_owned());
    let parts = [
        word("a"),
        SentenceParts::Number(1),
        word("b"),
        word(""),
        SentenceParts::Person(person()),
    ];
    Sentence {
        parts: parts.into(),
    }
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
        lender: Some(person()),
        weight: 1e-7,
        lent: true,
        contact: Some(BookContact::Letter(person())),
        next: vec![Book::default()],
        ..Book::default()
    }
}
