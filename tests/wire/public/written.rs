//! Messages of callers of such services, and the answers, byte for byte.

use bytes::Bytes;
use http::{Request, Response};
use svcgen::transport::TransportError;
use svcgen::types::XmlFragment;
use svcgen::{Binding, Context, Fault, Transport};

use super::exchange_services::*;
use super::nfe_autorizacao4::*;
use super::{items, text, version, xml};

/// A transport that compares bodies with the expected ones.
struct Compared<A> {
    server: A,
    request: &'static str,
    response: &'static str,
}

impl<A: Transport + Sync> Transport for Compared<A> {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        assert_eq!(std::str::from_utf8(request.body()).unwrap(), self.request);
        let response = self.server.send(request).await?;
        assert_eq!(std::str::from_utf8(response.body()).unwrap(), self.response);
        Ok(response)
    }
}

/// Sends a message of another caller in SOAP 1.1.
async fn answer(server: &impl Transport, path: &str, action: &str, body: &'static str) -> String {
    let request = Request::post(path)
        .header("Content-Type", "text/xml; charset=utf-8")
        .header("SOAPAction", format!("\"{action}\""))
        .body(Bytes::from_static(body.as_bytes()));
    let response = server.send(request.unwrap()).await.unwrap();
    String::from_utf8(response.body().to_vec()).unwrap()
}

/// A mailbox with one requested item.
#[derive(Clone, Copy)]
struct Mailbox;

fn asked() -> (GetItemHeaders, GetItemRequest) {
    let headers = GetItemHeaders {
        request_server_version: Some(RequestServerVersion {
            version: ExchangeVersionType::Exchange2010Sp2,
        }),
    };
    let subject = PathToUnindexedFieldType {
        field_uri: text("item:Subject"),
    };
    let shape = ItemResponseShapeType {
        base_shape: DefaultShapeNamesType::IdOnly,
        body_type: Some(BodyTypeResponseType::Text),
        additional_properties: Some(NonEmptyArrayOfPathsToElementType {
            paths: vec![NonEmptyArrayOfPathsToElementTypePaths::FieldUri(subject)],
        }),
        ..ItemResponseShapeType::default()
    };
    let id = ItemIdType {
        id: text("AAMkAD=="),
        change_key: None,
    };
    let request = GetItemType {
        item_shape: Some(shape),
        item_ids: Some(NonEmptyArrayOfBaseItemIdsType {
            ids: vec![NonEmptyArrayOfBaseItemIdsTypeIds::ItemId(id)],
        }),
    };
    (
        headers,
        GetItemRequest {
            request: Some(request),
        },
    )
}

impl ExchangeServicesHandler for Mailbox {
    async fn get_item(
        &self,
        _: &Context,
        headers: GetItemHeaders,
        request: GetItemRequest,
    ) -> Result<(Option<GetItemResponseType>, GetItemResponseHeaders), Fault> {
        assert_eq!((headers, request), asked());
        let server_version_info = version();
        Ok((
            Some(items()),
            GetItemResponseHeaders {
                server_version_info,
            },
        ))
    }

    async fn find_folder(
        &self,
        _: &Context,
        _: FindFolderHeaders,
        _: FindFolderRequest,
    ) -> Result<(Option<FindFolderResponseType>, FindFolderResponseHeaders), Fault> {
        Err(Fault::client("no folder is asked for"))
    }
}

/// The request as written by a .NET proxy.
const GET_ITEM: &str = r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Header><RequestServerVersion Version="Exchange2010_SP2" xmlns="http://schemas.microsoft.com/exchange/services/2006/types" /></soap:Header><soap:Body><GetItem xmlns="http://schemas.microsoft.com/exchange/services/2006/messages"><ItemShape><BaseShape xmlns="http://schemas.microsoft.com/exchange/services/2006/types">IdOnly</BaseShape><BodyType xmlns="http://schemas.microsoft.com/exchange/services/2006/types">Text</BodyType><AdditionalProperties xmlns="http://schemas.microsoft.com/exchange/services/2006/types"><FieldURI FieldURI="item:Subject" /></AdditionalProperties></ItemShape><ItemIds><ItemId Id="AAMkAD==" xmlns="http://schemas.microsoft.com/exchange/services/2006/types" /></ItemIds></GetItem></soap:Body></soap:Envelope>"#;

/// The request as written by Microsoft's own library: all prefixes are declared on the envelope.
const GET_ITEM_PREFIXED: &str = r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:m="http://schemas.microsoft.com/exchange/services/2006/messages" xmlns:t="http://schemas.microsoft.com/exchange/services/2006/types" xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Header><t:RequestServerVersion Version="Exchange2010_SP2" /></soap:Header><soap:Body><m:GetItem><m:ItemShape><t:BaseShape>IdOnly</t:BaseShape><t:BodyType>Text</t:BodyType><t:AdditionalProperties><t:FieldURI FieldURI="item:Subject" /></t:AdditionalProperties></m:ItemShape><m:ItemIds><t:ItemId Id="AAMkAD==" /></m:ItemIds></m:GetItem></soap:Body></soap:Envelope>"#;

const ITEMS: &str = r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Header><ServerVersionInfo MajorVersion="15" MinorVersion="0" MajorBuildNumber="847" MinorBuildNumber="31" Version="V2_8" xmlns="http://schemas.microsoft.com/exchange/services/2006/types" /></soap:Header><soap:Body><GetItemResponse xmlns="http://schemas.microsoft.com/exchange/services/2006/messages"><ResponseMessages><GetItemResponseMessage ResponseClass="Success"><ResponseCode>NoError</ResponseCode><Items><Message xmlns="http://schemas.microsoft.com/exchange/services/2006/types"><ItemId Id="AAMkAD==" ChangeKey="CQAAAB" /><Subject>Minutes</Subject><Body BodyType="Text">As agreed.</Body><IsRead>false</IsRead></Message></Items></GetItemResponseMessage><GetItemResponseMessage ResponseClass="Error"><MessageText>The specified object was not found in the store.</MessageText><ResponseCode>ErrorItemNotFound</ResponseCode><DescriptiveLinkKey>0</DescriptiveLinkKey><Items /></GetItemResponseMessage></ResponseMessages></GetItemResponse></soap:Body></soap:Envelope>"#;

#[tokio::test]
async fn items_of_mailboxes_are_written_as_by_exchange() {
    let server = || ExchangeServicesServer::new(Mailbox);
    let transport = Compared {
        server: server(),
        request: GET_ITEM,
        response: ITEMS,
    };
    let client = ExchangeServicesClient::new(transport, "http://localhost").unwrap();
    let client = client.with_binding(Binding::Soap11);
    let (headers, request) = asked();
    let (came, _) = client.get_item(&headers, &request).await.unwrap();
    assert_eq!(came, Some(items()));
    let action = "http://schemas.microsoft.com/exchange/services/2006/messages/GetItem";
    let came = answer(&server(), "/EWS/Exchange.asmx", action, GET_ITEM_PREFIXED).await;
    assert_eq!(came, ITEMS);
}

/// An authority that accepts one batch of invoices.
#[derive(Clone, Copy)]
struct Authority;

const BATCH: &str = r#"<enviNFe versao="4.00" xmlns="http://www.portalfiscal.inf.br/nfe"><idLote>1</idLote><indSinc>0</indSinc><NFe><infNFe Id="NFe35" versao="4.00" /></NFe></enviNFe>"#;

const RECEIPT: &str = r#"<retEnviNFe versao="4.00" xmlns="http://www.portalfiscal.inf.br/nfe"><tpAmb>2</tpAmb><verAplic>SP_NFE_PL009_V4</verAplic><cStat>103</cStat><xMotivo>Lote recebido com sucesso</xMotivo><cUF>35</cUF></retEnviNFe>"#;

impl NfeAutorizacao4Handler for Authority {
    async fn nfe_autorizacao_lote(
        &self,
        _: &Context,
        request: NfeAutorizacaoLoteRequest,
    ) -> Result<Option<XmlFragment>, Fault> {
        assert_eq!(request.nfe_dados_msg, xml(BATCH));
        Ok(xml(RECEIPT))
    }

    async fn nfe_autorizacao_lote_zip(
        &self,
        _: &Context,
        _: NfeAutorizacaoLoteZipRequest,
    ) -> Result<Option<XmlFragment>, Fault> {
        Err(Fault::client("nothing is compressed"))
    }
}

const SENT: &str = r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body><nfeDadosMsg xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/NFeAutorizacao4"><enviNFe versao="4.00" xmlns="http://www.portalfiscal.inf.br/nfe"><idLote>1</idLote><indSinc>0</indSinc><NFe><infNFe Id="NFe35" versao="4.00" /></NFe></enviNFe></nfeDadosMsg></soap:Body></soap:Envelope>"#;

const ANSWERED: &str = r#"<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body><nfeResultMsg xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/NFeAutorizacao4"><retEnviNFe versao="4.00" xmlns="http://www.portalfiscal.inf.br/nfe"><tpAmb>2</tpAmb><verAplic>SP_NFE_PL009_V4</verAplic><cStat>103</cStat><xMotivo>Lote recebido com sucesso</xMotivo><cUF>35</cUF></retEnviNFe></nfeResultMsg></soap:Body></soap:Envelope>"#;

#[tokio::test]
async fn batches_of_invoices_are_written_as_by_the_authorities() {
    let transport = Compared {
        server: NfeAutorizacao4Server::new(Authority),
        request: SENT,
        response: ANSWERED,
    };
    let client = NfeAutorizacao4Client::new(transport, "http://localhost").unwrap();
    let client = client.with_binding(Binding::Soap12);
    let request = NfeAutorizacaoLoteRequest {
        nfe_dados_msg: xml(BATCH),
    };
    let came = client.nfe_autorizacao_lote(&request).await.unwrap();
    assert_eq!(came, xml(RECEIPT));
}
