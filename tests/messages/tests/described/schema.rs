//! A validator of messages by the schemas in a WSDL: the rules of XML Schema for elements,
//! attributes, types and simple values, except identity constraints, counts of characters and
//! patterns.

use std::collections::HashMap;

use roxmltree::{Document, Node};
use svcgen_model::SimpleType;

pub const XS: &str = "http://www.w3.org/2001/XMLSchema";
const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

type Name = (String, String);
type Checked = Result<(), String>;

/// The global components of the schemas in a document.
pub struct Schemas<'w> {
    /// By their kind: `element`, `attribute`, or `type` for simple and complex types.
    global: HashMap<(&'static str, Name), Node<'w, 'w>>,
    /// Whether placeholders are in the place of values, and parts may be missing.
    is_for_samples: bool,
}

/// The particles of an element's content.
type Particles<'w> = Vec<Node<'w, 'w>>;

impl<'w> Schemas<'w> {
    pub fn of(document: &'w Document<'w>) -> Self {
        let mut global = HashMap::new();
        let schemas = document.descendants().filter(|node| is(*node, "schema"));
        for schema in schemas {
            let namespace = schema.attribute("targetNamespace").unwrap_or_default();
            for component in schema.children().filter(Node::is_element) {
                let kind = match component.tag_name().name() {
                    "element" => "element",
                    "attribute" => "attribute",
                    "complexType" | "simpleType" => "type",
                    _ => continue,
                };
                let name = component.attribute("name").unwrap_or_default();
                global.insert((kind, named(namespace, name)), component);
            }
        }
        Self {
            global,
            is_for_samples: false,
        }
    }

    /// Returns schemas for samples, in which placeholders are in the place of values, so that only
    /// names and texts are checked.
    pub fn for_samples(self) -> Self {
        Self {
            is_for_samples: true,
            ..self
        }
    }

    /// Checks an element that has a global declaration.
    pub fn element(&self, element: Node<'_, '_>) -> Checked {
        match self.global.get(&("element", name_of(element))) {
            Some(declaration) => self.by_declaration(element, *declaration),
            None => Err(format!("{:?} is declared nowhere", name_of(element))),
        }
    }

    /// Checks an element by the type that an attribute of a declaration names.
    pub fn of_type(&self, element: Node<'_, '_>, declaration: Node<'w, 'w>) -> Checked {
        match declaration.attribute("type") {
            Some(type_name) => self.by_type(element, &resolved(declaration, type_name)),
            None => Ok(()),
        }
    }

    fn by_declaration(&self, element: Node<'_, '_>, declaration: Node<'w, 'w>) -> Checked {
        if let Some(nil) = element.attribute((XSI, "nil")) {
            let nil = nil == "true";
            if nil && declaration.attribute("nillable") != Some("true") {
                return Err(format!("{:?} is nil and may not be", name_of(element)));
            }
            if nil {
                return empty(element);
            }
        }
        if let Some(anonymous) = child(declaration, &["complexType", "simpleType"]) {
            return self.by_definition(element, anonymous);
        }
        self.of_type(element, declaration)
    }

    fn by_type(&self, element: Node<'_, '_>, declared: &Name) -> Checked {
        let given = element.attribute((XSI, "type"));
        let given = given.map(|given| resolved(element, given));
        let name = given.as_ref().unwrap_or(declared);
        if name.0 == XS {
            if name.1 == "anyType" {
                return Ok(());
            }
            return text_alone(element).and_then(|text| self.simple(&name.1, &text));
        }
        match self.global.get(&("type", name.clone())) {
            Some(definition) => self.by_definition(element, *definition),
            None => Err(format!("the type {name:?} is defined nowhere")),
        }
    }

    fn by_definition(&self, element: Node<'_, '_>, definition: Node<'w, 'w>) -> Checked {
        let within = |wrong| format!("{} > {wrong}", element.tag_name().name());
        if definition.tag_name().name() == "simpleType" {
            let text = text_alone(element).map_err(within)?;
            return self.simple_type(definition, &text).map_err(within);
        }
        if definition.attribute("abstract") == Some("true") {
            return Err(within("its type is abstract".to_owned()));
        }
        self.attributes(element, definition).map_err(within)?;
        if let Some(base) = self.simple_content(definition) {
            let text = text_of(element);
            return self.simple_by_name(&base, &text).map_err(within);
        }
        if !self.is_for_samples && !self.is_mixed(definition) {
            let mut texts = element.children().filter(Node::is_text);
            if texts.any(|text| !text.text().unwrap_or_default().trim().is_empty()) {
                return Err(within("there is text between elements".to_owned()));
            }
        }
        self.content(element, &self.particles(definition))
            .map_err(within)
    }

    /// Returns the type that a complex type extends or restricts.
    fn base(&self, definition: Node<'w, 'w>) -> Option<(Name, Node<'w, 'w>)> {
        let content = child(definition, &["complexContent", "simpleContent"])?;
        let derivation = child(content, &["extension", "restriction"])?;
        let base = resolved(derivation, derivation.attribute("base")?);
        Some((base, derivation))
    }

    /// Returns the simple type of the text in a type with simple content.
    fn simple_content(&self, definition: Node<'w, 'w>) -> Option<Name> {
        child(definition, &["simpleContent"])?;
        let (base, _) = self.base(definition)?;
        let of_base = self.global.get(&("type", base.clone()));
        let complex = of_base.filter(|of_base| of_base.tag_name().name() == "complexType");
        complex.map_or(Some(base), |of_base| self.simple_content(*of_base))
    }

    fn is_mixed(&self, definition: Node<'w, 'w>) -> bool {
        let content = child(definition, &["complexContent"]);
        let mut nodes = [Some(definition), content].into_iter().flatten();
        nodes.any(|node| node.attribute("mixed") == Some("true"))
    }

    /// Returns the particles of a type, starting with those of its base.
    fn particles(&self, definition: Node<'w, 'w>) -> Particles<'w> {
        let groups = ["sequence", "choice", "all"];
        let Some((base, derivation)) = self.base(definition) else {
            return child(definition, &groups).into_iter().collect();
        };
        let mut particles = Vec::new();
        if derivation.tag_name().name() == "extension"
            && let Some(of_base) = self.global.get(&("type", base))
        {
            particles = self.particles(*of_base);
        }
        particles.extend(child(derivation, &groups));
        particles
    }

    fn content(&self, element: Node<'_, '_>, particles: &Particles<'w>) -> Checked {
        let children: Vec<_> = element.children().filter(Node::is_element).collect();
        let mut ends = vec![0];
        for particle in particles {
            ends = self.all_from(&ends, |at| self.matched(*particle, &children, at));
        }
        if !self.is_for_samples && !ends.contains(&children.len()) {
            let names: Vec<_> = children.iter().map(|child| name_of(*child)).collect();
            return Err(format!(
                "the schema does not have these children there: {names:?}"
            ));
        }
        let mut declared = particles.iter().flat_map(Node::descendants);
        let declared: Vec<_> = declared
            .by_ref()
            .filter(|node| is(*node, "element"))
            .collect();
        for child in children {
            match declared.iter().find_map(|one| self.declares(*one, child)) {
                Some(declaration) => self.by_declaration(child, declaration)?,
                // A wildcard matches the child; its content is checked if it has a global
                // declaration.
                None if self.global.contains_key(&("element", name_of(child))) => {
                    self.element(child)?
                }
                None if self.is_for_samples && !declared_any(particles) => {
                    return Err(format!("{:?} is not declared there", name_of(child)));
                }
                None => {}
            }
        }
        Ok(())
    }

    fn all_from(&self, starts: &[usize], ends: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
        let mut all: Vec<_> = starts.iter().flat_map(|at| ends(*at)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the indices at which a particle may end that starts at an index of the children.
    fn matched(&self, particle: Node<'w, 'w>, children: &[Node<'_, '_>], at: usize) -> Vec<usize> {
        let least = particle
            .attribute("minOccurs")
            .map_or(1, |least| least.parse().unwrap());
        let most = match particle.attribute("maxOccurs") {
            Some("unbounded") => usize::MAX,
            most => most.map_or(1, |most| most.parse().unwrap()),
        };
        let mut reached = vec![at];
        let mut ends = if least == 0 { vec![at] } else { Vec::new() };
        for count in 1..=most {
            let next = self.all_from(&reached, |at| self.once(particle, children, at));
            let next: Vec<_> = next
                .into_iter()
                .filter(|end| !reached.contains(end))
                .collect();
            // A particle that matches nothing can occur as often as required.
            if next.is_empty() {
                let nothing = self.once(particle, children, at).contains(&at);
                ends.extend((nothing && count <= least).then_some(at));
                break;
            }
            if count >= least {
                ends.extend(&next);
            }
            reached = next;
        }
        ends
    }

    fn once(&self, particle: Node<'w, 'w>, children: &[Node<'_, '_>], at: usize) -> Vec<usize> {
        let inner = particle
            .children()
            .filter(|node| node.is_element() && !is(*node, "annotation"));
        let next = children.get(at).copied();
        match particle.tag_name().name() {
            "element" => {
                let fits = next
                    .and_then(|next| self.declares(particle, next))
                    .is_some();
                if fits { vec![at + 1] } else { Vec::new() }
            }
            "any" => {
                let fits = next.is_some_and(|next| admits(particle, next));
                if fits { vec![at + 1] } else { Vec::new() }
            }
            "choice" => {
                let mut ends: Vec<_> = inner
                    .flat_map(|one| self.matched(one, children, at))
                    .collect();
                ends.dedup();
                ends
            }
            "sequence" => inner.fold(vec![at], |starts, one| {
                self.all_from(&starts, |at| self.matched(one, children, at))
            }),
            "all" => {
                let mut left: Vec<_> = inner.collect();
                let mut end = at;
                while let Some(next) = children.get(end)
                    && let Some(index) = left
                        .iter()
                        .position(|one| self.declares(*one, *next).is_some())
                {
                    left.remove(index);
                    end += 1;
                }
                let is_whole = left
                    .iter()
                    .all(|one| one.attribute("minOccurs") == Some("0"));
                if is_whole { vec![end] } else { Vec::new() }
            }
            other => panic!("the schema has a particle `{other}`"),
        }
    }

    /// Returns the declaration of an element by a particle: its own, the one that it refers to, or
    /// a member of its substitution group.
    fn declares(&self, particle: Node<'w, 'w>, element: Node<'_, '_>) -> Option<Node<'w, 'w>> {
        let name = name_of(element);
        let Some(reference) = particle.attribute("ref") else {
            return (local_name(particle) == name).then_some(particle);
        };
        let head = resolved(particle, reference);
        let declaration = *self.global.get(&("element", name.clone()))?;
        let group = declaration.attribute("substitutionGroup");
        let group = group.map(|group| resolved(declaration, group));
        let is_concrete = declaration.attribute("abstract") != Some("true");
        (is_concrete && (name == head || group == Some(head))).then_some(declaration)
    }

    fn attributes(&self, element: Node<'_, '_>, definition: Node<'w, 'w>) -> Checked {
        let mut declared = Vec::new();
        let mut is_open = false;
        let mut next = Some(definition);
        while let Some(definition) = next {
            let base = self.base(definition);
            let holder = base
                .as_ref()
                .map_or(definition, |(_, derivation)| *derivation);
            declared.extend(holder.children().filter(|node| is(*node, "attribute")));
            is_open |= child(holder, &["anyAttribute"]).is_some();
            next = base.and_then(|(base, _)| self.global.get(&("type", base)).copied());
        }
        for attribute in element.attributes() {
            let namespace = attribute.namespace().unwrap_or_default();
            // Attributes of the envelope's namespace are on headers, whose types in the original
            // allow them.
            if namespace == XSI
                || namespace.contains("soap-envelope")
                || namespace.contains("soap/envelope")
            {
                continue;
            }
            let name = named(namespace, attribute.name());
            let is_it = |one: &&Node<'w, 'w>| match one.attribute("ref") {
                Some(reference) => resolved(**one, reference) == name,
                None => local_name(**one) == name,
            };
            match declared.iter().find(is_it) {
                Some(one) => {
                    let global = || self.global.get(&("attribute", name.clone())).copied();
                    let one = one.attribute("ref").map_or(Some(*one), |_| global());
                    let Some(one) = one else { continue };
                    let text = attribute.value();
                    match (child(one, &["simpleType"]), one.attribute("type")) {
                        (Some(anonymous), _) => self.simple_type(anonymous, text)?,
                        (None, Some(type_name)) => {
                            self.simple_by_name(&resolved(one, type_name), text)?
                        }
                        (None, None) => {}
                    }
                }
                None if is_open => {}
                None => return Err(format!("the schema has no attribute {name:?}")),
            }
        }
        let is_required =
            |one: &&Node<'w, 'w>| !self.is_for_samples && one.attribute("use") == Some("required");
        for one in declared.iter().filter(is_required) {
            let reference = one.attribute("ref").map(|name| resolved(*one, name));
            let (namespace, name) = reference.unwrap_or_else(|| local_name(*one));
            let value = if namespace.is_empty() {
                element.attribute(name.as_str())
            } else {
                element.attribute((namespace.as_str(), name.as_str()))
            };
            value.ok_or_else(|| format!("there is no attribute {name}"))?;
        }
        Ok(())
    }

    fn simple_by_name(&self, name: &Name, text: &str) -> Checked {
        if name.0 == XS {
            return self.simple(&name.1, text);
        }
        match self.global.get(&("type", name.clone())) {
            Some(definition) => self.simple_type(*definition, text),
            None => Err(format!("the type {name:?} is defined nowhere")),
        }
    }

    fn simple_type(&self, definition: Node<'w, 'w>, text: &str) -> Checked {
        let variety = child(definition, &["restriction", "list", "union"]).expect("a variety");
        let of = |attribute: &str, text: &str| {
            let anonymous = variety.children().filter(|node| is(*node, "simpleType"));
            let named = variety.attribute(attribute).unwrap_or_default();
            let named = named
                .split_ascii_whitespace()
                .map(|name| resolved(variety, name));
            let of_named = named.map(|name| self.simple_by_name(&name, text));
            let of_anonymous = anonymous.map(|anonymous| self.simple_type(anonymous, text));
            // One of the types has to accept the text.
            let mut checked = of_named.chain(of_anonymous);
            let first = checked.next().expect("a type");
            first.or_else(|wrong| {
                if checked.any(|one| one.is_ok()) {
                    Ok(())
                } else {
                    Err(wrong)
                }
            })
        };
        match variety.tag_name().name() {
            "list" => text
                .split_ascii_whitespace()
                .try_for_each(|item| of("itemType", item)),
            "union" => of("memberTypes", text),
            _ => {
                let values = variety.children().filter(|node| is(*node, "enumeration"));
                let values: Vec<_> = values.filter_map(|node| node.attribute("value")).collect();
                if !self.is_for_samples && !values.is_empty() && !values.contains(&text) {
                    return Err(format!("'{text}' is none of {values:?}"));
                }
                of("base", text)
            }
        }
    }

    /// Checks a text by a type of XML Schema.
    fn simple(&self, name: &str, text: &str) -> Checked {
        match SimpleType::of_name(name) {
            _ if name == "anySimpleType" => Ok(()),
            // Bytes and names with a prefix are checked when the messages are read.
            Some(simple) if self.is_for_samples || !simple.has_texts() || simple.is_value(text) => {
                Ok(())
            }
            Some(_) => Err(format!("'{text}' is no {name}")),
            None => Err(format!("XML Schema has no type {name}")),
        }
    }
}

/// Whether the particles have a wildcard for elements.
fn declared_any(particles: &Particles<'_>) -> bool {
    let mut nodes = particles.iter().flat_map(Node::descendants);
    nodes.any(|node| is(node, "any"))
}

fn named(namespace: &str, name: &str) -> Name {
    (namespace.to_owned(), name.to_owned())
}

pub fn name_of(node: Node<'_, '_>) -> Name {
    named(
        node.tag_name().namespace().unwrap_or_default(),
        node.tag_name().name(),
    )
}

fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.has_tag_name((XS, name))
}

fn child<'w>(node: Node<'w, 'w>, names: &[&str]) -> Option<Node<'w, 'w>> {
    let mut children = node.children();
    children.find(|child| names.iter().any(|name| is(*child, name)))
}

/// Returns the qualified name in an attribute.
pub fn resolved(node: Node<'_, '_>, name: &str) -> Name {
    match name.split_once(':') {
        Some((prefix, local)) => {
            let namespace = node.lookup_namespace_uri(Some(prefix));
            named(
                namespace.unwrap_or_else(|| panic!("{prefix} is declared")),
                local,
            )
        }
        None => named(node.lookup_namespace_uri(None).unwrap_or_default(), name),
    }
}

/// Returns the name of a declaration in a type: in the namespace of its schema, if the form of the
/// schema or the declaration is `qualified`.
fn local_name(declaration: Node<'_, '_>) -> Name {
    let mut ancestors = declaration.ancestors();
    let schema = ancestors
        .find(|node| is(*node, "schema"))
        .expect("a schema");
    let by_default = format!("{}FormDefault", declaration.tag_name().name());
    let form = declaration
        .attribute("form")
        .or_else(|| schema.attribute(by_default.as_str()));
    let is_global = declaration.parent() == Some(schema);
    let is_qualified = is_global || form == Some("qualified");
    let namespace = schema.attribute("targetNamespace").filter(|_| is_qualified);
    named(
        namespace.unwrap_or_default(),
        declaration.attribute("name").unwrap_or_default(),
    )
}

/// Whether a wildcard matches an element.
fn admits(wildcard: Node<'_, '_>, element: Node<'_, '_>) -> bool {
    let mut ancestors = wildcard.ancestors();
    let schema = ancestors
        .find(|node| is(*node, "schema"))
        .expect("a schema");
    let own = schema.attribute("targetNamespace").unwrap_or_default();
    let namespace = element.tag_name().namespace().unwrap_or_default();
    match wildcard.attribute("namespace").unwrap_or("##any") {
        "##any" => true,
        "##other" => namespace != own && !namespace.is_empty(),
        list => list.split_ascii_whitespace().any(|one| match one {
            "##local" => namespace.is_empty(),
            "##targetNamespace" => namespace == own,
            one => one == namespace,
        }),
    }
}

fn empty(element: Node<'_, '_>) -> Checked {
    if element.has_children() {
        return Err(format!("{:?} is nil and has content", name_of(element)));
    }
    Ok(())
}

fn text_of(element: Node<'_, '_>) -> String {
    let texts = element.children().filter(Node::is_text);
    texts.filter_map(|text| text.text()).collect()
}

fn text_alone(element: Node<'_, '_>) -> Result<String, String> {
    match element.children().find(Node::is_element) {
        None => Ok(text_of(element)),
        Some(child) => Err(format!(
            "{:?} has the child {:?}",
            name_of(element),
            name_of(child)
        )),
    }
}
