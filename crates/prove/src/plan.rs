//! The calls to make, and their order, which a seed decides.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use http::{Method, Request};
use serde_json::Value as Json;
use svcgen::mask::Mask;
use svcgen::{Binding, CallError};
use svcgen_replay::is_call;

use crate::call::Call;
use crate::change::{Change, of_messages, places};
use crate::edges::texts;
use crate::edit::Edit;
use crate::failed::ProofFailed;
use crate::place::Place;
use crate::proof::Proof;
use crate::random::Random;
use crate::recorded::Values;

/// A request as clients send it, and all changes that may be made to it.
struct Base {
    call: Call,
    changes: Vec<Change>,
}

/// The calls in their order: the unchanged requests, each change by itself, then pairs of changes.
pub(crate) struct Plan {
    bases: Vec<Base>,
    /// Indexes of bases and their changes, the next one last.
    single: Vec<(usize, Option<usize>)>,
    random: Random,
}

impl Plan {
    /// Plans calls with samples and with given values. Adds a note for each sample that cannot be
    /// sent.
    pub(crate) fn new(
        proof: &Proof,
        given: &[Values],
        notes: &mut Vec<String>,
    ) -> Result<Self, ProofFailed> {
        let mut bases: Vec<Base> = Vec::new();
        let mut secrets = proof.hidden.clone();
        for operation in &proof.operations {
            let mask = Mask::new(operation.service().row());
            let given = given.iter().filter(|one| one.operation == *operation);
            let samples = operation.parameter_place().samples().into_iter();
            let samples = samples.map(|parameters| proof.values(*operation, parameters));
            let both: [(bool, Vec<Values>); 2] =
                [(true, given.cloned().collect()), (false, samples.collect())];
            for binding in operation.row().row().bindings.and(proof.bindings).iter() {
                // Given values are changed in every place, and so are samples; a change that an
                // earlier set of values of the same sort already has is not repeated.
                for (is_given, values) in &both {
                    let mut known = BTreeSet::new();
                    for values in values {
                        let base = match Base::new(values, binding, &mut known) {
                            Ok(base) => base,
                            Err(error) if *is_given => {
                                let why = format!("values that are given do not fit: {error}");
                                return Err(ProofFailed(why));
                            }
                            Err(error) => {
                                notes.push(format!("a sample cannot be sent: {error}"));
                                continue;
                            }
                        };
                        if *is_given {
                            let request = &base.call.usual;
                            let body = String::from_utf8_lossy(request.body());
                            let text = format!("{} {body}", request.uri());
                            secrets.add_held(&mask.secrets(request), &text);
                        }
                        bases.push(base);
                    }
                }
            }
        }
        if bases.is_empty() {
            let why = "no call can be made over these bindings";
            return Err(ProofFailed(why.to_owned()));
        }
        let secrets = Arc::new(secrets);
        for base in &mut bases {
            base.call.secrets = Arc::clone(&secrets);
        }
        let mut random = Random::new(proof.seed);
        let single = in_turns(&bases, &mut random);
        Ok(Self {
            bases,
            single,
            random,
        })
    }

    fn call(&self, base: usize, changes: Vec<Change>) -> Call {
        Call {
            changes,
            ..self.bases[base].call.clone()
        }
    }

    /// Returns a call with two different changes of a request.
    fn double(&mut self) -> Option<Call> {
        let base = self.random.below(self.bases.len());
        let all = &self.bases.get(base)?.changes;
        let [one, other] = [(); 2].map(|()| self.random.below(all.len()));
        let mut changes = vec![all.get(one)?.clone(), all.get(other)?.clone()];
        // Changes of the bytes of a message come after changes of its values.
        changes.sort_by_key(|change| matches!(change, Change::Of(_)));
        (one != other).then(|| self.call(base, changes))
    }
}

/// The number of pairs of changes that are tried for a call, as two changes may exclude each other.
const TRIES: usize = 1000;

impl Iterator for Plan {
    type Item = (Call, Request<Bytes>);

    fn next(&mut self) -> Option<Self::Item> {
        let with_request = |call: Call| {
            let request = call.request()?;
            // Documents differ between servers, and other paths belong to other services.
            let method = match *request.method() {
                Method::GET => "GET",
                _ => "POST",
            };
            let service = Some(call.operation.service());
            is_call(service, method, request.uri()).then_some((call, request))
        };
        while let Some((base, change)) = self.single.pop() {
            let change = change.map(|index| self.bases[base].changes[index].clone());
            let call = self.call(base, change.into_iter().collect());
            if let Some(planned) = with_request(call) {
                return Some(planned);
            }
        }
        (0..TRIES).find_map(|_| self.double().and_then(with_request))
    }
}

/// Returns all single changes, the next one last. Changes not yet made over a binding of the same
/// kind come first, in turns of operations, bindings and kinds of changes, so that a few calls
/// already cover something of each.
fn in_turns(bases: &[Base], random: &mut Random) -> Vec<(usize, Option<usize>)> {
    let changes = |base: usize| (0..bases[base].changes.len()).map(move |change| (base, change));
    let mut all: Vec<_> = (0..bases.len()).flat_map(changes).collect();
    random.shuffle(&mut all);
    let (mut made, mut turns) = (BTreeMap::new(), BTreeMap::new());
    let rank = |(base, index): (usize, usize)| {
        let Base { call, changes } = &bases[base];
        let (operation, change) = (call.operation.index(), &changes[index]);
        // Both versions of SOAP read values in the same way, and so do both form bindings.
        let is_script = Binding::SCRIPT.contains(&call.binding);
        let notation = (call.binding.is_soap(), is_script);
        let made = counted(&mut made, (operation, notation, change.anywhere()));
        let turn = counted(&mut turns, (operation, call.binding, change.kind()));
        // A text at the edge of its type is more likely to show a difference than another change of
        // any other kind.
        let weight = if change.kind() == "Text" { 8 } else { 1 };
        (Reverse((made, turn / weight)), base, Some(index))
    };
    let mut ranked: Vec<_> = all.into_iter().map(rank).collect();
    ranked.sort_by_key(|(rank, ..)| *rank);
    let changed = ranked.into_iter().map(|(_, base, index)| (base, index));
    let usual = (0..bases.len()).rev().map(|base| (base, None));
    changed.chain(usual).collect()
}

/// Counts a key. Returns its new count.
fn counted<K: Ord>(counts: &mut BTreeMap<K, usize>, key: K) -> usize {
    let count = counts.entry(key).or_default();
    *count += 1;
    *count
}

impl Base {
    fn new(
        values: &Values,
        binding: Binding,
        known: &mut BTreeSet<(Vec<String>, String)>,
    ) -> Result<Self, CallError> {
        let operation = values.operation;
        let client = operation
            .service()
            .client((), "http://localhost")?
            .with_binding(binding);
        let headers = if binding.is_soap() {
            &values.headers
        } else {
            &Json::Null
        };
        let mut usual = operation.request_by(&client, headers, &values.parameters)?;
        if let Some(target) = usual.uri().path_and_query().cloned() {
            *usual.uri_mut() = target.into();
        }
        // Texts that quote a secret are hidden. The usual sample of a text, `string`, is used
        // everywhere, so that secrets get another sample.
        for place in places(&usual, operation) {
            let is_sample =
                place.text.as_deref() == Some("string") && place.row.is_some_and(|row| row.secret);
            let named = Change::At(place.path, Edit::Text("sample-secret".to_owned()));
            if is_sample && let Some(changed) = named.apply(&usual) {
                usual = changed;
            }
        }
        let mut changes = Vec::new();
        for place in places(&usual, operation) {
            for edit in edits(&place) {
                let names = place.path.names().into_iter().map(str::to_owned);
                if known.insert((names.collect(), format!("{edit:?}"))) {
                    changes.push(Change::At(place.path.clone(), edit));
                }
            }
        }
        if known.insert((Vec::new(), String::new())) {
            changes.extend(of_messages(binding, &usual));
        }
        let call = Call {
            operation,
            binding,
            usual,
            secrets: Arc::default(),
            changes: Vec::new(),
        };
        Ok(Self { call, changes })
    }
}

/// Returns the changes that may be made at a place.
fn edits(place: &Place) -> Vec<Edit> {
    use Edit as E;
    let name = place.path.0.last().map_or("", |step| step.name.as_str());
    let names = [
        name.to_uppercase(),
        name.to_lowercase(),
        "unknown".to_owned(),
    ];
    let mut edits = vec![E::Absent, E::Nil, E::Repeated(2), E::Comment];
    edits.extend(names.map(E::Renamed));
    edits.extend(["", "urn:example"].map(E::Namespace));
    if place.is_item {
        edits.extend([0, 1, 5, 50].map(E::Repeated));
    }
    let texts = if place.text.is_some() {
        edits.push(E::Cdata);
        texts(place.row)
    } else {
        edits.extend([E::Unknown, E::Reversed]);
        ["", "text"].map(str::to_owned).to_vec()
    };
    edits.extend(texts.into_iter().map(E::Text));
    edits
}
