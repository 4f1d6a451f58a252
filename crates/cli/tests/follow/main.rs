//! Pages of the book can be followed word for word, with a local server instead of the host, and
//! crates of `svcgen new` compile and run.
//!
//! Cargo builds crates here, which takes minutes; `cargo test` runs this program only if it is
//! named. Pages call curl and openssl.

mod created;
mod fallback;
mod follow;
#[path = "../command/original.rs"]
mod original;
#[path = "../command/shell.rs"]
mod shell;

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use follow::{Addresses, follow};
use original::{HOST, original};

/// Gives a crate a version of its own. Otherwise, Cargo takes crates of the same name and version
/// in one target folder for the same crate, and runs the build of another test.
fn set_apart(folder: &Path) {
    let manifest = folder.join("Cargo.toml");
    if let Ok(text) = fs::read_to_string(&manifest) {
        let mut hasher = DefaultHasher::new();
        folder.hash(&mut hasher);
        let version = format!("\nversion = \"0.1.{}\"\n", hasher.finish());
        fs::write(&manifest, text.replace("\nversion = \"0.1.0\"\n", &version)).unwrap();
    }
}

/// Returns a Cargo command in a folder, with the target folder of this build, so that common
/// dependencies are compiled once.
fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    set_apart(folder);
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(folder);
    // Cargo sets these variables for tests of its package. Build scripts that watch them, such as
    // ring's, would run again.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(name);
        }
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    command
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_DEV_DEBUG", "false");
    command
}

/// An edit of the definition by hand.
const BY_HAND: &str = "  # Who ordered is in the token.\n  Order:\n    rust: Purchase\n";

fn edit(definition: &Path) {
    let text = fs::read_to_string(definition).unwrap();
    let edited = text.replacen("  Order:\n", BY_HAND, 1);
    assert_ne!(text, edited);
    fs::write(definition, edited).unwrap();
}

#[test]
fn a_service_is_replaced_as_the_guide_says() {
    let is_newer = Arc::new(AtomicBool::new(false));
    let original = original::changing(Arc::clone(&is_newer));
    let home = tempfile::tempdir().unwrap();
    let addresses = Addresses::of_host(HOST, original);
    let (folder, commands) = follow("replace.md", home.path(), addresses, |command, folder| {
        if command.contains("--update") && !is_newer.swap(true, Ordering::Relaxed) {
            edit(&folder.join("service-defs/orders.yaml"));
        }
    });
    assert_eq!(commands, 30);
    let definition = fs::read_to_string(folder.join("service-defs/orders.yaml")).unwrap();
    assert!(definition.contains(BY_HAND), "{definition}");
}

#[test]
fn the_quick_start_goes_as_it_says() {
    let home = tempfile::tempdir().unwrap();
    let (_, commands) = follow("quick-start.md", home.path(), Addresses::none(), |_, _| {});
    assert_eq!(commands, 6);
}

#[test]
fn a_service_is_called_as_the_guide_says() {
    let home = tempfile::tempdir().unwrap();
    let addresses = Addresses::of_host(HOST, original());
    let (_, commands) = follow("call.md", home.path(), addresses, |_, _| {});
    assert_eq!(commands, 3);
}

#[cfg(unix)]
#[test]
fn the_program_for_production_runs_as_the_guide_says() {
    let home = tempfile::tempdir().unwrap();
    let (_, commands) = follow("production.md", home.path(), Addresses::none(), |_, _| {});
    assert_eq!(commands, 6);
}
