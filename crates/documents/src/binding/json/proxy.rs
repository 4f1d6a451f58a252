//! Scripts for pages with Microsoft's AJAX library: a class with a function for each operation,
//! constructors of types and enumerations, byte for byte as ASP.NET writes them.

use std::collections::HashSet;
use std::fmt::{self, Write};

use svcgen_model::{At, Binding, Element, Operation, Service, SimpleType, TypeAt};

use super::sample::{Notation, notation};

/// Words that cannot name a parameter or a variable.
const RESERVED: &str = " arguments await break case catch class const continue debugger default delete do else enum eval export extends \
    false finally for function if implements import in instanceof interface let new null package private protected public return \
    static super switch this throw true try typeof var void while with yield ";

/// The parameters that every function has after those of its operation.
const CALLBACKS: &str = "succeededCallback, failedCallback, userContext";

/// Their descriptions in the script with comments.
const ABOUT_CALLBACKS: [&str; 3] = [
    "/// <param name=\"succeededCallback\" type=\"Function\" optional=\"true\" mayBeNull=\"true\"></param>",
    "/// <param name=\"failedCallback\" type=\"Function\" optional=\"true\" mayBeNull=\"true\"></param>",
    "/// <param name=\"userContext\" optional=\"true\" mayBeNull=\"true\"></param>",
];

/// The static properties of the class, and the description of each in the script with comments.
const PROPERTIES: [(&str, &str); 7] = [
    (
        "path",
        "type=\"String\" mayBeNull=\"true\">The service url.",
    ),
    ("timeout", "type=\"Number\">The service timeout."),
    (
        "defaultUserContext",
        "mayBeNull=\"true\">The service default user context.",
    ),
    (
        "defaultSucceededCallback",
        "type=\"Function\" mayBeNull=\"true\">The service default succeeded callback.",
    ),
    (
        "defaultFailedCallback",
        "type=\"Function\" mayBeNull=\"true\">The service default failed callback.",
    ),
    (
        "enableJsonp",
        "type=\"Boolean\">Specifies whether the service supports JSONP for cross domain calling.",
    ),
    (
        "jsonpCallbackParameter",
        "type=\"String\">Specifies the parameter name that contains the callback function name for a JSONP request.",
    ),
];

/// The script of a service at a path, which is percent-encoded, with comments if `commented`.
pub(super) fn proxy(service: At<'_, Service<'_>>, path: &str, commented: bool) -> String {
    let full = service.script.class.unwrap_or(service.row().name);
    let mut script = Script {
        service,
        class: client_name(full),
        commented,
        text: String::new(),
        namespaces: HashSet::new(),
    };
    script.class(full);
    script.statics(path);
    script.types();
    script.text
}

struct Script<'d> {
    service: At<'d, Service<'d>>,
    /// The name of the class in the script.
    class: String,
    commented: bool,
    text: String,
    /// The namespaces that are registered.
    namespaces: HashSet<String>,
}

/// Writes a line, with the line end of .NET.
macro_rules! line {
    ($script:expr, $($arguments:tt)*) => { $script.line(format_args!($($arguments)*)) };
}

impl<'d> Script<'d> {
    fn line(&mut self, line: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(line);
        self.text.push_str("\r\n");
    }

    fn operations(&self) -> impl Iterator<Item = At<'d, Operation<'d>>> + use<'d> {
        self.service.operations_over(Binding::Json)
    }

    /// Writes the class whose instances call operations.
    fn class(&mut self, full: &str) {
        self.register_namespace(full);
        let class = self.class.clone();
        let variable = variable(full);
        line!(self, "{variable}{class}=function() {{");
        line!(self, "{class}.initializeBase(this);");
        for (field, value) in [
            ("timeout", "0"),
            ("userContext", "null"),
            ("succeeded", "null"),
            ("failed", "null"),
        ] {
            line!(self, "this._{field} = {value};");
        }
        line!(self, "}}");
        line!(self, "{class}.prototype={{");
        line!(self, "_get_path:function() {{");
        line!(self, " var p = this.get_path();");
        line!(self, " if (p) return p;");
        self.text += &format!(" else return {class}._staticInstance.get_path();}}");
        for operation in self.operations() {
            self.text += ",\r\n";
            self.method(operation);
        }
        line!(self, "}}");
        line!(
            self,
            "{class}.registerClass('{class}',Sys.Net.WebServiceProxy);"
        );
    }

    fn method(&mut self, operation: At<'d, Operation<'d>>) {
        let name = property(operation.name);
        let arguments = arguments(operation);
        line!(self, "{name}:function({arguments}{CALLBACKS}) {{");
        self.about(operation);
        let by_get = operation.script.use_http_get;
        let parameters = operation.parameters().elements();
        let parameters = parameters.map(|parameter| {
            let name = parameter.row().field_name();
            format!("{}:{}", property(name), parameter_name(name))
        });
        let parameters: Vec<_> = parameters.collect();
        self.text += &format!(
            "return this._invoke(this._get_path(), '{}',{by_get},{{{}}},succeededCallback,failedCallback,userContext); }}",
            escaped(operation.name),
            parameters.join(","),
        );
    }

    /// Writes the description of the parameters of an operation, if comments are wanted.
    fn about(&mut self, operation: At<'d, Operation<'d>>) {
        if !self.commented {
            return;
        }
        for parameter in operation.parameters().elements() {
            let name = parameter_name(parameter.row().field_name());
            let (client, server) = self.types_of(parameter);
            let client = client.map_or_else(String::new, |client| format!(" type=\"{client}\""));
            line!(self, "/// <param name=\"{name}\"{client}>{server}</param>");
        }
        for about in ABOUT_CALLBACKS {
            line!(self, "{about}");
        }
    }

    /// The type of an element in the script, if it has one, and in .NET.
    fn types_of(&self, element: At<'d, Element<'d>>) -> (Option<String>, String) {
        let (one, is_list) = match element.type_at() {
            TypeAt::List(item) => (self.types_of(item), true),
            TypeAt::Dictionary(value) => {
                // Without the assemblies of its types, which are not in definitions.
                let (_, net) = self.types_of(value);
                let net = format!("System.Collections.Generic.Dictionary`2[System.String,{net}]");
                ((Some("Object".to_owned()), net), false)
            }
            TypeAt::Simple(simple) => {
                let net = simple.row().net;
                let client = match notation(simple) {
                    Notation::Text => Some("String"),
                    Notation::Bare if simple == SimpleType::Boolean => Some("Boolean"),
                    Notation::Bare => Some("Number"),
                    Notation::Date => Some("Date"),
                    Notation::Bytes => Some("Array"),
                    Notation::Any => None,
                };
                let is_kept_as_text = notation(simple) == Notation::Text && net == simple.name();
                let net = if is_kept_as_text {
                    "System.String"
                } else {
                    net
                };
                ((client.map(str::to_owned), net.to_owned()), false)
            }
            definition => {
                let mut known = self.service.script_classes();
                let known = known.find(|(known, ..)| *known == definition);
                let name = known.map_or(definition.name(), |(.., class)| class);
                ((known.map(|_| client_name(name)), name.to_owned()), false)
            }
        };
        if is_list || element.repeated || element.texts {
            return (Some("Array".to_owned()), format!("{}[]", one.1));
        }
        one
    }

    /// Writes the instance that the static functions of the class use, and these functions.
    fn statics(&mut self, path: &str) {
        let class = self.class.clone();
        let instance = format!("{class}._staticInstance");
        line!(self, "{instance} = new {class}();");
        for (name, about) in PROPERTIES {
            if self.commented {
                line!(self, "{class}.set_{name} = function(value) {{");
                line!(self, "{instance}.set_{name}(value); }}");
                line!(self, "{class}.get_{name} = function() {{ ");
                line!(self, "/// <value {about}</value>");
                line!(self, "return {instance}.get_{name}(); }}");
            } else {
                line!(
                    self,
                    "{class}.set_{name} = function(value) {{ {instance}.set_{name}(value); }}"
                );
                line!(
                    self,
                    "{class}.get_{name} = function() {{ return {instance}.get_{name}(); }}"
                );
            }
        }
        line!(self, "{class}.set_path(\"{}\");", escaped(path));
        for operation in self.operations() {
            let of = |object: &str| match property(operation.name) {
                quoted if quoted.starts_with('\'') => format!("{object}[{quoted}]"),
                name => format!("{object}.{name}"),
            };
            let arguments = arguments(operation);
            let arguments = format!("{arguments}onSuccess,onFailed,userContext");
            let (function, called) = (of(&class), of(&instance));
            let start = format!("{function}= function({arguments}) {{");
            if self.commented {
                line!(self, "{start}");
                self.about(operation);
            } else {
                self.text += &start;
            }
            line!(self, "{called}({arguments}); }}");
        }
    }

    /// Writes the constructors of the types that callers know, and the enumerations.
    fn types(&mut self) {
        let known: Vec<_> = self.service.script_classes().collect();
        let mut is_first = true;
        for (definition, id, full) in &known {
            if !matches!(definition, TypeAt::Complex(_)) {
                continue;
            }
            if std::mem::take(&mut is_first) {
                line!(
                    self,
                    "var gtc = Sys.Net.WebServiceProxy._generateTypedConstructor;"
                );
            }
            let (name, variable) = self.open(full);
            line!(self, "{variable}{name}=gtc(\"{}\");", escaped(id));
            line!(self, "{name}.registerClass('{name}');");
            line!(self, "}}");
        }
        for (definition, _, full) in known {
            let TypeAt::Enumeration(enumeration) = definition else {
                continue;
            };
            let (name, variable) = self.open(full);
            line!(
                self,
                "{variable}{name} = function() {{ throw Error.invalidOperation(); }}"
            );
            let values = enumeration.numbers().zip(enumeration.row().values);
            let values =
                values.map(|(number, value)| format!("{}: {number}", property(value.field_name())));
            let values: Vec<_> = values.collect();
            line!(self, "{name}.prototype = {{{}}}", values.join(","));
            line!(self, "{name}.registerEnum('{name}', true);");
            line!(self, "}}");
        }
    }

    /// Begins a block for a type that the page does not have yet. Returns its name in the script,
    /// and the keyword of its declaration.
    fn open(&mut self, full: &str) -> (String, &'static str) {
        self.register_namespace(full);
        let name = client_name(full);
        line!(self, "if (typeof({name}) === 'undefined') {{");
        (name, variable(full))
    }

    /// Registers the namespace of a class, unless it is registered already.
    fn register_namespace(&mut self, full: &str) {
        if let Some((namespace, _)) = full.rsplit_once('.') {
            let namespace = client_name(namespace);
            if self.namespaces.insert(namespace.clone()) {
                line!(self, "Type.registerNamespace('{namespace}');");
            }
        }
    }
}

/// The keyword that declares a class: one without a namespace is a variable.
fn variable(full: &str) -> &'static str {
    if full.contains('.') { "" } else { "var " }
}

/// The name of a class in a script. The `+` of a nested class becomes `_`.
fn client_name(full: &str) -> String {
    let parts = full.split('.').map(|part| {
        let is_kept =
            |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
        part.replace(|character| !is_kept(character), "_")
    });
    let name = parts.collect::<Vec<_>>().join(".");
    if is_reserved(&name) { name + "_" } else { name }
}

/// The name of a member of an object, in quotes if it is not an identifier.
fn property(name: &str) -> String {
    if is_identifier(name) && !is_reserved(name) {
        name.to_owned()
    } else {
        format!("'{}'", escaped(name))
    }
}

/// The name of a parameter of a function.
fn parameter_name(name: &str) -> String {
    let is_kept = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
    let mut name = name.replace(|character| !is_kept(character), "_");
    if is_reserved(&name) {
        name.push('_');
    }
    name
}

/// The parameters of the function of an operation, each followed by a comma.
fn arguments(operation: At<'_, Operation<'_>>) -> String {
    let parameters = operation.parameters().elements();
    let names = parameters.map(|parameter| parameter_name(parameter.row().field_name()) + ",");
    names.collect()
}

fn is_identifier(name: &str) -> bool {
    let is_one = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
    name.chars().all(is_one) && !name.starts_with(|first: char| first.is_numeric())
}

fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&format!(" {name} "))
}

/// Escapes text for quotes in a script.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '"' | '\'' | '\\' => escaped.extend(['\\', character]),
            '<' | '\0'..='\x1f' | '\u{2028}' | '\u{2029}' => {
                escaped += &format!("\\u{:04x}", u32::from(character));
            }
            _ => escaped.push(character),
        }
    }
    escaped
}
