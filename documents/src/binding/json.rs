//! JSON: parameters and results as `application/json`.

use svcgen_model::{At, Element, Operation};

use super::{Documented, response, with_body};
use crate::escape::percent_encoded;
use crate::markup::Samples;
use crate::template::Template;

pub(super) static JSON: Json = Json;

pub(super) struct Json;

const CONTENT_TYPE: &str = "application/json; charset=utf-8";

impl Documented for Json {
    fn request<'d>(
        &self,
        samples: &'d Samples<'d>,
        operation: At<'d, Operation<'d>>,
        host: &str,
    ) -> Template {
        let path = format!("{}/{}", samples.path, percent_encoded(operation.name));
        let start = format!("POST {path} HTTP/1.1\nHost: {host}\nContent-Type: {CONTENT_TYPE}\n");
        let mut body = Template::default();
        body.text("{}");
        with_body(&start, "", &body)
    }

    fn response<'d>(&self, _: &'d Samples<'d>, _: At<'d, Operation<'d>>) -> Template {
        let mut body = Template::default();
        body.text("{\"d\":null}");
        response("200 OK", CONTENT_TYPE, &body)
    }

    fn failure<'d>(
        &self,
        _: &'d Samples<'d>,
        _: Option<At<'d, Operation<'d>>>,
        _: Option<At<'d, Element<'d>>>,
    ) -> Template {
        let mut body = Template::default();
        body.text("{\"Message\":\"");
        body.placeholder("string");
        body.text("\",\"StackTrace\":\"\",\"ExceptionType\":\"\"}");
        response("500 Internal Server Error", CONTENT_TYPE, &body)
    }

    fn request_data<'o>(&self, _: &Operation<'o>) -> Vec<(&'static str, &'o str)> {
        vec![("method", "POST")]
    }
}
