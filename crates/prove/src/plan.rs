//! Which calls are made, and in which order: a seed decides.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use http::{Method, Request};
use serde_json::{Map, Value as Json};
use svcgen::mask::Mask;
use svcgen::{Binding, CallError};
use svcgen_messages::{Operation, Place as ValuePlace};
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

/// The most samples of an operation, which has one for each alternative of choices and each derived
/// type.
const MOST_SAMPLES: usize = 200;

/// How deep alternatives are looked for.
const DEEPEST: usize = 6;

/// A request as clients send it, and all changes that may be made of it.
struct Base {
    call: Call,
    changes: Vec<Change>,
}

/// The calls in their order: the requests as they are, each change by itself, then two changes
/// together.
pub(crate) struct Plan {
    bases: Vec<Base>,
    /// Indexes of bases and their changes, the next one last.
    single: Vec<(usize, Option<usize>)>,
    random: Random,
}

impl Plan {
    /// Plans calls with samples and with given values. A sample that cannot be sent is noted.
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
            let both = [
                (true, given.cloned().collect()),
                (false, samples(proof, *operation)),
            ];
            for binding in operation.row().row().bindings.and(proof.bindings).iter() {
                // Given values are changed in every place, and so are samples; what a further one
                // has in common with one before it is not.
                for (is_given, values) in &both {
                    let mut known = BTreeSet::new();
                    for values in values {
                        match Base::new(values, binding, &mut known) {
                            Ok(base) => {
                                if *is_given {
                                    let usual = &base.call.usual;
                                    let text = format!(
                                        "{} {}",
                                        usual.uri(),
                                        String::from_utf8_lossy(usual.body())
                                    );
                                    secrets.add_held(&mask.secrets(usual), &text);
                                }
                                bases.push(base);
                            }
                            Err(error) if *is_given => {
                                return Err(ProofFailed(format!(
                                    "values that are given do not fit: {error}"
                                )));
                            }
                            Err(error) => notes.push(format!("a sample cannot be sent: {error}")),
                        }
                    }
                }
            }
        }
        if bases.is_empty() {
            return Err(ProofFailed(
                "no call can be made over these bindings".to_owned(),
            ));
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

    /// Two changes of a request, at different places.
    fn double(&mut self) -> Option<Call> {
        let base = self.random.below(self.bases.len());
        let all = &self.bases.get(base)?.changes;
        let [one, other] = [(); 2].map(|()| self.random.below(all.len()));
        let mut changes = vec![all.get(one)?.clone(), all.get(other)?.clone()];
        // What is done to the bytes of a message comes after what is done to its values.
        changes.sort_by_key(|change| matches!(change, Change::Of(_)));
        (one != other).then(|| self.call(base, changes))
    }
}

/// How many pairs of changes are tried for a call; they may exclude each other.
const TRIES: usize = 1000;

impl Iterator for Plan {
    type Item = (Call, Request<Bytes>);

    fn next(&mut self) -> Option<Self::Item> {
        let with_request = |call: Call| {
            let request = call.request()?;
            // Documents are in the words of each server, and other paths are of other services.
            let is_get = request.method() == Method::GET;
            let (service, method) = (
                call.operation.service(),
                if is_get { "GET" } else { "POST" },
            );
            is_call(Some(service), method, request.uri()).then_some((call, request))
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

/// All changes by themselves, the next one last. What was not made yet over a binding of its kind
/// comes first, by turns of operations, bindings and kinds of changes: few calls show something of
/// each.
fn in_turns(bases: &[Base], random: &mut Random) -> Vec<(usize, Option<usize>)> {
    let each = bases.iter().enumerate();
    let mut all: Vec<_> = each
        .flat_map(|(base, one)| (0..one.changes.len()).map(move |change| (base, change)))
        .collect();
    random.shuffle(&mut all);
    let (mut made, mut turns) = (BTreeMap::new(), BTreeMap::new());
    let mut ordered: Vec<_> = all
        .into_iter()
        .map(|(base, index)| {
            let Base { call, changes } = &bases[base];
            let (operation, change) = (call.operation.index(), &changes[index]);
            // Both versions of SOAP read values alike, and so do forms.
            let notation = (
                call.binding.is_soap(),
                Binding::SCRIPT.contains(&call.binding),
            );
            let made = counted(&mut made, (operation, notation, change.anywhere()));
            let turn = counted(&mut turns, (operation, call.binding, change.kind()));
            // A text at the edge of its type tells more than one more of anything else.
            let weight = if change.kind() == "Text" { 8 } else { 1 };
            (made, turn / weight, base, index)
        })
        .collect();
    ordered.sort_by_key(|(made, turn, ..)| Reverse((*made, *turn)));
    let changed = ordered
        .into_iter()
        .map(|(.., base, index)| (base, Some(index)));
    let usual = (0..bases.len()).rev().map(|base| (base, None));
    changed.chain(usual).collect()
}

/// How often a key was counted before.
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
        let usual = operation.request_by(&client, headers, &values.parameters)?;
        let mut usual = relative(usual);
        // What quotes a secret is not shown, and the usual sample of a text stands everywhere.
        for place in places(&usual, operation) {
            let is_sample =
                place.text.as_deref() == Some("string") && place.row.is_some_and(|row| row.secret);
            let named = Change::At(place.path, Edit::Text("sample-secret".to_owned()));
            if is_sample && let Some(changed) = named.apply(usual.clone()) {
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

/// The request without the host of its URL.
fn relative(mut request: Request<Bytes>) -> Request<Bytes> {
    let target = request.uri().path_and_query();
    let target = target.map(|target| target.as_str().parse());
    if let Some(Ok(target)) = target {
        *request.uri_mut() = target;
    }
    request
}

/// What may be changed at a place.
fn edits(place: &Place) -> Vec<Edit> {
    let mut edits = vec![Edit::Absent, Edit::Nil, Edit::Repeated(2)];
    let name = place.path.0.last().map_or("", |step| step.name.as_str());
    let names = [
        name.to_uppercase(),
        name.to_lowercase(),
        "unknown".to_owned(),
    ];
    edits.extend(names.map(Edit::Renamed));
    edits.extend([
        Edit::Namespace(""),
        Edit::Namespace("urn:example"),
        Edit::Comment,
    ]);
    if place.is_item {
        edits.extend([0, 1, 5, 50].map(Edit::Repeated));
    }
    if place.text.is_some() {
        edits.push(Edit::Cdata);
        edits.extend(texts(place.row).into_iter().map(Edit::Text));
    } else {
        edits.extend([Edit::Unknown, Edit::Reversed]);
        edits.extend(["", "text"].map(|text| Edit::Text(text.to_owned())));
    }
    edits
}

/// Samples of an operation: the usual one, and one for each alternative and each derived type in
/// it.
fn samples(proof: &Proof, operation: Operation) -> Vec<Values> {
    let place = operation.parameter_place();
    let mut alternatives = Vec::new();
    alternatives_of(place, 0, &mut alternatives);
    alternatives.truncate(MOST_SAMPLES);
    let is_open = |json: &Json| *json == OPEN;
    let chosen = alternatives.iter().map(|given| place.fill(given, &is_open));
    let mut samples: Vec<Json> = vec![place.sample()];
    for sample in chosen {
        if !samples.contains(&sample) {
            samples.push(sample);
        }
    }
    let values = samples.into_iter();
    values
        .map(|parameters| proof.values(operation, parameters))
        .collect()
}

/// Stands where a sample is wanted.
const OPEN: &str = "\u{0}";

/// Values in which each alternative is chosen once.
fn alternatives_of(place: ValuePlace, depth: usize, found: &mut Vec<Json>) {
    if depth > DEEPEST || found.len() > MOST_SAMPLES {
        return;
    }
    if let Some(item) = place.item() {
        let before = found.len();
        alternatives_of(item, depth + 1, found);
        for one in &mut found[before..] {
            *one = Json::Array(vec![one.take()]);
        }
        return;
    }
    for name in place.members() {
        let Some(member) = place.member(name) else {
            continue;
        };
        let before = found.len();
        alternatives_of(member, depth + 1, found);
        if place.is_choice() && found.len() == before {
            found.push(Json::from(OPEN));
        }
        for one in &mut found[before..] {
            *one = Json::Object(Map::from_iter([(name.to_owned(), one.take())]));
        }
    }
}
