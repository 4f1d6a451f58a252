//! Implementations of serde's traits: values are written as their texts on the wire.

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};

use crate::values::{base64, types};

macro_rules! texts {
    ($($type:ty)*) => {
        $(
            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let text = Cow::<str>::deserialize(deserializer)?;
                    text.parse().map_err(D::Error::custom)
                }
            }
        )*
    };
}

texts!(types::Duration types::HexBinary types::Integer types::QName types::XmlAttributes);
#[cfg(feature = "time")]
texts!(types::DateTime types::Date types::Time);

/// Reads the bytes of a file into memory, and encodes them as one text in base64.
impl Serialize for types::LargeBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = self.clone().into_vec().map_err(ser::Error::custom)?;
        let mut text = Vec::new();
        base64::encode(&bytes, &mut text);
        serializer.serialize_str(&String::from_utf8_lossy(&text))
    }
}

impl<'de> Deserialize<'de> for types::LargeBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let bytes = base64::decode(&text).ok_or_else(|| D::Error::custom("invalid base64"))?;
        Ok(bytes.into())
    }
}

/// Content without attributes is its markup.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Fragment<'f> {
    Content(Cow<'f, str>),
    Element {
        attributes: Cow<'f, types::XmlAttributes>,
        content: Cow<'f, str>,
    },
}

impl Serialize for types::XmlFragment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (attributes, content) = (self.attributes(), Cow::Borrowed(self.as_str()));
        let fragment = if attributes.is_empty() {
            Fragment::Content(content)
        } else {
            let attributes = Cow::Borrowed(attributes);
            Fragment::Element {
                attributes,
                content,
            }
        };
        fragment.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for types::XmlFragment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (attributes, content) = match Fragment::deserialize(deserializer)? {
            Fragment::Content(content) => (types::XmlAttributes::new(), content),
            Fragment::Element {
                attributes,
                content,
            } => (attributes.into_owned(), content),
        };
        let fragment: Self = content.parse().map_err(D::Error::custom)?;
        Ok(fragment.with_attributes(attributes))
    }
}
