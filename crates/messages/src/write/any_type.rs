//! Values that contain their type.

use serde_json::Value as Json;
use svcgen::codegen::Content;
use svcgen_model::{SimpleType, TypeAt};

use super::given::only;
use super::{Item, WrittenBy};

impl Item<'_> {
    /// Writes a value of the type `anyType`.
    pub(super) fn any_type(&self, name: &str, out: &mut Content<'_>) {
        if self.given.json.as_str() == Some("Empty") {
            return out.empty_object(name);
        }
        let Some((kind, json)) = only(self.given.json) else {
            let what = "\"Empty\", or an object with one of Own, List, Array, Dictionary, Xml and the simple types";
            return self.given.refuse(what, out);
        };
        let inner = self.with(json, self.given.path.member(kind));
        match kind {
            "Own" => inner.own(name, out),
            "Xml" => inner.simple(SimpleType::Any, name, out),
            "List" => inner.object_items(SimpleType::AnyType, name, out),
            "Dictionary" => inner.dictionary(name, out, |key, value, out| match value.given.json {
                Json::Null => out.nil(key),
                _ => value.any_type(key, out),
            }),
            "Array" => match json.as_array().map(Vec::as_slice) {
                Some([Json::String(item), items]) if SimpleType::of_name(item).is_some() => {
                    let item = SimpleType::of_name(item).unwrap_or(SimpleType::String);
                    let items = inner.with(items, inner.given.path);
                    items.object_items(item, name, out);
                }
                _ => {
                    let what = "an array of the name of a simple type and an array";
                    inner.given.refuse(what, out);
                }
            },
            kind => {
                let simple = || SimpleType::ALL.iter().filter(|simple| !simple.is_xml());
                match simple().find(|simple| simple.variant() == kind) {
                    Some(simple) => out.object_value(name, *simple, &mut |name, out| {
                        inner.simple(*simple, name, out);
                    }),
                    None => {
                        let others = ["Own", "List", "Array", "Dictionary", "Xml"].into_iter();
                        let names = others.chain(simple().map(|simple| simple.variant()));
                        self.given.refuse_name("kind of value", kind, names, out);
                    }
                }
            }
        }
    }

    fn own(&self, name: &str, out: &mut Content<'_>) {
        let objects = self.given.known.objects(self.row);
        let Some((key, json)) = only(self.given.json) else {
            return self.given.refuse("an object with the name of a type", out);
        };
        let Some(index) = objects.position(key) else {
            let names = objects.keys.iter().copied();
            return self.given.refuse_name("type", key, names, out);
        };
        let item = self.with(json, self.given.path.member(key));
        let own = objects.types[index];
        let write = |name: &str, out: &mut Content<'_>| match own {
            TypeAt::Complex(complex) => item.object(complex, name, out),
            TypeAt::Enumeration(one) => item.enumeration(one, name, out),
            TypeAt::Simple(_) | TypeAt::List(_) | TypeAt::Dictionary(_) => {}
        };
        out.described(name, objects.names[index], &WrittenBy(write));
    }

    fn object_items(&self, item: SimpleType, name: &str, out: &mut Content<'_>) {
        let Json::Array(items) = self.given.json else {
            return self.given.refuse("an array", out);
        };
        out.object_list(name, item, &mut |name, out| {
            for (index, json) in items.iter().enumerate() {
                let one = self.with(json, self.given.path.item(index));
                match (json, only(json)) {
                    (Json::Null, _) => out.nil(name),
                    _ if item == SimpleType::AnyType => one.any_type(name, out),
                    (_, Some((kind, json))) if kind == item.variant() => {
                        one.with(json, one.given.path).simple(item, name, out);
                    }
                    _ => {
                        let what = format!("an object with {}", item.variant());
                        one.given.refuse(&what, out);
                    }
                }
            }
        });
    }
}
