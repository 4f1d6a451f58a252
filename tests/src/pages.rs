//! The service of `definitions/valid/staff.yaml`, for page scripts, which returns its parameters.

use svcgen::{Context, Fault, Secret};

use crate::staff::*;

/// Returns its parameters.
#[derive(Debug, Clone, Copy)]
pub struct Echo;

/// Returns the service.
pub fn server() -> StaffServer<Echo> {
    StaffServer::new(Echo)
}

impl StaffHandler for Echo {
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Option<String>, Fault> {
        Ok(request.text)
    }

    async fn sum(&self, _: &Context, request: SumRequest) -> Result<i64, Fault> {
        Ok(i64::from(request.a) + request.b)
    }

    async fn save(
        &self,
        _: &Context,
        request: SaveRequest,
    ) -> Result<Option<Vec<Option<AnyPerson>>>, Fault> {
        let people = request.person.map(Some).into_iter();
        Ok(Some(
            people.chain(request.more.unwrap_or_default()).collect(),
        ))
    }

    async fn find(&self, _: &Context, request: FindRequest) -> Result<Option<AnyPerson>, Fault> {
        Ok(request.name.map(|name| {
            AnyPerson::from(Manager {
                name: Some(name),
                born: request.born,
                level: 7,
                ..Manager::default()
            })
        }))
    }

    async fn fail(&self, _: &Context, request: FailRequest) -> Result<String, Fault> {
        Err(Fault::exception(request.why))
    }

    async fn as_xml(&self, _: &Context, request: AsXmlRequest) -> Result<Note, Fault> {
        Ok(Note { text: request.text })
    }

    async fn unlock(&self, _: &Context, request: UnlockRequest) -> Result<Secret<String>, Fault> {
        Ok(request.key)
    }
}
