//! How many instructions a piece of work takes, by callgrind, where valgrind is installed.

use std::process::Command;

/// The instructions of a piece of work of this program, which `--work NAME TIMES` does so many
/// times. `None` without valgrind.
pub fn of(name: &str, times: u64) -> Option<f64> {
    let counted = |times: u64| {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(std::env::current_exe().ok()?)
            .args(["--work", name, &times.to_string()])
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stderr);
        let line = text.lines().find(|line| line.contains("Collected :"))?;
        line.rsplit(' ').next()?.parse::<f64>().ok()
    };
    // What is done once, whatever the number, falls out.
    let (once, thrice) = (counted(times)?, counted(3 * times)?);
    Some((thrice - once) / (2 * times) as f64)
}
