//! Serves `definitions/valid/help_page.yaml` and others for `browser/`, and returns the parameters
//! of calls. Prints its URL on the first line.

use svcgen::documents::{InvokeForm, Theme};
use svcgen::serve::Health;
use svcgen::{Context, Documents, Fault, Router, Secret, ServerOptions};

svcgen::include_service!("encoded");
svcgen::include_service!("help_page");
svcgen::include_service!("namespaces");

use help_page::*;

struct Echo;

impl HelpPageHandler for Echo {
    async fn echo(
        &self,
        _: &Context,
        headers: EchoHeaders,
        request: EchoRequest,
    ) -> Result<(Everything, EchoResponseHeaders), Fault> {
        let answer = EchoResponseHeaders {
            session: headers.session,
        };
        Ok((request.value, answer))
    }

    async fn echo_animal(
        &self,
        _: &Context,
        request: EchoAnimalRequest,
    ) -> Result<AnyAnimal, Fault> {
        Ok(request.animal)
    }

    async fn flat(&self, _: &Context, request: FlatRequest) -> Result<Vec<String>, Fault> {
        Ok(vec![
            request.text,
            format!("{:?}", request.numbers),
            format!("{:?}", request.colour),
            format!("{:?}", request.maybe),
            request.yes.to_string(),
            format!("{:?}", request.bytes),
        ])
    }

    async fn hidden(&self, _: &Context, request: HiddenRequest) -> Result<Secret<String>, Fault> {
        let answer = format!("{:?} {}", *request.key, *request.word);
        Ok(Secret::from(answer.as_str()))
    }

    async fn notify(&self, _: &Context, _: NotifyRequest) -> Result<(), Fault> {
        Ok(())
    }

    async fn fail(&self, _: &Context) -> Result<i32, Fault> {
        let detail = Person {
            name: "Ada <b>".to_owned(),
            password: None,
        };
        Err(Fault::exception("no <i>way</i>").with_detail(&detail))
    }

    async fn ping(&self, _: &Context) -> Result<(), Fault> {
        Ok(())
    }
}

impl namespaces::NamespacesHandler for Echo {
    async fn echo(
        &self,
        _: &Context,
        namespaces::EchoRequest { order, region }: namespaces::EchoRequest,
    ) -> Result<namespaces::EchoResponse, Fault> {
        Ok(namespaces::EchoResponse { order, region })
    }
}

impl encoded::EncodedHandler for Echo {
    async fn echo(
        &self,
        _: &Context,
        headers: encoded::EchoHeaders,
        request: encoded::EchoRequest,
    ) -> Result<(encoded::EchoResponse, encoded::EchoResponseHeaders), Fault> {
        let answer = encoded::EchoResponse {
            echo_result: request.tree,
            sum: request.numbers.into_iter().flatten().sum(),
        };
        let ticket = headers.ticket;
        Ok((answer, encoded::EchoResponseHeaders { ticket }))
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/HelpPage.asmx", listener.local_addr()?);
    let documents = Documents::new().with_invoke_form(InvokeForm::FromLoopback);
    let namespaces = namespaces::NamespacesServer::new(Echo)
        .with_options(ServerOptions::new().with_strict(true))
        .with_documents(documents.clone());
    let encoded = encoded::EncodedServer::new(Echo)
        .with_options(ServerOptions::new().with_strict(true))
        .with_documents(documents.clone());
    let theme = Theme::new().with("accent", "#8a1538", "#ff9db5");
    let logo = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIyOCIgaGVpZ2h0PSIyOCI+PGNpcmNsZSBjeD0iMTQiIGN5PSIxNCIgcj0iMTIiIGZpbGw9IiM4YTE1MzgiLz48L3N2Zz4=";
    let dressed = (documents.clone())
        .with_version("2.1.0")
        .with_health_link("/readyz")
        .with_logo(logo)
        .expect("it is an image")
        .with_theme(theme.expect("these are colours"));
    let staff = svcgen_tests::pages::server().with_documents(dressed);
    let router = Router::new()
        .with_service(HelpPageServer::new(Echo).with_documents(documents))
        .with_service(encoded)
        .with_service(staff)
        .with_service(namespaces);
    svcgen::serve(listener, router)
        .with_health(Health::new())
        .await?;
    Ok(())
}
