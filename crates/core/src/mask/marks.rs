//! What stands instead of what is not shown.

/// Stands for a secret.
pub const SECRET: &str = "[secret]";
/// Stands for what the model does not describe.
pub const OMITTED: &str = "[omitted]";
/// Stands for the rest of a message that is longer than the limit.
pub const CUT: &str = "[cut]";
