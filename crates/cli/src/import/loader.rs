//! Documents from files, standard input and hosts.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use svcgen_codegen::may_include;
use svcgen_import::{Load, Loaded};

use super::network::{self, Network};
use crate::input::up_to;

/// The name of standard input.
const STDIN: &str = "-";

/// The maximum number of entries of a folder that are considered.
const MOST_SIBLINGS: usize = 10_000;

/// The first bytes of data in gzip.
pub(super) const GZIP: &[u8] = &[0x1F, 0x8B];

/// Loads documents from files, standard input and hosts.
pub(super) struct Loader<'a> {
    pub network: Network<'a>,
    /// The addresses that the caller gave.
    pub given: HashSet<String>,
    /// Further folders whose files documents may refer to, besides their own folder and its
    /// workspace.
    pub allowed: &'a [PathBuf],
}

impl Loader<'_> {
    /// Refuses a referenced file outside the allowed folders, which may contain anything: a secret
    /// of the machine, or an endless stream.
    fn check_reference(&self, path: &Path) -> io::Result<()> {
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other("this is not a file"));
        }
        let place = fs::canonicalize(path)?;
        if ["/proc", "/sys", "/dev"]
            .iter()
            .any(|of| place.starts_with(of))
        {
            return Err(io::Error::other("it is a system file"));
        }
        let allowed: Vec<_> = self.allowed.iter().map(PathBuf::as_path).collect();
        let mut given = self.given.iter();
        let is_near = |from: &String| {
            network::url(from).is_none() && may_include(Path::new(from), &place, &allowed).is_ok()
        };
        if given.any(is_near) {
            return Ok(());
        }
        Err(io::Error::other(
            "it is outside the folder of the WSDL and its workspace; `--allow-include DIR` allows another folder",
        ))
    }

    fn read(&self, address: &str) -> io::Result<Vec<u8>> {
        if address == STDIN && self.given.contains(STDIN) {
            return up_to(Loaded::MOST_BYTES, io::stdin().lock());
        }
        if !self.given.contains(address) {
            self.check_reference(Path::new(address))?;
        }
        up_to(Loaded::MOST_BYTES, File::open(address)?)
    }
}

impl Load for Loader<'_> {
    fn load(&mut self, address: &str) -> Result<Loaded, String> {
        let mut loaded: Loaded = match network::url(address) {
            Some(url) => self.network.load(&url, Loaded::MOST_BYTES as u64)?,
            None => match self.read(address) {
                Ok(bytes) => bytes.into(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err("there is no such file".to_owned());
                }
                Err(error) => return Err(format!("the file cannot be read: {error}")),
            },
        };
        if loaded.bytes.starts_with(GZIP) {
            let bytes = up_to(Loaded::MOST_BYTES, MultiGzDecoder::new(&*loaded.bytes));
            loaded.bytes =
                bytes.map_err(|error| format!("it cannot be unpacked from gzip: {error}"))?;
        }
        Ok(loaded)
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

/// Replaces folders by the WSDLs in them, and keeps other addresses.
pub(super) fn expand(addresses: &[String]) -> Result<Vec<String>, String> {
    let mut expanded = Vec::new();
    for address in addresses {
        let path = Path::new(address);
        if network::url(address)
            .is_some_and(|url| !url.username().is_empty() || url.password().is_some())
        {
            return Err("an address holds no login, which others could see: pass it as `--user NAME:PASSWORD`".to_owned());
        }
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
            let name = name.strip_suffix(".gz").unwrap_or(&name);
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

/// Returns the names of the files of a folder, sorted.
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
