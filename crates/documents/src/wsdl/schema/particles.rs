//! The particles of a type: elements, choices, sequences, and substitution groups.

use svcgen_model::{At, ComplexType, Group, Particle};

use super::{Declared, Schema, counted, counts, occurrence};
use crate::shape::Shape;

impl<'a> Schema<'a> {
    pub(super) fn sequence(&mut self, content: impl FnOnce(&mut Self)) {
        self.xml().start("s:sequence", &[]);
        content(self);
        self.xml().end();
    }

    pub(super) fn particles(&mut self, complex: At<'a, ComplexType<'a>>, declared: Declared<'a>) {
        self.each_particle(complex, complex.own_particles(), declared);
    }

    pub(super) fn each_particle(
        &mut self,
        complex: At<'a, ComplexType<'a>>,
        particles: impl Iterator<Item = Particle<'a>>,
        declared: Declared<'a>,
    ) {
        for particle in particles {
            match particle {
                Particle::Element(element) if element.characters => {}
                Particle::Element(element) => self.declared(element, declared),
                Particle::Group(group) if group.head.is_some() => {
                    self.reference_to_head(complex, group, declared);
                }
                Particle::Group(group) => {
                    let within = || complex.particles_of(group).filter(is_markup);
                    if let (Some(Particle::Element(only)), None) = {
                        let mut within = within();
                        (within.next(), within.next())
                    } && group.repeated
                        && !group.is_sequence()
                    {
                        // A choice of a single element and text.
                        self.element(only, occurrence(true, true), declared);
                        continue;
                    }
                    let name = format!("s:{}", group.kind.name());
                    // ASMX writes for each alternative, instead of the choice, that it may be
                    // absent.
                    let is_original = self.options.shape == Shape::Original;
                    let optional = group.optional && (group.repeated || !is_original);
                    let occurrence = occurrence(optional, group.repeated);
                    let counts = counts(group.occurs);
                    (self.xml()).start(&name, &counted(counts.as_ref(), occurrence));
                    self.annotation(group.documentation());
                    self.each_particle(complex, within(), declared);
                    self.xml().end();
                }
            }
        }
    }

    /// Writes a reference to the head of a substitution group, in place of a choice of its members.
    fn reference_to_head(
        &mut self,
        complex: At<'a, ComplexType<'a>>,
        group: At<'a, Group<'a>>,
        declared: Declared<'a>,
    ) {
        let reference = self.imported(declared.0, group.head.unwrap_or_default());
        let counts = counts(group.occurs);
        let occurrence = occurrence(group.optional, group.repeated);
        let [least, most] = counted(counts.as_ref(), occurrence);
        let attributes = [least, most, ("ref", &reference)];
        self.xml().element("s:element", &attributes, |_| {});
        self.heads.push((complex, group, declared));
    }

    /// Declares the heads of substitution groups that were referred to, and their members.
    pub(super) fn declare_heads(&mut self) {
        for (complex, group, declared) in std::mem::take(&mut self.heads) {
            let head = group.head.unwrap_or_default();
            let key = (declared.0, head.to_owned());
            if self.elements.insert(key, None).is_some() {
                continue;
            }
            self.within(declared.0, |schema| {
                let attributes = [("abstract", "true"), ("name", head)];
                schema.xml().start("s:element", &attributes);
                schema.annotation(group.documentation());
                schema.xml().end();
            });
            for member in complex.elements_of(group) {
                let namespace = member.form.of_element(declared);
                let key = (namespace, member.name.to_owned());
                self.elements.insert(key, Some(member.type_at()));
                self.within(namespace, |schema| {
                    let head = schema.imported(declared.0, head);
                    let start = [("name", member.name), ("substitutionGroup", &*head)];
                    schema.named(&start, member.is_nillable(), member, declared);
                });
            }
        }
    }
}

/// Whether it is not text between elements, for which a schema only has `mixed`.
fn is_markup(particle: &Particle<'_>) -> bool {
    !matches!(particle, Particle::Element(element) if element.characters)
}
