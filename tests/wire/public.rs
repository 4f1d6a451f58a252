//! Services like public ASMX services: each is served and called over every binding, and reads the
//! samples of its documents strictly.

mod written;

use svcgen::types::{ColumnType, DataSet, DataTable, XmlFragment};
use svcgen::{Binding, Context, Fault};

use crate::shapes::samples::hold;

svcgen::include_service!("bookkeeping");
svcgen::include_service!("calculator");
svcgen::include_service!("currency_convertor");
svcgen::include_service!("daily_info");
svcgen::include_service!("exchange_services");
svcgen::include_service!("holiday_service2");
svcgen::include_service!("nfe_autorizacao4");
svcgen::include_service!("report_execution_service");
svcgen::include_service!("share_point_lists");
svcgen::include_service!("temp_convert");

const SOAP: &[Binding] = &[Binding::Soap11, Binding::Soap12];

/// Declares the test of a service: its module, names and definition, the bindings of the calls, and
/// its operations: the method, its headers and its request, if there are any, and its answer.
macro_rules! service {
    ($name:ident: $module:ident $handler:ident $server:ident $client:ident $definition:literal over $bindings:expr;
     $($method:ident $([$headers:ident])? $(($request:ident))? -> $answer:ty = $value:expr;)+) => {
        #[tokio::test]
        async fn $name() {
            use $module::*;

            struct Sample;

            impl $handler for Sample {
                $(async fn $method(&self, _: &Context $(, _: $headers)? $(, _: $request)?) -> Result<$answer, Fault> {
                    Ok($value)
                })+
            }

            for binding in $bindings {
                let transport = $server::new(Sample);
                let client = $client::new(transport, "http://localhost").unwrap();
                let client = client.with_binding(*binding);
                $({
                    let answer = client.$method($(&$headers::default(),)? $(&$request::default())?).await;
                    assert_eq!(answer.unwrap(), $value, "{} over {binding}", stringify!($method));
                })+
            }
            // A separate runtime waits for the answers.
            let held = std::thread::spawn(|| hold($definition, $server::new(Sample), &[]));
            held.join().unwrap();
        }
    };
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn xml(text: &str) -> Option<XmlFragment> {
    Some(text.parse().unwrap())
}

service! {
    converts_temperatures: temp_convert TempConvertHandler TempConvertServer TempConvertClient "public/temp_convert.yaml" over &Binding::DEFAULT;
    fahrenheit_to_celsius(FahrenheitToCelsiusRequest) -> Option<String> = text("37.5");
    celsius_to_fahrenheit(CelsiusToFahrenheitRequest) -> Option<String> = text("Error");
}

service! {
    calculates: calculator CalculatorHandler CalculatorServer CalculatorClient "public/calculator.yaml" over SOAP;
    add(AddRequest) -> i32 = 5;
    subtract(SubtractRequest) -> i32 = -5;
    multiply(MultiplyRequest) -> i32 = i32::MAX;
    divide(DivideRequest) -> i32 = 0;
}

service! {
    lists_holidays: holiday_service2 HolidayService2Handler HolidayService2Server HolidayService2Client "public/holiday_service.yaml" over &Binding::DEFAULT;
    get_countries_available -> Option<Vec<Option<CountryCode>>> = Some(vec![Some(CountryCode { code: text("Canada"), description: None }), None]);
    get_holidays_available(GetHolidaysAvailableRequest) -> Option<Vec<Option<HolidayCode>>> = Some(vec![]);
    get_holiday_date(GetHolidayDateRequest) -> svcgen::types::DateTime = "2024-12-25T00:00:00".parse().unwrap();
    get_holidays_for_year(GetHolidaysForYearRequest) -> Option<Vec<Option<Holiday>>> = Some(vec![Some(Holiday {
        country: Country::Scotland,
        descriptor: text("St Andrew's Day"),
        bank_holiday: BankHoliday::Recognized,
        applicable_regions: Some(vec![Some(RegionCode::default())]),
        ..Holiday::default()
    })]);
}

/// Returns the rates of a day.
fn rates() -> Option<DataSet> {
    let mut rates = DataTable::new("ValuteCursOnDate");
    rates.column::<String>("Vname");
    rates.add_column("Vnom", ColumnType::of_name("decimal")?);
    rates.add_column("Vcurs", ColumnType::of_name("decimal")?);
    rates.column::<i32>("Vcode").required();
    rates.column::<String>("VchCode").max_length(3);
    for (name, rate, code, letters) in
        [("Euro", "97.3074", 978, "EUR"), ("Yen", "60.4", 392, "JPY")]
    {
        let row = [
            name.into(),
            "1".into(),
            rate.into(),
            code.into(),
            letters.into(),
        ];
        rates.push(row).unwrap();
    }
    rates.accept_changes();
    Some(DataSet::new("ValuteData").with_table(rates))
}

service! {
    knows_rates: daily_info DailyInfoHandler DailyInfoServer DailyInfoClient "public/daily_info.yaml" over SOAP;
    get_curs_on_date(GetCursOnDateRequest) -> Option<DataSet> = rates();
    get_curs_on_date_xml(GetCursOnDateXmlRequest) -> Option<XmlFragment> = xml("<ValuteData OnDate=\"20240229\"><Vname>Euro</Vname></ValuteData>");
    get_curs_dynamic(GetCursDynamicRequest) -> Option<DataSet> = None;
    enum_valutes(EnumValutesRequest) -> Option<DataSet> = Some(DataSet::default());
    get_latest_date_time -> svcgen::types::DateTime = "2024-02-29T00:00:00".parse().unwrap();
}

service! {
    converts_currencies: currency_convertor CurrencyConvertorHandler CurrencyConvertorServer CurrencyConvertorClient "public/currency_convertor.yaml" over &Binding::DEFAULT;
    conversion_rate(ConversionRateRequest) -> f64 = 1.0825;
}

service! {
    executes_reports: report_execution_service ReportExecutionServiceHandler ReportExecutionServiceServer ReportExecutionServiceClient "public/report_execution.yaml" over SOAP;
    load_report[LoadReportHeaders](LoadReportRequest) -> (LoadReportResponse, LoadReportResponseHeaders) = (
        LoadReportResponse { execution_info: Some(ExecutionInfo { report_path: text("/Sales"), num_pages: 3, ..ExecutionInfo::default() }) },
        LoadReportResponseHeaders { execution_header: Some(ExecutionHeader { execution_id: text("x1") }), server_info_header: None },
    );
    set_execution_parameters[SetExecutionParametersHeaders](SetExecutionParametersRequest) -> (SetExecutionParametersResponse, SetExecutionParametersResponseHeaders) = Default::default();
    render[RenderHeaders](RenderRequest) -> (RenderResponse, RenderResponseHeaders) = (
        RenderResponse {
            result: Some(b"%PDF".to_vec()),
            mime_type: text("application/pdf"),
            warnings: Some(vec![Some(Warning { code: text("rsWarning"), ..Warning::default() })]),
            stream_ids: Some(vec![text("a"), None]),
            ..RenderResponse::default()
        },
        RenderResponseHeaders::default(),
    );
    list_secure_methods -> Option<Vec<Option<String>>> = Some(vec![text("Render")]);
}

service! {
    keeps_lists_of_xml: share_point_lists SharePointListsHandler SharePointListsServer SharePointListsClient "public/share_point_lists.yaml" over SOAP;
    get_list(GetListRequest) -> Option<XmlFragment> = xml("<List ID=\"{1}\"><Fields /></List>");
    get_list_collection -> Option<XmlFragment> = None;
    get_list_items(GetListItemsRequest) -> Option<XmlFragment> = xml("<listitems><rs:data xmlns:rs=\"urn:schemas-microsoft-com:rowset\" ItemCount=\"0\" /></listitems>");
    update_list_items(UpdateListItemsRequest) -> Option<XmlFragment> = xml("<Results />");
    add_attachment(AddAttachmentRequest) -> Option<String> = text("http://localhost/a.txt");
}

service! {
    keeps_books: bookkeeping BookkeepingHandler BookkeepingServer BookkeepingClient "public/bookkeeping.yaml" over SOAP;
    connect_(ConnectRequest) -> Option<String> = text("token");
    disconnect -> () = ();
    debtor_get_all -> Option<Vec<Option<DebtorHandle>>> = Some(vec![Some(DebtorHandle { number: text("1") })]);
    debtor_find_by_number(DebtorFindByNumberRequest) -> Option<DebtorHandle> = None;
    debtor_get_data_array(DebtorGetDataArrayRequest) -> Option<Vec<Option<DebtorData>>> = Some(vec![Some(DebtorData {
        handle: Some(DebtorHandle::default()),
        vat_zone: VatZone::Eu,
        credit_maximum: Some("12.50".parse().unwrap()),
        ..DebtorData::default()
    })]);
    debtor_create_from_data_array(DebtorCreateFromDataArrayRequest) -> Option<Vec<Option<DebtorHandle>>> = None;
    debtor_delete(DebtorDeleteRequest) -> () = ();
}

/// Returns the answer of Exchange for a message in the inbox, and for a deleted one.
fn items() -> exchange_services::GetItemResponseType {
    use exchange_services::*;

    let message = MessageType {
        item_id: Some(ItemIdType {
            id: text("AAMkAD=="),
            change_key: text("CQAAAB"),
        }),
        subject: text("Minutes"),
        body: Some(BodyType {
            body_type: BodyTypeType::Text,
            value: text("As agreed."),
        }),
        is_read: Some(false),
        ..MessageType::default()
    };
    let found = ItemInfoResponseMessageType {
        response_code: Some(ResponseCodeType::NoError),
        items: Some(ArrayOfRealItemsType {
            items: vec![ArrayOfRealItemsTypeItems::Message(Box::new(message))],
        }),
        ..ItemInfoResponseMessageType::default()
    };
    let gone = ItemInfoResponseMessageType {
        response_class: ResponseClassType::Error,
        message_text: text("The specified object was not found in the store."),
        response_code: Some(ResponseCodeType::ErrorItemNotFound),
        descriptive_link_key: Some(0),
        items: Some(ArrayOfRealItemsType::default()),
        ..ItemInfoResponseMessageType::default()
    };
    let items = [found, gone].map(ArrayOfResponseMessagesTypeItems::GetItemResponseMessage);
    GetItemResponseType {
        response_messages: Some(ArrayOfResponseMessagesType {
            items: items.into(),
        }),
    }
}

/// Returns the version of an Exchange server.
fn version() -> Option<exchange_services::ServerVersionInfo> {
    Some(exchange_services::ServerVersionInfo {
        major_version: Some(15),
        minor_version: Some(0),
        major_build_number: Some(847),
        minor_build_number: Some(31),
        version: text("V2_8"),
    })
}

service! {
    reads_mailboxes: exchange_services ExchangeServicesHandler ExchangeServicesServer ExchangeServicesClient "public/exchange_services.yaml" over SOAP;
    get_item[GetItemHeaders](GetItemRequest) -> (Option<GetItemResponseType>, GetItemResponseHeaders) = (
        Some(items()),
        GetItemResponseHeaders { server_version_info: version() },
    );
    find_folder[FindFolderHeaders](FindFolderRequest) -> (Option<FindFolderResponseType>, FindFolderResponseHeaders) = (
        Some(FindFolderResponseType {
            response_messages: Some(ArrayOfResponseMessagesType {
                items: vec![ArrayOfResponseMessagesTypeItems::FindFolderResponseMessage(FindFolderResponseMessageType {
                    root_folder: Some(FindFolderParentType {
                        total_items_in_view: Some(1),
                        includes_last_item_in_range: Some(true),
                        folders: Some(ArrayOfFoldersType { folders: vec![ArrayOfFoldersTypeFolders::CalendarFolder(CalendarFolderType::default())] }),
                    }),
                    ..FindFolderResponseMessageType::default()
                })],
            }),
        }),
        FindFolderResponseHeaders::default(),
    );
}

service! {
    authorizes_invoices: nfe_autorizacao4 NfeAutorizacao4Handler NfeAutorizacao4Server NfeAutorizacao4Client "public/nfe_autorizacao.yaml" over SOAP;
    nfe_autorizacao_lote(NfeAutorizacaoLoteRequest) -> Option<XmlFragment> = xml("<retEnviNFe versao=\"4.00\" xmlns=\"http://www.portalfiscal.inf.br/nfe\"><cStat>103</cStat></retEnviNFe>");
    nfe_autorizacao_lote_zip(NfeAutorizacaoLoteZipRequest) -> Option<XmlFragment> = None;
}
