//! The texts that replace masked content.

/// Replaces a secret.
pub const SECRET: &str = "[secret]";
/// Replaces content that the model does not describe.
pub const OMITTED: &str = "[omitted]";
/// Replaces the rest of a message that is longer than the limit.
pub const CUT: &str = "[cut]";
