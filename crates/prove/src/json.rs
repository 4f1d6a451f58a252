//! Changes of requests in JSON, and of forms as JSON objects.

use serde_json::Value as Json;
use svcgen_messages::Operation;

use crate::edit::Edit;
use crate::place::{Known, Path, Place};

/// Returns the places of a request that calls an operation.
pub(crate) fn places(json: &Json, operation: Operation) -> Vec<Place> {
    let mut places = Vec::new();
    let known = Known::parameters(operation);
    members(json, &Path::default(), known, &mut places);
    places
}

fn members(json: &Json, path: &Path, known: Known, places: &mut Vec<Place>) {
    let says = json.get("__type").and_then(Json::as_str);
    let says = says.map(|name| name.split(':').next().unwrap_or(name));
    for (name, json) in json.as_object().into_iter().flatten() {
        let known = known.child(name, says);
        let items = json.as_array();
        let known = if items.is_some() { known.item() } else { known };
        for (index, json) in items
            .map_or(std::slice::from_ref(json), Vec::as_slice)
            .iter()
            .enumerate()
        {
            let path = path.child(name, index);
            let text = match json {
                Json::Object(_) | Json::Array(_) => None,
                Json::String(text) => Some(text.clone()),
                json => Some(json.to_string()),
            };
            places.push(Place {
                path: path.clone(),
                row: known.row(),
                text,
                is_item: items.is_some(),
            });
            members(json, &path, known, places);
        }
    }
}

/// Returns the request with a change at a place; `None` if there is nothing to change.
pub(crate) fn edited(mut root: Json, path: &Path, edit: &Edit) -> Option<Json> {
    let (last, around) = path.0.split_last()?;
    let mut object = &mut root;
    for step in around {
        object = object.get_mut(&step.name)?;
        if object.is_array() {
            object = object.get_mut(step.index)?;
        }
    }
    let object = object.as_object_mut()?;
    match (object.get_mut(&last.name)?, edit) {
        (value, Edit::Renamed(name)) => {
            let value = value.take();
            object.remove(&last.name);
            object.insert(name.clone(), value);
        }
        (Json::Array(items), Edit::Absent) => {
            drop((last.index < items.len()).then(|| items.remove(last.index))?)
        }
        (_, Edit::Absent) => drop(object.remove(&last.name)),
        (Json::Array(items), Edit::Repeated(count)) => {
            *items = vec![items.get(last.index)?.clone(); *count]
        }
        (value, Edit::Repeated(count)) => *value = Json::from(vec![value.clone(); *count]),
        (Json::Array(items), edit) => one(items.get_mut(last.index)?, edit)?,
        (value, edit) => one(value, edit)?,
    }
    Some(root)
}

fn one(value: &mut Json, edit: &Edit) -> Option<()> {
    match (edit, &mut *value) {
        (Edit::Text(text), was) => {
            let literal: Option<Json> = serde_json::from_str(text).ok();
            let is_text = was.is_string() || was.is_null();
            let literal = literal.filter(|one| !is_text && (one.is_number() || one.is_boolean()));
            *value = literal.unwrap_or_else(|| Json::from(text.as_str()));
        }
        (Edit::Nil, _) => *value = Json::Null,
        (Edit::Unknown, Json::Object(map)) => {
            drop(map.insert("unknown".to_owned(), Json::from(1)));
        }
        (Edit::Reversed, Json::Object(map)) => {
            *map = std::mem::take(map).into_iter().rev().collect();
        }
        _ => return None,
    }
    Some(())
}
