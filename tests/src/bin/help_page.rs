//! Serves `definitions/valid/help_page.yaml` for `browser/`: answers with what it is sent. Says its URL on the first line.

use svcgen::documents::InvokeForm;
use svcgen::{Context, Documents, Fault, Secret};

svcgen::include_service!("help_page");

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
        Err(Fault::server("no <i>way</i>").with_detail(&detail))
    }

    async fn ping(&self, _: &Context) -> Result<(), Fault> {
        Ok(())
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/HelpPage.asmx", listener.local_addr()?);
    let documents = Documents::new().with_invoke_form(InvokeForm::FromLoopback);
    svcgen::serve(
        listener,
        HelpPageServer::new(Echo).with_documents(documents),
    )
    .await
}
