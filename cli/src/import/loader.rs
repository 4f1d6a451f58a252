//! Documents from files, standard input and hosts.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use svcgen_codegen::{Load, Loaded};

use super::network::{self, Network};

/// The name of standard input.
const STDIN: &str = "-";

/// The most files of a folder that are looked at.
const MOST_SIBLINGS: usize = 10_000;

/// Loads documents.
pub(super) struct Loader<'a> {
    network: Network<'a>,
    /// The addresses that the caller gave.
    given: HashSet<String>,
}

impl<'a> Loader<'a> {
    pub fn new(addresses: &[String], network: Network<'a>) -> Self {
        Self {
            network,
            given: addresses.iter().cloned().collect(),
        }
    }

    fn read(&self, address: &str) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // One more than are read tells that there are too many.
        let most = Loaded::MOST_BYTES as u64 + 1;
        if address == STDIN && self.given.contains(STDIN) {
            io::stdin().lock().take(most).read_to_end(&mut bytes)?;
            return Ok(bytes);
        }
        // A document may refer to a device or a pipe, which never ends.
        if !self.given.contains(address) && !fs::metadata(address)?.is_file() {
            return Err(io::Error::other("this is no file"));
        }
        File::open(address)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Load for Loader<'_> {
    fn load(&mut self, address: &str) -> Result<Loaded, String> {
        match network::url(address) {
            Some(url) => self.network.load(&url, Loaded::MOST_BYTES as u64),
            None => match self.read(address) {
                Ok(bytes) => Ok(bytes.into()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    Err("there is no such file".to_owned())
                }
                Err(error) => Err(format!("the file cannot be read: {error}")),
            },
        }
    }

    fn siblings(&mut self, address: &str) -> Vec<String> {
        if network::url(address).is_some() {
            return Vec::new();
        }
        let folder = &address[..address.rfind('/').map_or(0, |at| at + 1)];
        files(Path::new(if folder.is_empty() { "." } else { folder }))
            .into_iter()
            .map(|name| format!("{folder}{name}"))
            .collect()
    }

    fn allows(&mut self, address: &str) -> bool {
        self.network.allows(address)
    }
}

/// The WSDLs of folders, and other addresses as they are.
pub(super) fn expand(addresses: &[String]) -> Result<Vec<String>, String> {
    let mut expanded = Vec::new();
    for address in addresses {
        let path = Path::new(address);
        if !path.is_dir() {
            if network::url(address).is_none() && address != STDIN && !path.exists() {
                return Err(format!(
                    "there is no file {address}: name a file, a folder, or a URL that begins with http:// or https://"
                ));
            }
            expanded.push(address.clone());
            continue;
        }
        let mut names = files(path);
        names.retain(|name| {
            let name = name.to_lowercase();
            name.ends_with(".wsdl") || name.ends_with(".asmx.xml")
        });
        if names.is_empty() {
            return Err(format!(
                "{address} has no file that ends in .wsdl: name the document itself, whatever it is called"
            ));
        }
        let folder = address.trim_end_matches('/');
        expanded.extend(names.iter().map(|name| format!("{folder}/{name}")));
    }
    Ok(expanded)
}

/// The names of the files of a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let Ok(entries) = folder.read_dir() else {
        return Vec::new();
    };
    let entries = entries.take(MOST_SIBLINGS).flatten();
    let entries = entries.filter(|entry| entry.path().is_file());
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    names
}
