//! Results in XML instead of JSON (`ResponseFormat.Xml` in .NET).

use svcgen_model::{self as model, Operation, ResponseFormat, Service, SimpleType, TypeRef};

use svcgen_wire::Content;
use svcgen_wire::WriteError;
use svcgen_wire::internals::Rows;
use svcgen_wire::internals::Sink;
use svcgen_wire::internals::{Levels, TimeZone};

const DECLARATION: &str = r#"<?xml version="1.0" encoding="utf-8"?>"#;

/// Writes the result of an operation, which `result` writes as an element with a name: a text
/// unchanged, unless the operation specifies otherwise, any other value as .NET serializes it by
/// itself, on one line and with elements of the service's namespace in none. Returns whether there
/// is a value.
///
/// # Errors
///
/// XML cannot carry the value.
pub fn write_xml<'m>(
    out: &mut Vec<u8>,
    (service, operation): (&Service<'m>, &Operation<'m>),
    row: &model::Element<'m>,
    result: &mut dyn FnMut(&str, &mut Content<'_>),
) -> Result<bool, WriteError> {
    let is_text = matches!(row.type_ref, TypeRef::Simple(simple) if simple.is_text());
    if is_text && !row.texts && operation.script.response_format == ResponseFormat::Xml {
        let mut text = Text { is_there: false };
        let mut content = Content::of_sink(out, &mut text);
        result(row.name, &mut content);
        content.finish()?;
        return Ok(text.is_there);
    }
    let root = operation.root_row(row);
    let declared = (NO_NAMESPACE, service.scope().1);
    let rows = Rows::new(declared, std::slice::from_ref(&root));
    let levels = Levels::new(rows.declared, rows, 1);
    let mut content = Content::compact(out);
    content.any_characters = true;
    content.raw(DECLARATION);
    let start = content.len();
    if row.type_ref.is_document() {
        content.write_document(row.name, &mut |out| result(operation.root, out));
    } else {
        content = content.with_levels(Some(levels));
        content.time_zone = TimeZone::of(service);
        content.list_names = service.list_names;
        content.items = operation.items_over_http();
        let declares_schema = row.type_ref.declares_schema();
        let write = &mut |out: &mut Content<'_>| result(operation.root, out);
        content.write_root_value(declares_schema, NO_NAMESPACE, write);
    }
    let is_there = content.len() > start;
    content.finish()?;
    Ok(is_there)
}

const NO_NAMESPACE: &str = "";

/// Takes a text unchanged.
struct Text {
    is_there: bool,
}

impl Sink for Text {
    fn simple(&mut self, out: &mut Vec<u8>, _: &str, _: SimpleType, text: &[u8]) {
        self.is_there = true;
        out.extend_from_slice(text);
    }

    // Values other than texts do not occur in a type of text.
    fn bytes(&mut self, _: &mut Vec<u8>, _: &str, _: &[u8]) {}
    fn number(&mut self, _: &mut Vec<u8>, _: &str, _: i64) {}
    fn absent(&mut self, _: &mut Vec<u8>, _: &str) {}
    fn start_object(&mut self, _: &mut Vec<u8>, _: &str) {}
    fn end_object(&mut self, _: &mut Vec<u8>) {}
    fn start_list(&mut self, _: &mut Vec<u8>, _: &str) {}
    fn end_list(&mut self, _: &mut Vec<u8>) {}
    fn start_dictionary(&mut self, _: &mut Vec<u8>, _: &str) {}
    fn end_dictionary(&mut self, _: &mut Vec<u8>) {}
    fn derived(&mut self, _: &'static str) {}
}

#[cfg(test)]
mod tests {
    use svcgen_model::{
        At, ComplexType, Element as Row, Module, Operation, ResponseFormat, ScriptMethod, Service,
        SimpleType, TypeId, TypeRef, complex_type, element, operation,
    };

    use super::write_xml;
    use svcgen_wire::ReadError;
    use svcgen_wire::{Complex, Content, Element, Fields, Value};

    const SPOT: TypeRef<'static> = TypeRef::Complex(TypeId::own(0));

    static MODULE: Module<'static> = Module::new(
        &[complex_type(
            "Spot",
            &[
                element("X", TypeRef::Simple(SimpleType::Int)),
                element("Y", TypeRef::Simple(SimpleType::Int)),
            ],
        )],
        &[],
    );

    #[derive(Default)]
    struct Spot(i32, i32);

    impl Complex for Spot {
        const TYPE: &'static ComplexType<'static> = &MODULE.types[0];
    }

    impl Fields for Spot {
        fn read_element(&mut self, _: usize, _: &mut Element<'_>) -> Result<(), ReadError> {
            Ok(())
        }

        fn write_elements(&self, out: &mut Content<'_>) {
            out.element("X", &self.0);
            out.element("Y", &self.1);
        }
    }

    /// Writes a result; `None` if it is absent.
    fn written<T: Value>(
        format: ResponseFormat,
        row: Row<'static>,
        root: &'static str,
        value: &T,
    ) -> Option<String> {
        let script = ScriptMethod {
            response_format: format,
            ..ScriptMethod::default()
        };
        let operations: [Operation<'_>; 1] =
            [
                operation("Op", "urn:s/Op", ComplexType::EMPTY, "OpResponse")
                    .result(row, root)
                    .script(script),
            ];
        let module = MODULE.with_service(Service::new("S", "urn:s", "/S.asmx", &operations));
        let service = At::service(&module, None).unwrap();
        let mut out = Vec::new();
        let write = &mut |name: &str, out: &mut Content<'_>| out.element(name, value);
        let is_there = write_xml(&mut out, (&service, &operations[0]), &row, write).unwrap();
        is_there.then(|| String::from_utf8(out).unwrap())
    }

    #[test]
    fn writes_results_as_net_does() {
        use ResponseFormat::{Xml, XmlString};
        let string = || element("OpResult", TypeRef::Simple(SimpleType::String)).omitted();
        let text = Some("<a>&é</a>".to_owned());
        assert_eq!(written(Xml, string(), "string", &text), text);
        let empty = Some(String::new());
        assert_eq!(written(Xml, string(), "string", &empty), empty);
        let expected =
            r#"<?xml version="1.0" encoding="utf-8"?><string>&lt;a&gt;&amp;é&lt;/a&gt;</string>"#;
        let serialized = written(XmlString, string(), "string", &text);
        assert_eq!(serialized.as_deref(), Some(expected));
        let int = element("OpResult", TypeRef::Simple(SimpleType::Int));
        let expected = r#"<?xml version="1.0" encoding="utf-8"?><int>5</int>"#;
        assert_eq!(written(Xml, int, "int", &5).as_deref(), Some(expected));
        let spot = element("OpResult", SPOT);
        let expected = r#"<?xml version="1.0" encoding="utf-8"?><Spot xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><X>1</X><Y>2</Y></Spot>"#;
        let spot = written(Xml, spot, "Spot", &Spot(1, 2));
        assert_eq!(spot.as_deref(), Some(expected));
    }

    #[test]
    fn says_that_there_is_no_value() {
        for format in [ResponseFormat::Xml, ResponseFormat::XmlString] {
            let string = element("OpResult", TypeRef::Simple(SimpleType::String)).omitted();
            assert_eq!(written(format, string, "string", &None::<String>), None);
            let spot = element("OpResult", SPOT).omitted();
            assert_eq!(written(format, spot, "Spot", &None::<Spot>), None);
        }
    }

    #[test]
    fn names_derived_types_without_a_prefix() {
        struct Derived;
        impl Value for Derived {
            fn read(&mut self, _: &mut Element<'_>) -> Result<(), ReadError> {
                Ok(())
            }
            fn write(&self, name: &str, out: &mut Content<'_>) {
                out.derived(name, "Derived", &Spot(1, 2));
            }
        }
        let written = written(ResponseFormat::Xml, element("R", SPOT), "Spot", &Derived);
        let written = written.unwrap();
        assert!(written.contains(" xsi:type=\"Derived\">"), "{written}");
        assert!(
            !written.contains("xmlns=") && !written.contains("xmlns:q1"),
            "{written}"
        );
    }
}
