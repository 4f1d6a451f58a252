//! The server of the mock, which answers calls and breaks answers.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};
use std::task::{Context, Poll};
use std::time::Instant;

use http::header::CONTENT_LENGTH;
use http::{Request, Response};
use svcgen::bytes::Bytes;
use svcgen::codegen::Endpoint;
use svcgen::mask::{Masked, OMITTED, Secrets};
use svcgen::serve::RequestBody;
use svcgen::{CallError, Fault, RemoteAddress, ServerOptions};
use svcgen_attachments::{Attachments, ServerAttachments};
use svcgen_messages::{Answer, Service};
use tokio::time::sleep;
use tower_layer::layer_fn;

use super::body::AnswerBody;
use super::exchange::{HandledCall, HandlerReport, LoggedCall, line};
use super::listener::Connections;
use super::recorded::RecordedCalls;
use super::rules::{BrokenAnswer, Rules};
use super::secrets::KeepsSecrets;
use super::{LoadedServices, ServerSettings};
use crate::queue::Queue;

/// Bytes that are not a message over any binding.
const GARBAGE: &[u8] = b"<<< \x00\xFF this is not a message";

/// The methods that the log shows.
const METHODS: [&str; 7] = ["GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"];

/// The sources of answers: rules, then recordings, or else samples.
pub(super) struct Answers {
    pub(super) rules: Rules,
    pub(super) recorded: Option<RecordedCalls>,
    pub(super) settings: Arc<ServerSettings>,
}

impl Answers {
    /// Creates the endpoint of a service that answers with them.
    pub(super) fn endpoint(self: &Arc<Self>, service: Service) -> Endpoint {
        let answers = Arc::clone(self);
        let endpoint = service.endpoint(move |request| {
            let answers = Arc::clone(&answers);
            async move { answers.answer(request).await }
        });
        let settings = &self.settings;
        let options = ServerOptions::new().with_documents(settings.documents.clone());
        let mut options = settings.headers.understood_by(options);
        if let Some(hosts) = &settings.allowed_hosts {
            options = options.with_allowed_hosts(hosts.iter().map(String::as_str));
        }
        let keeps = layer_fn(move |inner| KeepsSecrets { service, inner });
        let endpoint = endpoint.with_options(options).with_layer(keeps);
        let endpoint = endpoint.with_attachments(Attachments::new());
        settings.headers.around(endpoint)
    }

    async fn answer(&self, request: svcgen_messages::Request) -> Result<Answer, Fault> {
        let report = request.extensions.get::<HandlerReport>().cloned();
        let report = report.unwrap_or_default();
        let mut call = self.settings.is_logged.then(|| LoggedCall::of(&request));
        let (mut recorded, mut delay, mut effect) = (None, None, Default::default());
        let mut kept = Secrets::new();
        let answer = match (self.rules.play(&request), &self.recorded) {
            (Some(played), _) => {
                (delay, effect, kept) = (Some(played.delay), played.effect, played.secrets);
                played.answer
            }
            (None, None) => Ok(request.operation.sample_answer()),
            (None, Some(known)) => match known.answer(&request) {
                Err(nearest) => Err(Fault::exception(nearest)),
                Ok(response) => {
                    recorded = Some(response);
                    Ok(Answer::default())
                }
            },
        };
        if let Some(call) = &mut call {
            match &recorded {
                None => call.answered(&answer, &kept),
                Some(response) => {
                    let read = request.operation.read_answer(response, request.binding);
                    match read {
                        Ok(answer) => call.answered(&Ok(answer), &kept),
                        Err(CallError::Fault(fault)) => call.answered(&Err(fault), &kept),
                        Err(_) => {}
                    }
                }
            }
        }
        report.set(HandledCall {
            call,
            effect,
            recorded,
        });
        if let Some(delay) = delay.filter(|delay| !delay.is_zero()) {
            sleep(delay).await;
        }
        answer
    }
}

/// The currently served services, as a tower service.
#[derive(Clone)]
pub(super) struct Mock {
    served: Arc<RwLock<Arc<LoadedServices>>>,
    connections: Connections,
    /// The lines about calls to print.
    log: Option<Arc<Queue<String>>>,
}

impl Mock {
    pub(super) fn new(
        served: LoadedServices,
        connections: Connections,
        log: Option<Arc<Queue<String>>>,
    ) -> Self {
        Self {
            served: Arc::new(RwLock::new(Arc::new(served))),
            connections,
            log,
        }
    }

    /// Serves other services from the next call on.
    pub(super) fn serve(&self, served: LoadedServices) {
        *self.served.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(served);
    }

    fn finished(
        &self,
        response: Response<Bytes>,
        handled: HandledCall,
        caller: Option<SocketAddr>,
    ) -> Response<AnswerBody> {
        let mut response = handled.recorded.unwrap_or(response);
        if let Some(status) = handled.effect.status {
            *response.status_mut() = status;
        }
        for (name, value) in handled.effect.headers {
            response.headers_mut().insert(name, value);
        }
        match handled.effect.broken {
            None => response.map(AnswerBody::whole),
            Some(BrokenAnswer::Half) => response.map(AnswerBody::half),
            Some(BrokenAnswer::Reset) => {
                if let Some(caller) = caller {
                    self.connections.reset(caller);
                }
                response.map(AnswerBody::whole)
            }
            Some(BrokenAnswer::Garbage) => {
                response.headers_mut().remove(CONTENT_LENGTH);
                response.map(|_| AnswerBody::whole(Bytes::from_static(GARBAGE)))
            }
        }
    }
}

impl tower_service::Service<Request<RequestBody>> for Mock {
    type Response = Response<AnswerBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<AnswerBody>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<RequestBody>) -> Self::Future {
        let (begun, report) = (Instant::now(), HandlerReport::default());
        let caller = request.extensions().get::<RemoteAddress>();
        let caller = caller.map(|address| address.0);
        let (method, uri) = (request.method().clone(), request.uri().clone());
        request.extensions_mut().insert(report.clone());
        let served = {
            let served = self.served.read().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(&served)
        };
        let this = self.clone();
        Box::pin(async move {
            let mut router = served.router.clone();
            let Ok(response) = tower_service::Service::call(&mut router, request).await;
            let (head, body) = response.into_parts();
            let body = body.into_bytes().expect("no answer of a mock has a file");
            let response = Response::from_parts(head, body);
            let mut handled = report.take();
            let call = handled.call.take();
            let response = this.finished(response, handled, caller);
            if let Some(log) = &this.log {
                let asked = call.ok_or_else(|| {
                    let services = served.services.iter().map(|service| service.row());
                    let path = svcgen::mask::path(services, uri.path());
                    // Nothing is known about any other method, which is omitted.
                    let method = METHODS.iter().find(|known| method == **known);
                    let method = Masked::fixed(method.unwrap_or(&OMITTED));
                    method
                        .and(path)
                        .map(|(method, path)| format!("{method} {path}"))
                });
                let line = line(asked, response.status().as_u16(), begun.elapsed());
                log.push(line.len(), line);
            }
            Ok(response)
        })
    }
}
