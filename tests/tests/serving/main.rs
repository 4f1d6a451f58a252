//! Servers and clients at work: sockets, documents, the help page, and what hostile peers send.

mod calls;
mod certificates;
mod client_calls;
mod client_requests;
mod connections;
mod described;
mod documents;
mod failing_services;
mod fixture_programs;
mod framing;
mod help_page;
mod hostile;
mod hostile_answers;
mod https;
mod mask;
mod mounting;
mod openapi;
mod references;
mod serving;
mod simulated;
mod times;
mod tls;
mod worker;
mod wsdl;
