//! Goals, with the measured values.

use crate::measure;

/// The goals of a bench.
#[derive(Default)]
pub struct Goals(Vec<(String, Vec<String>)>);

impl Goals {
    pub fn at_most(&mut self, what: &str, most: f64, ours: f64) {
        self.add(what, format!("≤ {most}"), ours, ours <= most);
    }

    pub fn at_least(&mut self, what: &str, least: f64, ours: f64) {
        self.add(what, format!("≥ {least}"), ours, ours >= least);
    }

    /// Adds a goal. NaN means that the value was not measured, as something is not installed.
    fn add(&mut self, what: &str, goal: String, ours: f64, is_met: bool) {
        let verdict = match is_met {
            _ if ours.is_nan() => "not measured",
            true => "met",
            false => "missed",
        };
        let cells = vec![goal, measure::ratio(ours), verdict.to_owned()];
        self.0.push((what.to_owned(), cells));
    }

    pub fn print(&self) {
        measure::print("Goals", &["goal", "ours", ""], &self.0);
    }
}
