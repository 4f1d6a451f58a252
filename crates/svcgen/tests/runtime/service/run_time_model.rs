//! A service whose model is built at run time, served and called like one with emitted code.

use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use svcgen::codegen::model::{
    At, Documentation, Module, Service, SimpleType, Storage, TypeRef, complex_type, element,
    operation,
};
use svcgen::codegen::{Call, Client, Dispatch, Dispatched, Endpoint, Model, ModelSource};
use svcgen::transport::TransportError;
use svcgen::{Binding, Transport};

/// Lends the rows of a module.
struct Lender {
    module: &'static Module<'static>,
    documentation: &'static Documentation<'static>,
}

impl ModelSource for Lender {
    fn service(&self) -> At<'_, Service<'_>> {
        At::service(self.module, Some(self.documentation)).unwrap()
    }
}

/// Builds a service with these operations, each of which returns text.
fn module<'a>(storage: &'a Storage<'a>, name: &'a str, operations: &'a [String]) -> Module<'a> {
    let operations = operations.iter().map(|name| {
        let texts = [format!("urn:names/{name}"), format!("{name}Response")];
        let [action, response] = texts.map(|text| &*text.leak());
        operation(name, action, complex_type(name, &[]), response)
            .result(
                element("Result", TypeRef::Simple(SimpleType::String)),
                "string",
            )
            .documented(1)
    });
    let operations = storage.operations.keep(operations);
    Module::new(&[], &[]).with_service(Service::new(name, "urn:names", "/Names.asmx", operations))
}

/// Returns the name of the operation.
struct Names;

impl Dispatch for Names {
    fn dispatch<'a>(&'a self, _: usize, mut call: Call<'a>) -> Dispatched<'a> {
        Box::pin(async move {
            call.read::<()>()?;
            let name = call.context().operation().name.to_owned();
            call.reply(&name)
        })
    }
}

/// Carries requests to an endpoint in the same process.
struct Direct(Endpoint);

impl Transport for Direct {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, TransportError> {
        Ok(self.0.answer(request).await)
    }
}

fn model() -> Model {
    let operations = ["First", "Second"].map(str::to_owned);
    let storage: &Storage<'_> = Box::leak(Box::default());
    let module = module(storage, "Names", Vec::leak(operations.into()));
    let documentation = Documentation {
        texts: storage.texts.keep(["Answers its own name."]),
        includes: &[],
    };
    Model::shared(Arc::new(Lender {
        module: storage.modules.keep_one(module),
        documentation: storage.documentation.keep_one(documentation),
    }))
}

#[tokio::test]
async fn is_served_and_called_over_every_binding() {
    let endpoint = Endpoint::new(model(), Arc::new(Names));
    for binding in Binding::DEFAULT {
        let client = Client::new(model(), Direct(endpoint.clone()), "http://localhost");
        let client = client.unwrap().with_binding(binding);
        for (index, name) in ["First", "Second"].into_iter().enumerate() {
            let answered: String = client
                .call(index, &(), &(), |answer| answer.read())
                .await
                .unwrap();
            assert_eq!(answered, name, "{binding}");
        }
    }
}

#[cfg(feature = "documents")]
#[tokio::test]
async fn has_documents() {
    let endpoint = Endpoint::new(model(), Arc::new(Names));
    let request = Request::get("/Names.asmx?wsdl").body(Bytes::new()).unwrap();
    let response = endpoint.answer(request).await;
    assert_eq!(response.status(), http::StatusCode::OK);
    let wsdl = String::from_utf8(response.into_body().into()).unwrap();
    assert!(wsdl.contains("name=\"SecondResponse\"") && wsdl.contains("Answers its own name."));
}
