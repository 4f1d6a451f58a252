//! The memory that values take by themselves: decides which objects are boxed because they are
//! large, and which types are too large.

use svcgen_language::definition::Definition;
use svcgen_language::rules::Rule;
use svcgen_language::sink::Sink;
use svcgen_model::{Memory, SimpleType};

use super::components::{components, order_of_leaving};
use super::cycles::{Held, Holders};
use crate::model::{Absence, ComplexType, Element, FamilyMember, Model, TypeRef};

/// The size in bytes above which objects are boxed where they may be absent in another object, or
/// are in a choice or a family.
const MOST_INLINE: usize = 256;

/// The size in bytes above which objects are boxed where they may be absent as a parameter, a
/// header or a result, of which a message has one.
const MOST_IN_MESSAGES: usize = 4 << 10;

/// The maximum size of an empty value in bytes.
const MOST: usize = 64 << 10;

/// The size in bytes above which values of recursive types are cloned in place: otherwise each
/// level of recursion would take that much of the stack.
const MOST_ON_STACK: usize = 4 << 10;

/// The size of an empty value.
#[derive(Clone, Copy)]
struct Size {
    /// The memory of the value itself.
    memory: Memory,
    /// The bytes in its boxes.
    boxes: usize,
}

impl Size {
    const NONE: Self = Self::of(Memory::NONE);

    const fn of(memory: Memory) -> Self {
        Self { memory, boxes: 0 }
    }

    fn bytes(self) -> usize {
        self.memory.size.saturating_add(self.boxes)
    }

    fn boxed_if(self, boxed: bool) -> Self {
        if !boxed {
            return self;
        }
        Self {
            memory: Memory::POINTER,
            boxes: self.bytes(),
        }
    }

    /// The size of a struct with this content and a field.
    fn with(self, field: Self) -> Self {
        Self {
            memory: self.memory.with(field.memory),
            boxes: self.boxes.saturating_add(field.boxes),
        }
    }
}

/// The sizes of the values of types, families and choices.
pub(super) struct Sizes {
    holders: Holders,
    of: Vec<Size>,
    /// Whether each choice is a sequence.
    is_sequence: Vec<bool>,
    /// Whether each of them is cloned in place.
    clones_in_place: Vec<bool>,
    /// The memory of enumerations.
    enumerations: Vec<Memory>,
}

impl Sizes {
    /// Measures each type once. No type contains itself without a box or a list.
    pub fn of(model: &Model) -> Self {
        let (types, groups) = (&model.complex_types, &model.groups);
        let all: Vec<_> = types.iter().map(Some).collect();
        let holders = Holders::new(&all);
        let edges = holders.edges(&all, groups, Held::Any);
        let component = components(&edges);
        let mut members = vec![0; component.len()];
        component.iter().for_each(|number| members[*number] += 1);
        let enumerations = model.enumerations.iter();
        let mut sizes = Self {
            of: vec![Size::NONE; edges.len()],
            is_sequence: groups.iter().map(|group| group.is_sequence()).collect(),
            clones_in_place: Vec::new(),
            enumerations: enumerations
                .map(|one| match one {
                    one if one.is_open => Memory::LIST,
                    one if one.is_flags => SimpleType::Long.row().memory,
                    _ => Memory::NAMES,
                })
                .collect(),
            holders,
        };
        // Values are measured before their holders.
        let family = sizes.holders.family(0);
        for id in order_of_leaving(&sizes.holders.edges(&all, groups, Held::Inline)) {
            let size = sizes.measure(id, model);
            // The holder of a refused type is measured without it, so that all types that are too
            // large are reported at once.
            let is_refused = id < family && size.bytes() > MOST;
            sizes.of[id] = if is_refused {
                Size::of(Memory::POINTER)
            } else {
                size
            };
        }
        let mut has_large = vec![false; component.len()];
        for (id, number) in component.iter().enumerate() {
            let is_recursive = members[*number] > 1 || edges[id].contains(&id);
            has_large[*number] |= is_recursive && sizes.of[id].memory.size > MOST_ON_STACK;
        }
        // A type of the application clones itself.
        let is_emitted = |id: usize| types.get(id).is_none_or(|one| one.rust_type.is_none());
        let ids = component.iter().enumerate();
        let clones = ids.map(|(id, number)| has_large[*number] && is_emitted(id));
        sizes.clones_in_place = clones.collect();
        sizes
    }

    fn measure(&self, id: usize, model: &Model) -> Size {
        let (family, group) = (self.holders.family(0), self.holders.group(0));
        if id >= group {
            let group = &model.groups[id - group];
            let alternatives = group.elements.iter();
            if group.is_sequence() {
                return self.of_fields(alternatives, MOST_INLINE);
            }
            return one_of(alternatives.map(|one| self.of_element(one, self.boxes_variant(one))));
        }
        if id >= family {
            let family = &model.complex_types[id - family].family;
            let members = family.iter().flat_map(|family| &family.members);
            return one_of(
                members.map(|member| {
                    self.of[member.complex_type.0].boxed_if(self.boxes_member(member))
                }),
            );
        }
        self.of_struct(&model.complex_types[id], MOST_INLINE)
    }

    fn of_struct(&self, complex: &ComplexType, most: usize) -> Size {
        self.of_fields(complex.fields(), most)
    }

    fn of_fields<'e>(&self, fields: impl Iterator<Item = &'e Element>, most: usize) -> Size {
        let fields =
            fields.map(|element| self.of_element(element, self.boxes_field(element, most)));
        let all = fields.fold(Size::NONE, Size::with);
        Size {
            memory: all.memory.whole(),
            ..all
        }
    }

    fn of_element(&self, element: &Element, boxed: bool) -> Size {
        let value = match &element.type_ref {
            _ if element.is_any_attributes() => Size::of(Memory::LIST),
            // A type of the application is assumed to be as large as the type that it replaces.
            TypeRef::Simple(simple) | TypeRef::Custom(simple, _) => Size::of(simple.row().memory),
            TypeRef::List(_) | TypeRef::Dictionary(_) => Size::of(Memory::LIST),
            TypeRef::Enumeration(id) => Size::of(self.enumerations[id.0]),
            TypeRef::Complex(_) | TypeRef::Group(_) => self.of_held(element).boxed_if(boxed),
        };
        let value = if element.soap_attributes {
            let flags = Memory::NAMES.with(Memory::NAMES);
            let whole = value.memory.with(Memory::LIST).with(flags).whole();
            Size {
                memory: whole,
                ..value
            }
        } else {
            value
        };
        match element.absence {
            Absence::Required => Size {
                boxes: value.boxes + element.bytes_of_initial(),
                ..value
            },
            Absence::Omitted | Absence::Nil | Absence::Either => {
                Size::of(value.memory.or_nothing())
            }
        }
    }

    fn of_held(&self, element: &Element) -> Size {
        let held = self.holders.held(element);
        held.map_or(Size::NONE, |held| self.of[held])
    }

    /// Whether a field is boxed if it is an object of more than `most` bytes. Families and choices
    /// box their own variants.
    fn boxes_field(&self, element: &Element, most: usize) -> bool {
        element.boxed
            || (element.absence != Absence::Required && self.is_object_over(element, most))
    }

    fn boxes_variant(&self, alternative: &Element) -> bool {
        alternative.boxed || self.is_object_over(alternative, MOST_INLINE)
    }

    fn boxes_member(&self, member: &FamilyMember) -> bool {
        member.boxed || self.of[member.complex_type.0].memory.size > MOST_INLINE
    }

    fn is_object_over(&self, element: &Element, most: usize) -> bool {
        let object = self.holders.object(element, &self.is_sequence);
        object.is_some_and(|object| self.of[object].memory.size > most)
    }

    /// Boxes large objects.
    pub fn apply(&self, model: &mut Model) {
        let types = model.complex_types.iter_mut().enumerate();
        // Types of included files were boxed there.
        let own = types.filter(|(_, complex)| complex.included.is_none());
        let mut structs = Vec::new();
        for (id, complex) in own {
            complex.clones_in_place = self.clones_in_place[id];
            if let Some(family) = &mut complex.family {
                family.clones_in_place = self.clones_in_place[self.holders.family(id)];
            }
            structs.push((complex, MOST_INLINE));
        }
        for (id, group) in model.groups.iter_mut().enumerate() {
            group.clones_in_place = self.clones_in_place[self.holders.group(id)];
        }
        let operations = model.service.iter_mut();
        for operation in operations.flat_map(|service| &mut service.operations) {
            let headers = [
                &mut operation.headers,
                &mut operation.response_headers,
                &mut operation.fault_headers,
            ];
            let headers = headers.into_iter().flatten();
            let headers = headers.map(|headers| &mut headers.complex_type);
            let parts = headers.chain([&mut operation.request, &mut operation.response]);
            structs.extend(parts.map(|part| (part, MOST_IN_MESSAGES)));
            if let Some(result) = &mut operation.result {
                let element = &mut result.element;
                element.boxed = self.boxes_field(element, MOST_IN_MESSAGES);
                result.is_large = !element.boxed && self.is_object_over(element, MOST_IN_MESSAGES);
            }
        }
        for (complex, most) in structs {
            complex.has_boxes = self.of_struct(complex, most).boxes > 0;
            for element in &mut complex.elements {
                element.boxed = self.boxes_field(element, most);
            }
            let families = complex.family.iter_mut();
            for member in families.flat_map(|family| &mut family.members) {
                member.boxed = self.boxes_member(member);
            }
        }
        for group in &mut model.groups {
            let is_sequence = group.is_sequence();
            for alternative in &mut group.elements {
                alternative.boxed = if is_sequence {
                    self.boxes_field(alternative, MOST_INLINE)
                } else {
                    self.boxes_variant(alternative)
                };
            }
        }
    }

    /// Refuses types and parameters that are too large, unless the reason is a type in them that is
    /// refused itself.
    pub fn refuse_large(&self, model: &Model, definition: &Definition, sink: &mut Sink) {
        let mut refuse = |node, complaint: Option<(String, String)>| {
            if let Some((message, hint)) = complaint {
                sink.add(Rule::LargeType, node, message).hint(hint);
            }
        };
        let names = definition.types.keys().map(|key| key.node);
        for (complex, node) in model.complex_types.iter().zip(names) {
            let what = format!("`{}`", complex.name.xml);
            let size = self.of_struct(complex, MOST_INLINE).bytes();
            refuse(node, self.complaint(complex, size, &what, model));
        }
        let names = definition.operations.0.iter().map(|(key, _)| key);
        for (operation, name) in model.operations().iter().zip(names) {
            for (complex, part) in operation.structs().into_iter().zip([
                "parameters",
                "results",
                "headers",
                "headers of the answer",
                "headers of faults",
            ]) {
                if let Some(complex) = complex {
                    let what = format!("the {part} of `{name}`");
                    let size = self.of_struct(complex, MOST_IN_MESSAGES).bytes();
                    refuse(name.node, self.complaint(complex, size, &what, model));
                }
            }
        }
    }

    /// The message and the hint for a size; `None` if it is small enough.
    fn complaint(
        &self,
        complex: &ComplexType,
        size: usize,
        what: &str,
        model: &Model,
    ) -> Option<(String, String)> {
        if size <= MOST {
            return None;
        }
        let message = format!("an empty value of {what} takes {size} bytes, more than {MOST}");
        let hint = match self.largest(complex, model) {
            None => "put some of its elements into a type of their own, which may be absent (`T?`) or in a list (`T[]`)".to_owned(),
            Some((path, bytes)) => format!(
                "`{path}` takes {bytes} of them: let it be absent (`T?`) or be a list (`T[]`)"
            ),
        };
        Some((message, hint))
    }

    /// The path and the bytes of the largest required object in an object: one whose own parts are
    /// all smaller than the rest of it.
    fn largest(&self, complex: &ComplexType, model: &Model) -> Option<(String, usize)> {
        let (mut path, mut largest) = (Vec::new(), None);
        let mut next = Some(complex);
        while let Some(complex) = next {
            let fields = complex.fields();
            let required = fields.filter(|field| field.absence == Absence::Required);
            let objects =
                required.filter_map(|element| Some((element, self.holders.held(element)?)));
            let sized = objects.map(|(element, held)| (self.of[held].bytes(), element, held));
            let Some((bytes, element, held)) =
                sized.reduce(|first, other| if other.0 > first.0 { other } else { first })
            else {
                break;
            };
            if largest.is_some_and(|whole| bytes <= whole / 2) {
                break;
            }
            largest = Some(bytes);
            path.push(element.name.xml.as_str());
            next = model.complex_types.get(held);
        }
        Some((path.join("/"), largest?))
    }
}

/// The size of a choice of these values, by default the first.
fn one_of(mut variants: impl Iterator<Item = Size>) -> Size {
    let first = variants.next().unwrap_or(Size::NONE);
    let largest = variants.fold(first.memory, |largest, other| largest.or(other.memory));
    Size {
        memory: largest.tagged(),
        boxes: first.boxes,
    }
}
