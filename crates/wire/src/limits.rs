//! Limits of messages.

/// The limits of one message. A message is refused before anything beyond a limit is stored.
///
/// ```
/// let limits = svcgen::Limits::default().with_body(64 * 1024).with_depth(16);
/// assert_eq!(limits.depth, 16);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a message body, without its transfer coding. 4 MiB.
    pub body: usize,
    /// Levels of open elements, the root being the first. 64, and never more than
    /// [`MOST_DEPTH`](Self::MOST_DEPTH).
    pub depth: usize,
    /// Elements in one document. 500,000.
    pub elements: usize,
    /// Attributes of one element, namespace declarations included. 64.
    pub attributes: usize,
    /// Namespace declarations in force at one place. 64.
    pub namespaces: usize,
    /// Bytes of one name. 1 KiB.
    pub name: usize,
    /// Bytes of one attribute value. 64 KiB.
    pub attribute_value: usize,
    /// Bytes of one text value. 4 MiB.
    pub text: usize,
    /// Bytes of memory that a message and its values take for each byte of the message, besides
    /// [`LEAST_VALUES`](Self::LEAST_VALUES). 16.
    ///
    /// The message and the texts in it count as 4 of them. The rest is for values that take more
    /// memory than their bytes in the message: items of lists, boxed objects, namespace names that
    /// values copy. Content that an encoded message refers to counts at each reference, as it
    /// becomes a value there: an object that is used twice is two values.
    ///
    /// An allocator that moves a list while it grows has the list twice for a moment. A list of
    /// wide objects of which each has few elements needs more, about the size of the type divided
    /// by the bytes of an item.
    pub values: usize,
    /// Parameters of one form or query. 500,000, as a byte array takes one for each byte;
    /// [`values`](Self::values) bounds their memory. Each parameter of the operation searches all
    /// of them.
    pub parameters: usize,
    /// Characters of JSON, in UTF-16 code units as .NET counts them: of the body of a request, of
    /// each parameter in a query, and of a result that a server answers. 102,400, the
    /// `maxJsonLength` of ASMX. Clients read any length, up to [`body`](Self::body).
    pub json_length: usize,
    /// Whether processing instructions are allowed in a message. Yes.
    pub processing_instructions: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 4 << 20,
            depth: 64,
            elements: 500_000,
            attributes: 64,
            namespaces: 64,
            name: 1 << 10,
            attribute_value: 64 << 10,
            text: 4 << 20,
            values: 16,
            parameters: 500_000,
            json_length: 102_400,
            processing_instructions: true,
        }
    }
}

impl Limits {
    /// Bytes of memory that any message may take, however short it is, in addition to
    /// [`values`](Self::values) for each of its bytes. 1 MiB.
    pub const LEAST_VALUES: usize = 1 << 20;

    /// The maximum that [`depth`](Self::depth) can allow, so that values of recursive types never
    /// overflow the stack of a thread of 2 MiB, even in a debug build: when they are read, written,
    /// cloned, compared, printed or dropped. 128.
    pub const MOST_DEPTH: usize = 128;
}

macro_rules! setters {
    ($($setter:ident $field:ident: $kind:ty,)*) => {
        impl Limits {
            $(
                #[doc = concat!("The same limits with another [`", stringify!($field), "`](Self::", stringify!($field), ").")]
                #[must_use]
                pub const fn $setter(mut self, $field: $kind) -> Self {
                    self.$field = $field;
                    self
                }
            )*
        }
    };
}

setters! {
    with_body body: usize,
    with_depth depth: usize,
    with_elements elements: usize,
    with_attributes attributes: usize,
    with_namespaces namespaces: usize,
    with_name name: usize,
    with_attribute_value attribute_value: usize,
    with_text text: usize,
    with_values values: usize,
    with_parameters parameters: usize,
    with_json_length json_length: usize,
    with_processing_instructions processing_instructions: bool,
}
