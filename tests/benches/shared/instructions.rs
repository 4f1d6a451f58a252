//! The number of instructions of a piece of work, counted by callgrind if valgrind is installed.

use std::process::Command;

/// Counts the instructions of a piece of work of this program, which `--work NAME TIMES` repeats.
/// `None` without valgrind.
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
    // The difference excludes the instructions that do not depend on the number of repetitions.
    let (once, thrice) = (counted(times)?, counted(3 * times)?);
    Some((thrice - once) / (2 * times) as f64)
}
