//! `svcgen generate`.

use std::collections::HashMap;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use svcgen_codegen::{Config, Diagnostics, Output};

use crate::arguments::Generate;
use crate::{difference, files};

/// Generates the code for all definitions; what is wrong with one does not keep the others from being generated.
pub(crate) fn run(arguments: &Generate) -> ExitCode {
    let mut written = HashMap::new();
    let mut all_well = true;
    for definition in &arguments.definitions {
        let Some(output) = generate(&arguments.config, definition) else {
            all_well = false;
            continue;
        };
        let Some(folder) = &arguments.out else {
            return print(&output.code);
        };
        let path = folder.join(format!("{}.rs", output.name));
        if let Some(first) = written.insert(path.clone(), definition) {
            let (first, second) = (first.display(), definition.display());
            eprintln!(
                "error: {first} and {second} would both be written to {}",
                path.display()
            );
            all_well = false;
            continue;
        }
        all_well &= match arguments.check {
            true => check(&path, &output.code),
            false => write(&path, &output.code),
        };
    }
    if all_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn generate(config: &Config, definition: &PathBuf) -> Option<Output> {
    match config.generate_file(definition) {
        Ok(output) => {
            report(&output.warnings);
            Some(output)
        }
        Err(diagnostics) => {
            report(&diagnostics);
            None
        }
    }
}

fn report(diagnostics: &Diagnostics) {
    let colours =
        stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    for diagnostic in diagnostics.iter() {
        eprintln!("{}\n", diagnostic.render(colours));
    }
}

fn print(code: &str) -> ExitCode {
    // A reader that has seen enough, such as `head`, is no failure.
    match stdout()
        .write_all(code.as_bytes())
        .and_then(|()| stdout().flush())
    {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            eprintln!("error: stdout: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

fn write(path: &Path, code: &str) -> bool {
    match files::write_if_changed(path, code) {
        Ok(true) => println!("wrote {}", path.display()),
        Ok(false) => println!("fresh {}", path.display()),
        Err(error) => {
            eprintln!("error: {} cannot be written: {error}", path.display());
            return false;
        }
    }
    true
}

fn check(path: &Path, code: &str) -> bool {
    match std::fs::read(path) {
        Ok(bytes) if bytes == code.as_bytes() => {
            println!("fresh {}", path.display());
            true
        }
        Ok(bytes) => {
            println!("stale {}", path.display());
            print!(
                "{}",
                difference::show(&String::from_utf8_lossy(&bytes), code)
            );
            false
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            println!("missing {}", path.display());
            false
        }
        Err(error) => {
            eprintln!("error: {} cannot be read: {error}", path.display());
            false
        }
    }
}
